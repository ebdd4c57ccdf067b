package blake3_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/cpu"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

// exchanged is a state after the first Length bytes of the pattern.
type exchanged struct {
	Mode   int
	Length int
	State  []byte
}

// TestWriteStates leaves states for TestReadStates of other platforms in a file with this platform's name.
func TestWriteStates(t *testing.T) {
	dir := os.Getenv("WRITE_STATES")
	if dir == "" {
		t.Skip("NOT TESTED: states for other platforms. `nx test-platforms blake3-go` does it")
	}
	m := compile(t)
	var states []exchanged
	for i, mode := range modes {
		for _, n := range []int{0, 1, 64, 1023, 1024, 1025, 2048, 2049, 5000, 8192, 65_536, 100_001} {
			h := mode.hasher(m)
			h.Write(pattern(n))
			state, err := h.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, exchanged{i, n, state})
		}
	}
	data, err := json.Marshal(states)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, runtime.GOARCH+"-"+m.Engine()), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReadStates goes on from the states of other platforms.
func TestReadStates(t *testing.T) {
	dir := os.Getenv("READ_STATES")
	if dir == "" {
		t.Skip("NOT TESTED: states of other platforms. `nx test-platforms blake3-go` does it")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 2 {
		t.Fatalf("%d platforms in %s, %v, want 2 at least", len(entries), dir, err)
	}
	m := compile(t)
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var states []exchanged
		if err := json.Unmarshal(data, &states); err != nil || len(states) == 0 {
			t.Fatalf("%s: %d states, %v", entry.Name(), len(states), err)
		}
		for _, from := range states {
			for _, more := range []int{0, 1, 3000} {
				var h blake3.Hasher
				if err := h.UnmarshalBinary(from.State); err != nil {
					t.Fatalf("%s to %s-%s: %v", entry.Name(), runtime.GOARCH, m.Engine(), err)
				}
				input := pattern(from.Length + more)
				h.Write(input[from.Length:])
				mode := modes[from.Mode]
				if got, want := h.Sum(nil), mode.want(input, 32); !bytes.Equal(got, want) {
					t.Errorf("%s to %s-%s, %s: %d bytes after %d: %x, want %x",
						entry.Name(), runtime.GOARCH, m.Engine(), mode.name, more, from.Length, got, want)
				}
			}
		}
	}
}

// The processor is asked before machine code runs that it may lack instructions for.
func TestWithoutSSE41(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("NOT TESTED: amd64 without SSE4.1, on %s", runtime.GOARCH)
	}
	defer func(has bool) { cpu.X86.HasSSE41 = has }(cpu.X86.HasSSE41)
	cpu.X86.HasSSE41 = false
	if engine := compile(t).Engine(); engine != "portable" {
		t.Errorf("engine %q, want portable", engine)
	}
	if engine := compile(t, blake3.WithWASM(rustblake3.WASM)).Engine(); engine != "interpreter" {
		t.Errorf("engine %q, want interpreter", engine)
	}
}

// Lengths go on beyond 32 bits where int has no more.
func TestAcross4GiB(t *testing.T) {
	state, _ := blake3.New().MarshalBinary()
	const length = 1<<32 - 1048
	state[5] = 21 // the ones of its chunks, 1<<22 - 2
	binary.LittleEndian.PutUint16(state[6:], 1000)
	binary.LittleEndian.PutUint64(state[8:], length)
	copy(state[48+1024:], pattern(21*32))
	input := pattern(1<<20 + 5000)
	after := func(m *blake3.Module, f func(*blake3.Hasher)) string {
		h := m.New()
		if err := h.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		f(h)
		again, _ := h.MarshalBinary()
		return string(h.Sum(again))
	}
	write := func(n int) func(*blake3.Hasher) { return func(h *blake3.Hasher) { h.Write(input[:n]) } }
	modules := engines(t)
	want := after(modules["interpreter"], write(6000))
	for engine, m := range modules {
		if after(m, write(6000)) != want {
			t.Errorf("the %s and the interpreter differ", engine)
		}
	}
	for engine, m := range fast(t) {
		got := after(m, func(h *blake3.Hasher) {
			if err := h.UpdateReaderAt(t.Context(), bytes.NewReader(input), int64(len(input)), blake3.WithParallelism(2)); err != nil {
				t.Fatal(err)
			}
		})
		if got != after(m, write(len(input))) {
			t.Errorf("%s: on two goroutines it differs", engine)
		}
	}
}

// Any parallelism will do, also one whose multiples don't fit in an int.
func TestMostParallelism(t *testing.T) {
	input := pattern(1 << 20)
	want := blake3.Sum256(input)
	for _, n := range []int{1 << 20, 1 << 30, math.MaxInt/4 + 1, math.MaxInt} {
		if got, err := blake3.SumReaderAt(t.Context(), bytes.NewReader(input), int64(len(input)), blake3.WithParallelism(n)); got != want || err != nil {
			t.Errorf("SumReaderAt on %d goroutines: %x, %v, want %x", n, got, err, want)
		}
		if got, err := blake3.SumReader(t.Context(), bytes.NewReader(input), blake3.WithParallelism(n)); got != want || err != nil {
			t.Errorf("SumReader on %d goroutines: %x, %v, want %x", n, got, err, want)
		}
	}
}
