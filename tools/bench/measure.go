package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// measure runs each side once in each round, every other round in reverse order, so that a machine that grows slower or faster
// meanwhile favours none. It returns all samples in the order they were taken.
func measure(ctx context.Context, sides []side, rounds int, progress progress) ([]*benchfmt.Result, error) {
	defer progress.end()
	var all []*benchfmt.Result
	first := map[string][]string{}
	order := slices.Clone(sides)
	for round := range rounds {
		for _, s := range order {
			progress.run(round, s.name)
			results, err := s.run(ctx, progress)
			if err != nil {
				return nil, err
			}
			names := make([]string, len(results))
			for i, r := range results {
				names[i] = r.Name.String()
			}
			if round == 0 {
				first[s.name] = names
			} else if !slices.Equal(names, first[s.name]) {
				return nil, fmt.Errorf("%s: expected the benchmarks of the first round, %q, given %q", s.name, first[s.name], names)
			}
			all = append(all, results...)
		}
		slices.Reverse(order)
	}
	return all, nil
}

// run runs the side's program once. The program fails when a digest is wrong, and so does run.
func (s side) run(ctx context.Context, progress progress) ([]*benchfmt.Result, error) {
	var printed, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	cmd.Dir = s.dir
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	results, parseErr := parse(io.TeeReader(stdout, &printed), s.name, progress.benchmark)
	if parseErr != nil {
		io.Copy(&printed, stdout) // lets the program end
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%s: `%s` in %s: %w\n%s%s", s.name, strings.Join(cmd.Args, " "), s.dir, err, notes(printed.String()), &complaints)
	}
	if parseErr != nil {
		return nil, parseErr
	}
	for i, r := range results {
		results[i].Config = append(s.config.file(), r.Config...)
	}
	return results, nil
}

var sample = regexp.MustCompile(`(?m)^Benchmark.*/op.*\n`)

// notes returns what a program printed beside its samples.
func notes(printed string) string { return sample.ReplaceAllString(printed, "") }
