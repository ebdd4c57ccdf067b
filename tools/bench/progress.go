package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress tells on stderr what is being measured and how long that will yet take.
type progress interface {
	run(round int, side string) // before each run of a side's program
	benchmark(name string)      // after each sample
	end()
}

// newProgress returns a bar on a terminal, else lines. runs is how many runs there will be in all.
func newProgress(runs, rounds int) progress {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return &lines{to: os.Stderr, runs: runs, rounds: rounds}
	}
	return &bar{rounds: rounds, bar: progressbar.NewOptions(runs,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish())}
}

type bar struct {
	rounds int
	begun  bool
	bar    *progressbar.ProgressBar
}

func (b *bar) run(round int, side string) {
	if b.begun {
		b.bar.Add(1)
	}
	b.begun = true
	b.bar.Describe(fmt.Sprintf("round %d of %d: %s", round+1, b.rounds, side))
}

func (b *bar) benchmark(string) { b.bar.RenderBlank() }

func (b *bar) end() { b.bar.Finish() }

type lines struct {
	to           io.Writer
	runs, rounds int
	done         int
	start        time.Time
}

func (l *lines) run(round int, side string) {
	left := ""
	if l.done == 0 {
		l.start = time.Now()
	} else {
		perRun := time.Since(l.start) / time.Duration(l.done)
		left = fmt.Sprintf(", about %s left", (perRun * time.Duration(l.runs-l.done)).Round(time.Second))
	}
	l.done++
	fmt.Fprintf(l.to, "round %d of %d: %s%s\n", round+1, l.rounds, side, left)
}

func (l *lines) benchmark(string) {}
func (l *lines) end()             {}
