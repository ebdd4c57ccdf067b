package blake3_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	zeebo "github.com/zeebo/blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

func TestHasherReuse(t *testing.T) {
	for engine, m := range fast(t) {
		t.Run(engine, func(t *testing.T) {
			input := pattern(10_000)
			for _, mode := range modes {
				h := mode.hasher(m)
				if h.Size() != 32 || h.BlockSize() != 64 {
					t.Fatalf("size %d, block size %d", h.Size(), h.BlockSize())
				}
				h.Write(input[:5000])
				first := h.Sum(nil)
				if got := h.Sum([]byte("before")); string(got) != "before"+string(first) {
					t.Errorf("%s: Sum does not append", mode.name)
				}
				clone, err := h.Clone()
				if err != nil {
					t.Fatal(err)
				}
				h.Write(input[5000:])
				if got, want := h.Sum(nil), mode.want(input, 32); !bytes.Equal(got, want) {
					t.Errorf("%s: after Sum and Clone %x, want %x", mode.name, got, want)
				}
				if got := clone.Sum(nil); !bytes.Equal(got, first) {
					t.Errorf("%s: the clone gives %x, want %x", mode.name, got, first)
				}
				clone.Write([]byte("x"))
				if got, want := clone.Sum(nil), mode.want(append(bytes.Clone(input[:5000]), 'x'), 32); !bytes.Equal(got, want) {
					t.Errorf("%s: the clone goes on to %x, want %x", mode.name, got, want)
				}
				h.Reset()
				h.Write(input[:5000])
				if got := h.Sum(nil); !bytes.Equal(got, first) {
					t.Errorf("%s: after Reset %x, want %x", mode.name, got, first)
				}
			}
		})
	}
}

// The digest may go where the input came from.
func TestAliasing(t *testing.T) {
	buf := pattern(2000)
	want := zeebo.Sum256(buf)
	h := blake3.New()
	h.Write(buf)
	if got := h.Sum(buf[:0]); !bytes.Equal(got, want[:]) || &got[0] != &buf[0] {
		t.Errorf("%x, want %x in place", got, want)
	}
	key := bytes.Clone(vectorKey)
	wantKey := modes[2].want(key, 32)
	blake3.DeriveKey(vectorContext, key, key)
	if !bytes.Equal(key, wantKey) {
		t.Errorf("%x, want %x", key, wantKey)
	}
	keyed, err := blake3.NewKeyed(key)
	if err != nil {
		t.Fatal(err)
	}
	clear(key) // it was copied
	zeeboKeyed, _ := zeebo.NewKeyed(wantKey)
	if got, want := keyed.Sum(nil), zeeboKeyed.Sum(nil); !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

func TestManyHashers(t *testing.T) {
	for engine, m := range fast(t) {
		t.Run(engine, func(t *testing.T) {
			input := pattern(4000)
			hashers := make([]*blake3.Hasher, 1000)
			for i := range hashers {
				hashers[i] = modes[i%3].hasher(m)
			}
			for at := 0; at < len(input); at += 500 {
				for i, h := range hashers {
					h.Write(input[at : at+500-i%3])
				}
			}
			for i, h := range hashers {
				z := modes[i%3].zeebo()
				for at := 0; at < len(input); at += 500 {
					z.Write(input[at : at+500-i%3])
				}
				if got, want := h.Sum(nil), z.Sum(nil); !bytes.Equal(got, want) {
					t.Fatalf("hasher %d: %x, want %x", i, got, want)
				}
			}
		})
	}
}

func TestOutput(t *testing.T) {
	for engine, m := range fast(t) {
		t.Run(engine, func(t *testing.T) {
			for _, mode := range modes {
				for _, n := range []int{0, 100, 5000} {
					h := mode.hasher(m)
					h.Write(pattern(n))
					r := h.XOF()
					h.Write([]byte("later"))
					z := mode.zeebo()
					z.Write(pattern(n))
					d := z.Digest()
					for _, size := range []int{1, 31, 63, 64, 65, 1000, 100_000} {
						got, want := make([]byte, size), make([]byte, size)
						if k, err := r.Read(got); k != size || err != nil {
							t.Fatalf("read %d: %d, %v", size, k, err)
						}
						d.Read(want)
						if !bytes.Equal(got, want) {
							t.Fatalf("%s of %d bytes: %d bytes of output differ", mode.name, n, size)
						}
					}
					for _, position := range []uint64{0, 1, 63, 64, 1 << 32, 1<<38 - 100, 1<<53 + 1, math.MaxInt64 - 100} {
						got, want := make([]byte, 100), make([]byte, 100)
						if at, err := r.Seek(int64(position), io.SeekStart); uint64(at) != position || err != nil {
							t.Fatalf("seek to %d: %d, %v", position, at, err)
						}
						r.Read(got)
						d.Seek(int64(position), io.SeekStart)
						d.Read(want)
						if !bytes.Equal(got, want) {
							t.Errorf("%s of %d bytes: output at %d differs", mode.name, n, position)
						}
					}
					// Where only SetPosition goes, to the end, which is one byte short of a block.
					for _, position := range []uint64{1 << 53, 1<<63 - 64, 1 << 63, 1<<63 + 1<<40, math.MaxUint64 - 63 - 6400, math.MaxUint64 - 63} {
						d := z.Digest()
						seekBlock(d, position/64)
						want := make([]byte, min(6400, math.MaxUint64-position))
						d.Read(want)
						r.SetPosition(position)
						got := make([]byte, len(want))
						if k, err := r.Read(got); k != len(got) || err != nil {
							t.Fatalf("read %d at %d: %d, %v", len(got), position, k, err)
						}
						if !bytes.Equal(got, want) {
							t.Errorf("%s of %d bytes: output at %d differs", mode.name, n, position)
						}
					}
				}
			}
		})
	}
}

// seekBlock moves a new digest to a block. Its Seek knows positions up to 2^63 - 1 only.
func seekBlock(d *zeebo.Digest, block uint64) {
	*(*uint64)(unsafe.Pointer(reflect.ValueOf(d).Elem().FieldByName("counter").UnsafeAddr())) = block
}

func TestOutputEnds(t *testing.T) {
	r := blake3.New().XOF()
	r.SetPosition(math.MaxUint64 - 10)
	got := make([]byte, 100)
	if n, err := r.Read(got); n != 10 || err != nil {
		t.Fatalf("%d, %v, want 10 bytes", n, err)
	}
	if n, err := r.Read(got); n != 0 || err != io.EOF {
		t.Fatalf("%d, %v, want EOF", n, err)
	}
	r.SetPosition(math.MaxUint64 - 10 - 50)
	all := make([]byte, 60)
	r.Read(all)
	if !bytes.Equal(all[50:], got[:10]) {
		t.Error("the last bytes depend on where reading began")
	}
	r.SetPosition(5)
	for _, bad := range []struct {
		offset int64
		whence int
	}{{-1, io.SeekStart}, {-6, io.SeekCurrent}, {-1, io.SeekEnd}, {1, io.SeekEnd}, {math.MaxInt64, io.SeekCurrent}, {0, 3}} {
		if _, err := r.Seek(bad.offset, bad.whence); err == nil {
			t.Errorf("seek %d from %d: no error", bad.offset, bad.whence)
		}
	}
	if at, err := r.Seek(-2, io.SeekCurrent); at != 3 || err != nil {
		t.Errorf("%d, %v: an error moved the reader, or seek back fails", at, err)
	}
	if at, err := r.Seek(math.MinInt64, io.SeekEnd); at != math.MaxInt64 || err != nil {
		t.Errorf("%d, %v", at, err)
	}
	if n, err := r.Read(nil); n != 0 || err != nil {
		t.Errorf("empty read: %d, %v", n, err)
	}
}

func TestKeysAndContexts(t *testing.T) {
	for _, key := range [][]byte{nil, {}, make([]byte, 31), make([]byte, 33), make([]byte, 64)} {
		says := fmt.Sprintf("key has %d bytes, want 32", len(key))
		if sum, err := blake3.SumKeyed(key, nil); err == nil || !strings.Contains(err.Error(), says) || sum != [32]byte{} {
			t.Errorf("SumKeyed: %x, %v, want an error with %q", sum, err, says)
		}
		if h, err := blake3.NewKeyed(key); err == nil || !strings.Contains(err.Error(), says) || h != nil {
			t.Errorf("NewKeyed: %v, want an error with %q", err, says)
		}
	}
	for _, context := range []string{"", "a", "invalid \xff UTF-8", strings.Repeat("c", 64<<10), strings.Repeat("long ", 20_000)} {
		h := zeebo.NewDeriveKey(context)
		h.WriteString("material")
		got := make([]byte, 32)
		blake3.DeriveKey(context, []byte("material"), got)
		if want := h.Sum(nil); !bytes.Equal(got, want) {
			t.Errorf("context of %d bytes: %x, want %x", len(context), got, want)
		}
	}
	m, context := compile(t), strings.Repeat("long ", 20_000)
	for range 1000 { // more than the memory of an instance may grow to, if it were not freed
		m.NewDeriveKey(context)
	}
	long := make([]byte, 200_000)
	for _, n := range []int{10, 100_000} {
		blake3.DeriveKey(vectorContext, pattern(n), long)
		if !bytes.Equal(long, modes[2].want(pattern(n), len(long))) {
			t.Errorf("a long key from %d bytes of material differs", n)
		}
	}
}

// The functions of the package are those of a Module, and take their turns on the same one.
func TestDefaultModule(t *testing.T) {
	input := pattern(5000)
	want := make([][]byte, 3)
	for i, mode := range modes {
		want[i] = mode.want(input, 64)
	}
	sum256, sum512 := blake3.Sum256(input), blake3.Sum512(input)
	mac, err := blake3.SumKeyed(vectorKey, input)
	if err != nil {
		t.Fatal(err)
	}
	key := make([]byte, 64)
	blake3.DeriveKey(vectorContext, input, key)
	keyed, err := blake3.NewKeyed(vectorKey)
	if err != nil {
		t.Fatal(err)
	}
	hashers := []*blake3.Hasher{blake3.New(), keyed, blake3.NewDeriveKey(vectorContext)}
	for i, got := range [][][]byte{{sum256[:], sum512[:]}, {mac[:]}, {key}} {
		hashers[i].Write(input)
		for _, got := range append(got, hashers[i].Sum(nil)) {
			if !bytes.Equal(got, want[i][:len(got)]) {
				t.Errorf("%s: %x, want %x", modes[i].name, got, want[i][:len(got)])
			}
		}
	}
}
