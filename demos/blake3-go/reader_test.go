package blake3_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	zeebo "github.com/zeebo/blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

const kib = 1 << 10

// Sizes around the parts, and behind each other.
var readSizes = []int{0, 1, 1023, 64 * kib, 128*kib - 1, 128 * kib, 128*kib + 1, 192 * kib, 300_000, 512 * kib, 1<<20 - 1, 1 << 20, 1<<20 + 1, 2<<20 + 64*kib + 5}

func TestUpdateReaderAt(t *testing.T) {
	input := pattern(4 << 20)
	random := rand.New(rand.NewPCG(3, 4))
	for engine, m := range fast(t) {
		for _, mode := range modes {
			for _, size := range readSizes {
				for _, before := range []int{0, 1, 1024, 64 * kib, 256*kib - 1, 256 * kib, 256*kib + 1, random.IntN(1 << 20)} {
					h := mode.hasher(m)
					h.Write(input[:before])
					parallelism := 1 + random.IntN(5)
					err := h.UpdateReaderAt(t.Context(), bytes.NewReader(input[before:before+size+random.IntN(2)]), int64(size), blake3.WithParallelism(parallelism))
					if err != nil {
						t.Fatal(err)
					}
					h.Write([]byte("after"))
					want := mode.want(append(bytes.Clone(input[:before+size]), "after"...), 32)
					if got := h.Sum(nil); !bytes.Equal(got, want) {
						t.Fatalf("%s, %s: %d bytes after %d by %d: %x, want %x", engine, mode.name, size, before, parallelism, got, want)
					}
				}
			}
		}
	}
}

func TestSumReaders(t *testing.T) {
	input := pattern(4 << 20)
	dir := t.TempDir()
	for engine, m := range fast(t) {
		for _, size := range readSizes {
			for _, options := range [][]blake3.Option{nil, {blake3.WithParallelism(1)}, {blake3.WithParallelism(3)}} {
				want := zeebo.Sum256(input[:size])
				path := filepath.Join(dir, "file")
				if err := os.WriteFile(path, input[:size], 0o600); err != nil {
					t.Fatal(err)
				}
				for name, sum := range map[string]func() ([32]byte, error){
					"SumReaderAt": func() ([32]byte, error) {
						return m.SumReaderAt(t.Context(), bytes.NewReader(input), int64(size), options...)
					},
					"SumFile":   func() ([32]byte, error) { return m.SumFile(t.Context(), path, options...) },
					"SumReader": func() ([32]byte, error) { return m.SumReader(t.Context(), bytes.NewReader(input[:size]), options...) },
					"SumReader, by half": func() ([32]byte, error) {
						return m.SumReader(t.Context(), iotest.HalfReader(bytes.NewReader(input[:size])), options...)
					},
					"SumReader, error with data": func() ([32]byte, error) {
						return m.SumReader(t.Context(), iotest.DataErrReader(bytes.NewReader(input[:size])), options...)
					},
				} {
					if got, err := sum(); got != want || err != nil {
						t.Errorf("%s, %s of %d bytes: %x, %v, want %x", engine, name, size, got, err, want)
					}
				}
			}
		}
	}
}

func TestProgress(t *testing.T) {
	input := pattern(2<<20 + 5)
	check := func(name string, total int64, sum func(blake3.Option) error) {
		var calls []int64
		if err := sum(blake3.WithProgress(func(done, of int64) {
			if of != total {
				t.Errorf("%s: total %d, want %d", name, of, total)
			}
			calls = append(calls, done)
		})); err != nil {
			t.Fatal(err)
		}
		if len(calls) < 8 || !slices.IsSorted(calls) || calls[len(calls)-1] != int64(len(input)) {
			t.Errorf("%s: progress %d, want growing numbers up to %d", name, calls, len(input))
		}
	}
	for _, n := range []int{1, 2} {
		check("SumReaderAt", int64(len(input)), func(progress blake3.Option) error {
			_, err := blake3.SumReaderAt(t.Context(), bytes.NewReader(input), int64(len(input)), progress, blake3.WithParallelism(n))
			return err
		})
		check("SumReader", -1, func(progress blake3.Option) error {
			_, err := blake3.SumReader(t.Context(), bytes.NewReader(input), progress, blake3.WithParallelism(n))
			return err
		})
	}
}

// readerFunc is an io.ReaderAt, and by its own offset an io.Reader.
type readerFunc func(p []byte, at int64) (int, error)

func (f readerFunc) ReadAt(p []byte, at int64) (int, error) { return f(p, at) }

type sequential struct {
	io.ReaderAt
	at int64
}

func (s *sequential) Read(p []byte) (int, error) {
	n, err := s.ReadAt(p, s.at)
	s.at += int64(n)
	return n, err
}

// Every failure names the offset, leaves the hasher as it was, and gives no digest.
func TestFailingReaders(t *testing.T) {
	broken := errors.New("broken")
	input := pattern(1 << 20)
	size := int64(len(input))
	before := runtime.NumGoroutine()
	for engine, m := range fast(t) {
		for _, n := range []int{1, 2, 5} {
			for _, at := range []int64{0, 1, 65535, 65536, 300_000, size - 1} {
				failing := func(err error) readerFunc {
					return func(p []byte, from int64) (int, error) {
						if from > at {
							return 0, err // of a later part: the first is what counts
						}
						n := copy(p, input[from:])
						if from+int64(n) > at {
							return int(at - from), err
						}
						return n, nil
					}
				}
				for _, c := range []struct {
					err, want error
				}{{broken, broken}, {io.EOF, io.ErrUnexpectedEOF}, {nil, io.ErrNoProgress}, {io.ErrUnexpectedEOF, io.ErrUnexpectedEOF}} {
					h := m.New()
					h.WriteString("before")
					want := h.Sum(nil)
					err := h.UpdateReaderAt(t.Context(), failing(c.err), size, blake3.WithParallelism(n))
					says := fmt.Sprintf("offset %d:", at)
					if !errors.Is(err, c.want) || !strings.Contains(err.Error(), says) {
						t.Errorf("%s, UpdateReaderAt: %v, want %v with %q", engine, err, c.want, says)
					}
					if got := h.Sum(nil); !bytes.Equal(got, want) {
						t.Errorf("%s: the error changed the hasher", engine)
					}
					if c.err == io.EOF {
						continue // a reader may end anywhere
					}
					sum, err := m.SumReader(t.Context(), &sequential{failing(c.err), 0}, blake3.WithParallelism(n))
					if !errors.Is(err, c.want) || !strings.Contains(err.Error(), says) || sum != [32]byte{} {
						t.Errorf("%s, SumReader: %x, %v, want %v with %q", engine, sum, err, c.want, says)
					}
					h = m.New()
					read, err := h.ReadFrom(&sequential{failing(c.err), 0})
					if !errors.Is(err, c.want) || !strings.Contains(err.Error(), says) || read != at {
						t.Errorf("%s, ReadFrom: %d, %v, want %d, %v with %q", engine, read, err, at, c.want, says)
					}
					if got, want := h.Sum(nil), zeebo.Sum256(input[:at]); !bytes.Equal(got, want[:]) {
						t.Errorf("%s, ReadFrom: what came before the error was not appended", engine)
					}
				}
			}
			for _, count := range []int{-1, math.MaxInt} {
				liar := readerFunc(func([]byte, int64) (int, error) { return count, nil })
				h := m.New()
				errs := []error{h.UpdateReaderAt(t.Context(), liar, size, blake3.WithParallelism(n))}
				_, err := m.SumReader(t.Context(), &sequential{liar, 0}, blake3.WithParallelism(n))
				errs = append(errs, err)
				_, err = h.ReadFrom(&sequential{liar, 0})
				for _, err := range append(errs, err) {
					if err == nil || !strings.Contains(err.Error(), fmt.Sprint("says that it read ", count)) {
						t.Errorf("%s: %v for a count of %d", engine, err, count)
					}
				}
			}
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left, there were %d", runtime.NumGoroutine(), before)
}

func TestReadArguments(t *testing.T) {
	for _, c := range []struct {
		says string
		err  func() error
	}{
		{"reader is nil", func() error { _, err := blake3.SumReader(t.Context(), nil); return err }},
		{"reader is nil", func() error { _, err := blake3.SumReaderAt(t.Context(), nil, 0); return err }},
		{"reader is nil", func() error { _, err := blake3.New().ReadFrom(nil); return err }},
		{"size is -1", func() error { _, err := blake3.SumReaderAt(t.Context(), bytes.NewReader(nil), -1); return err }},
		{"WithParallelism(0)", func() error {
			_, err := blake3.SumReader(t.Context(), bytes.NewReader(nil), blake3.WithParallelism(0))
			return err
		}},
		{"no such file", func() error { _, err := blake3.SumFile(t.Context(), filepath.Join(t.TempDir(), "none")); return err }},
		{"directory", func() error { _, err := blake3.SumFile(t.Context(), t.TempDir()); return err }},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error with %q", err, c.says)
		}
	}
}

func TestCancel(t *testing.T) {
	input := pattern(1 << 20)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{1, 3} {
		for name, sum := range map[string]func(context.Context, blake3.Option) ([32]byte, error){
			"SumReaderAt": func(ctx context.Context, o blake3.Option) ([32]byte, error) {
				return blake3.SumReaderAt(ctx, bytes.NewReader(input), 1<<20, o, blake3.WithParallelism(n))
			},
			"SumReader": func(ctx context.Context, o blake3.Option) ([32]byte, error) {
				return blake3.SumReader(ctx, bytes.NewReader(input), o, blake3.WithParallelism(n))
			},
		} {
			sum256, err := sum(cancelled, blake3.WithProgress(func(int64, int64) { t.Error("progress after cancelling") }))
			if !errors.Is(err, context.Canceled) || sum256 != [32]byte{} {
				t.Errorf("%s: %x, %v, want context.Canceled", name, sum256, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			sum256, err = sum(ctx, blake3.WithProgress(func(done, _ int64) { cancel() }))
			if !errors.Is(err, context.Canceled) || sum256 != [32]byte{} || !strings.Contains(err.Error(), "offset") {
				t.Errorf("%s: %x, %v, want context.Canceled with an offset", name, sum256, err)
			}
		}
	}
}

// A panic of the reader or of the progress function is the caller's, and a goroutine that ends is an error.
func TestPanickingReaders(t *testing.T) {
	recovered := func(f func()) (value any) {
		defer func() { value = recover() }()
		f()
		return nil
	}
	for engine, m := range fast(t) {
		h := modes[1].hasher(m)
		want := h.Sum(nil)
		panicking := readerFunc(func(p []byte, at int64) (int, error) {
			if at > 300_000 {
				panic("of the reader")
			}
			return len(p), nil
		})
		for _, n := range []int{1, 2} {
			for _, f := range []func(){
				func() { h.UpdateReaderAt(t.Context(), panicking, 1<<20, blake3.WithParallelism(n)) },
				func() { m.SumReader(t.Context(), &sequential{panicking, 0}, blake3.WithParallelism(n)) },
				func() { h.ReadFrom(&sequential{panicking, 0}) },
			} {
				if value := recovered(f); value != "of the reader" {
					t.Errorf("%s: panic with %v", engine, value)
				}
			}
			if value := recovered(func() {
				m.SumReader(t.Context(), bytes.NewReader(pattern(1<<20)), blake3.WithParallelism(n), blake3.WithProgress(func(int64, int64) { panic("of progress") }))
			}); value != "of progress" {
				t.Errorf("%s: panic with %v", engine, value)
			}
		}
		if got := h.Sum(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: a panic changed the hasher", engine)
		}
		// A reader that ends its goroutine ends the caller, if it is that one, as it does in any function; else it is an error.
		ending := readerFunc(func([]byte, int64) (int, error) { runtime.Goexit(); return 0, nil })
		for _, n := range []int{1, 2, 3} {
			for range 20 {
				var err error
				ended := make(chan bool)
				go func() {
					defer close(ended)
					err = h.UpdateReaderAt(t.Context(), ending, 1<<20, blake3.WithParallelism(n))
					if err == nil {
						t.Errorf("%s: no error for a reader that ends its goroutine", engine)
					}
				}()
				<-ended
				if err != nil && !strings.Contains(err.Error(), "ended the goroutine") {
					t.Errorf("%s: %v for a reader that ends its goroutine", engine, err)
				}
			}
		}
	}
}

// A file that becomes shorter or longer while it is read is an error.
func TestChangingFiles(t *testing.T) {
	for _, n := range []int{1, 2} {
		path := filepath.Join(t.TempDir(), "file")
		sum := func(change func()) ([32]byte, error) {
			if err := os.WriteFile(path, pattern(2<<20), 0o600); err != nil {
				t.Fatal(err)
			}
			var changed atomic.Bool
			return blake3.SumFile(t.Context(), path, blake3.WithParallelism(n), blake3.WithProgress(func(int64, int64) {
				if !changed.Swap(true) {
					change()
				}
			}))
		}
		got, err := sum(func() { os.Truncate(path, 1_900_000) })
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "offset 1900000") || !strings.Contains(err.Error(), path) || got != [32]byte{} {
			t.Errorf("shrinking: %x, %v", got, err)
		}
		got, err = sum(func() { os.Truncate(path, 2<<20+1) })
		if err == nil || !strings.Contains(err.Error(), "grew") || !strings.Contains(err.Error(), "offset 2097152") || got != [32]byte{} {
			t.Errorf("growing: %x, %v", got, err)
		}
	}
}

func TestReadFrom(t *testing.T) {
	input := pattern(300_000)
	for engine, m := range engines(t) {
		if engine == "interpreter" {
			input = input[:2000]
		}
		for _, mode := range modes {
			for _, before := range []int{0, 1, 1024, min(len(input), 65_000)} {
				for _, size := range []int{0, 1, 64, len(input) - before} {
					for name, wrap := range map[string]func(io.Reader) io.Reader{
						"at once": func(r io.Reader) io.Reader { return r }, "by half": iotest.HalfReader, "error with data": iotest.DataErrReader,
					} {
						h := mode.hasher(m)
						h.Write(input[:before])
						n, err := h.ReadFrom(wrap(bytes.NewReader(input[before : before+size])))
						if n != int64(size) || err != nil {
							t.Fatalf("%s: %d, %v, want %d", engine, n, err, size)
						}
						h.WriteString("after")
						want := mode.want(append(bytes.Clone(input[:before+size]), "after"...), 32)
						if got := h.Sum(nil); !bytes.Equal(got, want) {
							t.Errorf("%s, %s, %s: %d bytes after %d: %x, want %x", engine, mode.name, name, size, before, got, want)
						}
					}
				}
			}
		}
	}
}

// A Module can be closed while a reader has the word, and the reader can use it.
func TestReadFromOfBusyReaders(t *testing.T) {
	for engine, m := range engines(t) {
		h := m.New()
		want := [32]byte(h.Sum(nil))
		nested := &sequential{readerFunc(func(p []byte, at int64) (int, error) {
			if got := m.Sum256(nil); got != want {
				t.Errorf("%s: nested %x, want %x", engine, got, want)
			}
			return copy(p, "x"), io.EOF
		}), 0}
		if n, err := h.ReadFrom(nested); n != 1 || err != nil {
			t.Errorf("%s: %d, %v", engine, n, err)
		}
		closing := &sequential{readerFunc(func(p []byte, at int64) (int, error) {
			return 2000, m.Close(t.Context())
		}), 0}
		if _, err := h.ReadFrom(closing); !errors.Is(err, blake3.ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", engine, err)
		}
		_, ofSum := m.SumReader(t.Context(), strings.NewReader("abc"))
		_, ofSumAt := m.SumReaderAt(t.Context(), bytes.NewReader(pattern(1<<20)), 1<<20)
		_, ofFile := m.SumFile(t.Context(), "reader_test.go")
		for _, err := range []error{ofSum, ofSumAt, ofFile, h.UpdateReaderAt(t.Context(), bytes.NewReader(pattern(1<<20)), 1<<20)} {
			if !errors.Is(err, blake3.ErrClosed) {
				t.Errorf("%s: %v, want ErrClosed", engine, err)
			}
		}
	}
}

// What a reader writes outside its call, or beyond its slice, spoils no state.
func TestReadersBeyondTheirContract(t *testing.T) {
	for engine, m := range fast(t) {
		h := m.New()
		n, err := h.ReadFrom(&sequential{readerFunc(func(p []byte, at int64) (int, error) {
			clear(p[:cap(p)])
			return copy(p, "abc"), io.EOF
		}), 0})
		if got, want := h.Sum(nil), zeebo.Sum256([]byte("abc")); !bytes.Equal(got, want[:]) || n != 3 || err != nil {
			t.Errorf("%s: %x, %d, %v, want %x", engine, got, n, err, want)
		}
		// A hasher with a deep stack leaves its state in the instance; a reader that uses the hasher must not let it show.
		deep := m.New()
		deep.Write(pattern(1<<20 - 1))
		h = m.New()
		h.ReadFrom(&sequential{readerFunc(func(p []byte, at int64) (int, error) {
			h.Write(pattern(65_535))
			return copy(p, "abc"), io.EOF
		}), 0})
		state, _ := h.MarshalBinary()
		if err := h.UnmarshalBinary(state); err != nil {
			t.Errorf("%s: %v", engine, err)
		}
	}
}
