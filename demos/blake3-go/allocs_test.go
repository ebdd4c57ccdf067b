package blake3_test

import (
	"runtime/debug"
	"testing"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

func TestAllocations(t *testing.T) {
	if blake3.RaceEnabled {
		t.Skip("NOT TESTED: allocations. The race detector makes pools drop what they are given; run `go test` without -race")
	}
	if engine := compile(t).Engine(); engine != "compiler" {
		t.Skipf("NOT TESTED: allocations. The engine is the %s, which allocates", engine)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties the pool of instances
	input := pattern(100_000)
	h, keyed := blake3.New(), modes[1].hasher(compile(t))
	r := h.XOF()
	sum, out := make([]byte, 0, 32), make([]byte, 100_000)
	text := string(input)
	for name, f := range map[string]func(n int){
		"Sum256":      func(n int) { blake3.Sum256(input[:n]) },
		"SumKeyed":    func(n int) { blake3.SumKeyed(vectorKey, input[:n]) },
		"Write":       func(n int) { h.Write(input[:n]) },
		"keyed Write": func(n int) { keyed.Write(input[:n]) },
		"WriteString": func(n int) { h.WriteString(text[:n]) },
		"Sum":         func(n int) { h.Sum(sum) },
		"Read":        func(n int) { r.Read(out[:n]) },
	} {
		for _, n := range []int{0, 1, 64, 4096, 100_000} {
			// Small writes reach an instance once in a while only, and AllocsPerRun's change of GOMAXPROCS empties the pool too: so its
			// first run, which it does not count, must get as far.
			allocs := testing.AllocsPerRun(10, func() {
				for range 2000 / max(n, 1) {
					f(n)
				}
				f(n)
			})
			if allocs != 0 {
				t.Errorf("%s of %d bytes: %v allocations, want 0", name, n, allocs)
			}
		}
	}
}
