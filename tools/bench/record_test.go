package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/report.golden")

func TestReport(t *testing.T) {
	rec, err := readRecord("testdata/record.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := rec.report(&b); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/report.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("expected\n%s\ngiven\n%s\nWhen that is right: go test . -update", want, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 120 {
			t.Errorf("a line of %d characters, expected 120 at most: %s", n, line)
		}
	}
}

func TestRecordRefused(t *testing.T) {
	const name = "BenchmarkHash/platform=go/impl=zeebo/bytes=64"
	for _, test := range []struct{ text, want string }{
		{"", "given none"},
		{"cpu: A\n", "given none"},
		{name + " 1 5 ns/op\n", "expected one cpu"},
		{"cpu: A\n" + name + " 1 5 ns/op\ncpu: B\n" + name + " 1 5 ns/op\n", "expected one cpu"},
		{"cpu: A\nBenchmarkHash/platform=go/impl=zeebo 1 5 ns/op\n", "expected a name such as"},
		{"cpu: A\nBenchmarkHash/platform=go/bytes=64 1 5 ns/op\n", "expected a name such as"},
		{"cpu: A\nBenchmarkHash/impl=zeebo/bytes=64 1 5 ns/op\n", "expected a name such as"},
		{"cpu: A\nBenchmarkHash/platform=go/impl=zeebo/bytes=-1 1 5 ns/op\n", "expected a name such as"},
		{"cpu: A\n" + name + " 1 0 ns/op\n", "expected a positive ns/op"},
		{"cpu: A\n" + name + " 1 NaN ns/op\n", "expected a positive ns/op"},
		{"cpu: A\n" + name + " 1 5 MB/s\n", "expected a positive ns/op"},
		{"cpu: A\n" + name + " 1 five ns/op\n", "parsing measurement"},
	} {
		path := filepath.Join(t.TempDir(), "record.txt")
		if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readRecord(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: expected an error with %q, given %v", test.text, test.want, err)
		}
	}
}

// What the programs print is recorded under one configuration, and read again as it was.
func TestRecordWritten(t *testing.T) {
	text := "goos: linux\npkg: example.org/p\ncpu: A\nBenchmarkHash/platform=go/impl=zeebo/bytes=64 1 5 ns/op\n" +
		"cpu: A (R)\npkg:\nnode: v24.0.0\nBenchmarkHash/platform=node/impl=noble/bytes=64 2 7 ns/op 9 MB/s\n"
	results, err := parse(strings.NewReader(text), "test", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "new", "record.txt")
	if err := writable(path); err != nil {
		t.Fatal(err)
	}
	for _, unfit := range []string{filepath.Dir(path), filepath.Join("record_test.go", "below.txt")} {
		if err := writable(unfit); err == nil {
			t.Errorf("%s is writable, expected an error", unfit)
		}
	}
	if err := writeRecord(path, config{{"goos", "linux"}, {"commit", "123"}}, results); err != nil {
		t.Fatal(err)
	}
	want := "goos: linux\ncommit: 123\ncpu: A\nnode: v24.0.0\n\n" +
		"BenchmarkHash/platform=go/impl=zeebo/bytes=64 1 5 ns/op\n" +
		"BenchmarkHash/platform=node/impl=noble/bytes=64 2 7 ns/op 9 MB/s\n"
	if given, err := os.ReadFile(path); err != nil || string(given) != want {
		t.Fatalf("expected %q, given %q, %v", want, given, err)
	}
	rec, err := readRecord(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := []column{{"go", "zeebo"}, {"node", "noble"}}; !reflect.DeepEqual(rec.columns, want) {
		t.Errorf("expected columns %v, given %v", want, rec.columns)
	}
}

func TestRecordWithoutCPU(t *testing.T) {
	results, err := parse(strings.NewReader("BenchmarkHash/platform=go/impl=zeebo/bytes=64 1 5 ns/op\n"), "test", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := unify(nil, results); err != nil || results[0].GetConfig("cpu") != "unknown" {
		t.Errorf("expected cpu unknown, given %q, %v", results[0].GetConfig("cpu"), err)
	}
}

func TestContradictionIsNotRecorded(t *testing.T) {
	text := "artifact-sha256: 01\nBenchmarkHash/platform=go/impl=wasm/bytes=64 1 5 ns/op\n"
	results, err := parse(strings.NewReader(text), "test", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "record.txt")
	err = writeRecord(path, config{{"artifact-sha256", "02"}}, results)
	if err == nil || !strings.Contains(err.Error(), "expected artifact-sha256: 02, given 01") {
		t.Errorf("expected an error with both values, given %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("expected no record, given one")
	}
}

// made returns a record of six samples, around each of the given nanoseconds.
func made(t *testing.T, times map[column]map[int64]float64) *record {
	t.Helper()
	text := "cpu: A\n"
	for c, bySize := range times {
		for size, ns := range bySize {
			for i := range minRounds {
				text += fmt.Sprintf("BenchmarkHash/platform=%s/impl=%s/bytes=%d 1 %f ns/op\n", c.platform, c.impl, size, ns*(1+float64(i)/1000))
			}
		}
	}
	results, err := parse(strings.NewReader(text), "test", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := newRecord(results)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestCompare(t *testing.T) {
	wasm, other := column{"p", "wasm"}, column{"p", "other"}
	for _, test := range []struct {
		name        string
		wasm, other map[int64]float64
		want        string
	}{
		{"all ahead", map[int64]float64{0: 10, 64: 10}, map[int64]float64{0: 20, 64: 30},
			"p/wasm against p/other: ahead from 0 B to 64 B, 2.00 to 3.00 times as fast. Crossover: none found."},
		{"all behind", map[int64]float64{0: 20, 64: 20}, map[int64]float64{0: 10, 64: 10},
			"p/wasm against p/other: behind from 0 B to 64 B, taking 2.00 times as long. Crossover: none found."},
		{"all even", map[int64]float64{0: 10}, map[int64]float64{0: 10},
			"p/wasm against p/other: no difference shown at 0 B. Crossover: none found."},
		{"one crossover", map[int64]float64{64: 20, 1024: 20}, map[int64]float64{64: 10, 1024: 40},
			"p/wasm against p/other: behind at 64 B, taking 2.00 times as long; ahead at 1 KiB, 2.00 times as fast. Crossover: between 64 B and 1 KiB."},
		{"undecided between", map[int64]float64{1: 20, 2: 10, 3: 10}, map[int64]float64{1: 10, 2: 10, 3: 20},
			"p/wasm against p/other: behind at 1 B, taking 2.00 times as long; no difference shown at 2 B; ahead at 3 B, 2.00 times as fast. Crossover: between 1 B and 3 B."},
		{"undecided within", map[int64]float64{1: 20, 2: 10, 3: 20}, map[int64]float64{1: 10, 2: 10, 3: 10},
			"p/wasm against p/other: behind at 1 B, taking 2.00 times as long; no difference shown at 2 B; behind at 3 B, taking 2.00 times as long. Crossover: none found."},
		{"two crossovers", map[int64]float64{1: 20, 2: 10, 3: 20}, map[int64]float64{1: 10, 2: 20, 3: 10},
			"p/wasm against p/other: behind at 1 B, taking 2.00 times as long; ahead at 2 B, 2.00 times as fast; behind at 3 B, taking 2.00 times as long. Crossover: between 1 B and 2 B, between 2 B and 3 B."},
		{"only what both have", map[int64]float64{1: 20, 2: 10, 3: 10}, map[int64]float64{1: 10, 3: 20, 4: 1},
			"p/wasm against p/other: behind at 1 B, taking 2.00 times as long; ahead at 3 B, 2.00 times as fast. Crossover: between 1 B and 3 B."},
		{"nothing in common", map[int64]float64{1: 20}, map[int64]float64{2: 10}, ""},
	} {
		rec := made(t, map[column]map[int64]float64{wasm: test.wasm, other: test.other})
		if given := strings.Join(rec.compare(wasm, other), "\n"); given != test.want {
			t.Errorf("%s: expected\n%s\ngiven\n%s", test.name, test.want, given)
		}
	}
}

func TestGaps(t *testing.T) {
	slow := column{"p", "slow"}
	rec := made(t, map[column]map[int64]float64{
		{"p", "wasm"}: {0: 1, 1: 1, 1000: 1, 1 << 20: 1},
		slow:          {0: 1, 1000: 1e6},
	})
	want := []string{
		"– p/slow at 1 B: no sample in the record.",
		"– p/slow is left out above 1000 B: at its speed there, one hash of 1 MiB would take 1.05 s.",
	}
	if given := rec.gaps(slow); !reflect.DeepEqual(given, want) {
		t.Errorf("expected %q, given %q", want, given)
	}
	if given := rec.gaps(column{"p", "wasm"}); given != nil {
		t.Errorf("expected no gaps, given %q", given)
	}
}

func TestFormats(t *testing.T) {
	for x, want := range map[float64]string{1: "1.00", 9.996: "10.0", 0.02316: "0.0232", 99.96: "100", 12345: "12345", 0.9999: "1.00"} {
		if given := number(x); given != want {
			t.Errorf("number(%v): expected %s, given %s", x, want, given)
		}
	}
	for s, want := range map[float64]string{1.2345e-8: "12.3 ns", 1.5e-4: "150 µs", 0.5: "500 ms", 2: "2.00 s"} {
		if given := duration(s); given != want {
			t.Errorf("duration(%v): expected %s, given %s", s, want, given)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1000: "1000 B", 1024: "1 KiB", 1 << 24: "16 MiB", 3 << 30: "3 GiB", 1 << 40: "1024 GiB"} {
		if given := bytesText(n); given != want {
			t.Errorf("bytesText(%d): expected %s, given %s", n, want, given)
		}
	}
}
