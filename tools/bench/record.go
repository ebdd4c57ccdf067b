package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"
)

// A setting is a `key: value` line above the samples of a record.
type setting struct{ key, value string }

type config []setting

func (c config) file() []benchfmt.Config {
	lines := make([]benchfmt.Config, len(c))
	for i, s := range c {
		lines[i] = benchfmt.Config{Key: s.key, Value: []byte(s.value), File: true}
	}
	return lines
}

// parse reads samples in Go's benchmark format and calls each with the name of every one. A malformed sample is an error.
func parse(r io.Reader, source string, each func(name string)) ([]*benchfmt.Result, error) {
	var results []*benchfmt.Result
	reader := benchfmt.NewReader(r, source)
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, rec
		case *benchfmt.Result:
			each(rec.Name.String())
			results = append(results, rec.Clone())
		}
	}
	if err := reader.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: expected samples in Go's benchmark format, given none", source)
	}
	return results, nil
}

// unify gives all samples of one machine the same configuration: c, then what the measured programs said. Without it benchstat
// would split a table where one program says more than the other. A program that contradicts c or another is an error, except in
// how it spells the cpu, where the first is taken.
func unify(c config, results []*benchfmt.Result) error {
	lines := c.file()
	known := map[string]string{}
	for _, s := range c {
		known[s.key] = s.value
	}
	for _, r := range results {
		for _, line := range r.Config {
			value, ok := known[line.Key]
			switch {
			case line.Key == "pkg": // of `go test`, and not where the others come from
			case !ok:
				known[line.Key] = string(line.Value)
				lines = append(lines, line)
			case value != string(line.Value) && line.Key != "cpu":
				return fmt.Errorf("%s: expected %s: %s, given %s", r.Name, line.Key, value, line.Value)
			}
		}
	}
	if known["cpu"] == "" {
		lines = append(lines, benchfmt.Config{Key: "cpu", Value: []byte("unknown"), File: true})
	}
	for _, r := range results {
		r.Config = lines
	}
	return nil
}

// writable makes the folder of a record that is to be written, and reports where that would fail.
func writable(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, expected a file to write to", path)
	}
	partial := path + ".partial"
	if err := os.WriteFile(partial, nil, 0o644); err != nil {
		return err
	}
	return os.Remove(partial)
}

// writeRecord writes samples, all of this machine, with their configuration. The file appears whole or not at all.
func writeRecord(path string, c config, results []*benchfmt.Result) error {
	if err := unify(c, results); err != nil {
		return err
	}
	var text bytes.Buffer
	writer := benchfmt.NewWriter(&text)
	for _, r := range results {
		if err := writer.Write(r); err != nil {
			return err
		}
	}
	partial := path + ".partial"
	if err := os.WriteFile(partial, text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(partial, path)
}

// A column is one implementation on one platform.
type column struct{ platform, impl string }

func (c column) String() string { return c.platform + "/" + c.impl }

// A cell is one column's time for inputs of one size, in bytes.
type cell struct {
	column
	size int64
}

// A record is what one machine measured.
type record struct {
	config  config
	columns []column                   // of one platform together, else in the order of the file
	sizes   []int64                    // ascending
	samples map[cell]*benchmath.Sample // seconds per hash
}

func readRecord(path string) (*record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	results, err := parse(file, path, func(string) {})
	if err != nil {
		return nil, err
	}
	rec, err := newRecord(results)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}

func newRecord(results []*benchfmt.Result) (*record, error) {
	var parser benchproc.ProjectionParser
	key, err := parser.Parse("/platform,/impl,/bytes", nil)
	if err != nil {
		return nil, err
	}
	rec := &record{samples: map[cell]*benchmath.Sample{}}
	for _, line := range results[0].Config {
		rec.config = append(rec.config, setting{line.Key, string(line.Value)})
	}
	fields := key.Fields()
	platforms := map[string]int{}
	seconds := map[cell][]float64{}
	for _, r := range results {
		if given, first := r.GetConfig("cpu"), results[0].GetConfig("cpu"); given == "" || given != first {
			return nil, fmt.Errorf("%s: expected one cpu in the whole record, %q, given %q", r.Name, first, given)
		}
		k := key.Project(r)
		size, err := strconv.ParseInt(k.Get(fields[2]), 10, 64)
		c := column{k.Get(fields[0]), k.Get(fields[1])}
		if c.platform == "" || c.impl == "" || err != nil || size < 0 {
			return nil, fmt.Errorf("expected a name such as Hash/platform=go/impl=zeebo/bytes=64, given %s", r.Name)
		}
		sec, ok := r.Value("sec/op")
		if !ok || !(sec > 0) {
			return nil, fmt.Errorf("%s: expected a positive ns/op, given %v", r.Name, r.Values)
		}
		if _, ok := platforms[c.platform]; !ok {
			platforms[c.platform] = len(platforms)
		}
		if !slices.Contains(rec.columns, c) {
			rec.columns = append(rec.columns, c)
		}
		rec.sizes = append(rec.sizes, size)
		seconds[cell{c, size}] = append(seconds[cell{c, size}], sec)
	}
	for c, s := range seconds {
		rec.samples[c] = benchmath.NewSample(s, &benchmath.DefaultThresholds)
	}
	slices.SortStableFunc(rec.columns, func(a, b column) int { return platforms[a.platform] - platforms[b.platform] })
	slices.Sort(rec.sizes)
	rec.sizes = slices.Compact(rec.sizes)
	return rec, nil
}

// summary returns the median time of a cell with its interval, or false when it was not measured.
func (r *record) summary(c column, size int64) (benchmath.Summary, bool) {
	sample, ok := r.samples[cell{c, size}]
	if !ok {
		return benchmath.Summary{}, false
	}
	return benchmath.AssumeNothing.Summary(sample, confidence), true
}

// confidence is that of the intervals: with it, the median lies in them.
const confidence = 0.95
