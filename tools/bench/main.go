// Command bench runs the benchmarks of every way to hash with BLAKE3, records them, and prints tables of the record.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"
)

// minRounds is the least number of samples whose range is a 95 % interval of their median.
const minRounds = 6

type cli struct {
	Quick quick `cmd:"" default:"withargs" help:"Measure Go and Node.js side by side on one core, in under two minutes, and print tables. The default."`
}

type quick struct {
	Rounds int           `default:"6" placeholder:"N" help:"Samples of each benchmark; at least 6. Default: ${default}."`
	Time   time.Duration `default:"100ms" placeholder:"DURATION" help:"About how long to measure for each sample. Default: ${default}."`
	Out    string        `type:"path" placeholder:"FILE" help:"Where to write the record. Default: dist/records/<time>.txt beside this program's source."`
}

// Validate is called by kong.
func (q *quick) Validate() error {
	if q.Rounds < minRounds {
		return fmt.Errorf("--rounds: expected at least %d, which an interval of 95%% needs, given %d", minRounds, q.Rounds)
	}
	if q.Time < time.Millisecond {
		return fmt.Errorf("--time: expected at least 1ms, given %s", q.Time)
	}
	return nil
}

// Run is called by kong.
func (q *quick) Run(ctx context.Context) error {
	space, err := findWorkspace()
	if err != nil {
		return err
	}
	config, err := space.config(ctx)
	if err != nil {
		return err
	}
	path := q.Out
	if path == "" {
		name := time.Now().UTC().Format("20060102T150405Z") + ".txt"
		path = filepath.Join(space.root, "tools", "bench", "dist", "records", name)
	}
	if err := writable(path); err != nil { // before two minutes of work
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sides, err := space.sides(ctx, dir, q.Time)
	if err != nil {
		return err
	}
	results, err := measure(ctx, sides, q.Rounds, newProgress(q.Rounds*len(sides), q.Rounds))
	if err != nil {
		return err
	}
	if err := writeRecord(path, config, results); err != nil {
		return err
	}
	rec, err := readRecord(path)
	if err != nil {
		return err
	}
	if err := rec.report(os.Stdout); err != nil {
		return err
	}
	_, err = fmt.Println("\nRecord:", path)
	return err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	command := kong.Parse(&cli{},
		kong.Name("bench"),
		kong.Description("Measures every way to hash with BLAKE3 in Go and Node.js. Each sample's digest is checked."),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}))
	err := command.Run()
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted; no record was written")
	}
	command.FatalIfErrorf(err)
}
