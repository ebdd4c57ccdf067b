package blake3_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	zeebo "github.com/zeebo/blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

// BenchmarkHash is one digest of the whole input, warm, by each implementation in turn at each size. tools/bench runs it.
func BenchmarkHash(b *testing.B) {
	compiled, interpreted := compile(b), compile(b, blake3.WithInterpreter())
	if compiled.Engine() != "compiler" {
		b.Fatalf("the engine is the %s: there is nothing to measure as wasm", compiled.Engine())
	}
	implementations := []struct {
		name string
		hash func([]byte) [32]byte
		most int // bytes
	}{
		{"zeebo", zeebo.Sum256, 16 << 20},
		{"wasm", compiled.Sum256, 16 << 20},
		{"wasm-interpreter", interpreted.Sum256, 64 << 10},
	}
	for _, n := range []int{0, 64, 1 << 10, 3 << 10, 4 << 10, 64 << 10, 1 << 20, 16 << 20} {
		input := pattern(n)
		// Each is checked against the one that it does not share code with.
		byZeebo, byWASM := zeebo.Sum256(input), compiled.Sum256(input)
		for _, implementation := range implementations {
			if n > implementation.most {
				continue
			}
			b.Run(fmt.Sprintf("platform=go/impl=%s/bytes=%d", implementation.name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				want := byZeebo
				if implementation.name == "zeebo" {
					want = byWASM
				}
				var got [32]byte
				for b.Loop() {
					got = implementation.hash(input)
				}
				if got != want {
					b.Fatalf("digest %x, want %x", got, want)
				}
			})
		}
	}
}

// BenchmarkReaderAt is one digest of an input in memory by one goroutine, by two, and so on up to GOMAXPROCS.
func BenchmarkReaderAt(b *testing.B) {
	m := compile(b)
	for _, n := range []int{128 << 10, 512 << 10, 16 << 20, 1 << 30} {
		input := bytes.Repeat(pattern(251*1024), n/(251*1024)+1)[:n]
		want := zeebo.Sum256(input)
		for cores := 1; cores <= runtime.GOMAXPROCS(0); cores++ {
			b.Run(fmt.Sprintf("platform=go/impl=wasm/cores=%d/bytes=%d", cores, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					got, err := m.SumReaderAt(b.Context(), bytes.NewReader(input), int64(n), blake3.WithParallelism(cores))
					if got != want || err != nil {
						b.Fatalf("digest %x, %v, want %x", got, err, want)
					}
				}
			})
		}
	}
}

// BenchmarkConcurrent is digests of 1 KiB by one goroutine for each core, and by many more.
func BenchmarkConcurrent(b *testing.B) {
	m, input := compile(b), pattern(1<<10)
	want := zeebo.Sum256(input)
	for _, goroutines := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("platform=go/impl=wasm/goroutines-for-each-core=%d/bytes=1024", goroutines), func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.SetParallelism(goroutines)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if got := m.Sum256(input); got != want {
						b.Errorf("digest %x, want %x", got, want)
					}
				}
			})
		})
	}
}
