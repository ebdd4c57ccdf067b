package blake3_test

import (
	"bytes"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	zeebo "github.com/zeebo/blake3"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

func skipUnlessLong(t *testing.T, what string) {
	t.Helper()
	if !*long {
		t.Skipf("NOT TESTED: %s. `nx test-long blake3-go` does it", what)
	}
}

// An input of over 4 GiB, where 32 bits end, by every way to read it.
func TestLongInput(t *testing.T) {
	skipUnlessLong(t, "inputs of over 4 GiB")
	const size = 4<<30 + 70_001
	path := filepath.Join(t.TempDir(), "sparse")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// Something at the start, on both sides of 4 GiB, and at the end.
	for _, at := range []int64{0, 1<<32 - 8, size - 8} {
		if _, err := file.WriteAt([]byte("not zero"), at); err != nil {
			t.Fatal(err)
		}
	}
	whole := func() io.Reader { return io.NewSectionReader(file, 0, size) }
	z := zeebo.New()
	if _, err := io.Copy(z, whole()); err != nil {
		t.Fatal(err)
	}
	want := [32]byte(z.Sum(nil))
	for engine, m := range fast(t) {
		for name, sum := range map[string]func() ([32]byte, error){
			"SumFile":   func() ([32]byte, error) { return m.SumFile(t.Context(), path) },
			"SumReader": func() ([32]byte, error) { return m.SumReader(t.Context(), whole()) },
			"ReadFrom": func() ([32]byte, error) {
				h := m.New()
				_, err := h.ReadFrom(whole())
				return [32]byte(h.Sum(nil)), err
			},
		} {
			if got, err := sum(); got != want || err != nil {
				t.Errorf("%s, %s: %x, %v, want %x", engine, name, got, err, want)
			}
		}
	}
}

// Ten million calls of all kinds from many goroutines leave memory as it was.
func TestSoak(t *testing.T) {
	skipUnlessLong(t, "memory after ten million calls")
	const calls, goroutines = 10_000_000, 32
	m := compile(t)
	input := pattern(3000)
	want := make([][32]byte, len(input))
	for n := range want {
		want[n] = zeebo.Sum256(input[:n])
	}
	resident := func() uint64 {
		for range 5 { // two empty the pool, and instances are freed some time after
			runtime.GC()
			time.Sleep(50 * time.Millisecond)
		}
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	run := func(calls int64) {
		var left atomic.Int64
		left.Store(calls)
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				random := rand.New(rand.NewPCG(9, uint64(g)))
				out := make([]byte, 300)
				h := m.New()
				for left.Add(-1) >= 0 {
					n := random.IntN(len(input))
					var got [32]byte
					switch random.IntN(8) {
					case 0:
						h.Reset()
						h.Write(input[:n/2])
						h.Write(input[n/2 : n])
						h.Sum(got[:0])
					case 1:
						h.Reset()
						h.Write(input[:n])
						h.XOF().Read(out)
						got = [32]byte(out)
					case 2:
						other, _ := m.NewKeyed(vectorKey)
						other.Write(input[:n])
						other.Sum(nil)
						got = want[n]
					case 3:
						var err error
						if got, err = m.SumReaderAt(t.Context(), bytes.NewReader(input), int64(n)); err != nil {
							t.Error(err)
						}
					case 4:
						state, _ := h.MarshalBinary()
						if err := h.UnmarshalBinary(state); err != nil {
							t.Error(err)
						}
						got = want[n]
					default:
						got = m.Sum256(input[:n])
					}
					if got != want[n] {
						t.Errorf("%d bytes: %x, want %x", n, got, want[n])
						return
					}
				}
			})
		}
		all.Wait()
	}
	run(calls / 10)
	before := resident()
	run(calls)
	if after := resident(); after > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}
