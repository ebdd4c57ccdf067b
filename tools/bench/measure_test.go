package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// With "side" as first argument, the test binary stands for a side's program.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "side" {
		os.Exit(m.Run())
	}
	fmt.Println("cpu: A")
	mode := os.Args[2]
	if mode == "silent" {
		return
	}
	fmt.Println("BenchmarkHash/platform=" + mode + "/impl=wasm/bytes=0 1 5 ns/op")
	switch mode {
	case "wrong":
		fmt.Println("wasm: expected digest 01, given 02")
		fmt.Fprintln(os.Stderr, "FAIL")
		os.Exit(1)
	case "malformed":
		fmt.Println("BenchmarkHash/platform=p/impl=wasm/bytes=64 1 fast ns/op")
	case "forgetful": // the second time, it measures less
		if os.Mkdir(os.Args[3], 0o755) == nil {
			fmt.Println("BenchmarkHash/platform=p/impl=wasm/bytes=64 1 5 ns/op")
		}
	}
}

// fakeSide returns a side whose program is this test binary.
func fakeSide(args ...string) side {
	return side{name: args[0], command: append([]string{os.Args[0], "side"}, args...), dir: ".", config: config{{"tool", "v1"}}}
}

func quiet() progress { return &lines{to: &strings.Builder{}} }

func TestRoundsAlternate(t *testing.T) {
	results, err := measure(t.Context(), []side{fakeSide("a"), fakeSide("b")}, 3, quiet())
	if err != nil {
		t.Fatal(err)
	}
	var given []string
	for _, r := range results {
		given = append(given, r.Name.String())
		if r.GetConfig("tool") != "v1" || r.GetConfig("cpu") != "A" {
			t.Errorf("expected tool v1 and cpu A, given %v", r.Config)
		}
	}
	a, b := "Hash/platform=a/impl=wasm/bytes=0", "Hash/platform=b/impl=wasm/bytes=0"
	if want := []string{a, b, b, a, a, b}; !slices.Equal(given, want) {
		t.Errorf("expected %q, given %q", want, given)
	}
}

func TestFailureOfOneSideFailsAll(t *testing.T) {
	absent := side{name: "absent", command: []string{filepath.Join(t.TempDir(), "absent")}, dir: "."}
	for _, test := range []struct {
		side side
		want []string
	}{
		{fakeSide("wrong"), []string{"exit status 1", "expected digest 01, given 02", "FAIL"}},
		{fakeSide("malformed"), []string{"malformed:3"}},
		{fakeSide("silent"), []string{"given none"}},
		{fakeSide("forgetful", filepath.Join(t.TempDir(), "ran")), []string{"expected the benchmarks of the first round"}},
		{absent, []string{"absent: "}},
	} {
		results, err := measure(t.Context(), []side{fakeSide("a"), test.side}, 2, quiet())
		if results != nil || err == nil {
			t.Fatalf("%s: expected no results and an error, given %d, %v", test.side.name, len(results), err)
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: expected %q in the error, given %v", test.side.name, want, err)
			}
		}
		if strings.Contains(err.Error(), "5 ns/op") {
			t.Errorf("%s: expected no samples in the error, given %v", test.side.name, err)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if results, err := measure(ctx, []side{fakeSide("a")}, 2, quiet()); results != nil || err == nil {
		t.Errorf("expected no results and an error, given %d, %v", len(results), err)
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		quick quick
		want  string
	}{
		{quick{Rounds: 5, Time: time.Second}, "expected at least 6"},
		{quick{Rounds: 6, Time: time.Microsecond}, "expected at least 1ms"},
	} {
		if err := test.quick.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: expected an error with %q, given %v", test.quick, test.want, err)
		}
	}
	good := quick{Rounds: 6, Time: time.Millisecond}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}

func TestWorkspaceIsFoundFromWithin(t *testing.T) {
	here, err := findWorkspace()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(here.path("tools/bench/main.go")); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if outside, err := findWorkspace(); err == nil {
		t.Errorf("expected an error outside the repository, given %+v", outside)
	}
}
