package blake3_test

import (
	"bytes"
	"io"
	"math"
	"testing"

	"lukechampine.com/blake3"

	polyglot "github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

// independent returns n bytes of output from a position, on which zeebo's and lukechampine's implementations must agree. Mode 1 has vectorKey, mode
// 2 vectorContext.
func independent(t *testing.T, mode int, input []byte, position uint64, n int) []byte {
	t.Helper()
	z := modes[mode].zeebo()
	z.Write(input)
	want := make([]byte, n)
	digest := z.Digest()
	if _, err := digest.Seek(int64(position), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	digest.Read(want)
	if mode < 2 {
		h := blake3.New(32, [][]byte{nil, vectorKey}[mode])
		h.Write(input)
		xof, skip := h.XOF(), position%1024 // its Seek is right at multiples of 1024 only
		if _, err := xof.Seek(int64(position-skip), io.SeekStart); err != nil {
			t.Fatal(err)
		}
		other := make([]byte, skip+uint64(n))
		if _, err := io.ReadFull(xof, other); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, other[skip:]) {
			t.Fatalf("the two other implementations differ: %.32x, %.32x", want, other[skip:])
		}
	} else if position == 0 {
		other := make([]byte, n)
		blake3.DeriveKey(other, vectorContext, input)
		if !bytes.Equal(want, other) {
			t.Fatalf("the two other implementations differ: %.32x, %.32x", want, other)
		}
	}
	return want
}

// repeated makes an input of up to 4 MiB of a pattern.
func repeated(seed []byte, length uint32) []byte {
	length %= 4<<20 + 1
	if len(seed) == 0 {
		seed = []byte{0}
	}
	return bytes.Repeat(seed, int(length)/len(seed)+1)[:length]
}

// FuzzSplits writes an input in parts, by every way to append, on each fast engine.
func FuzzSplits(f *testing.F) {
	f.Add([]byte("seed"), uint32(300_000), byte(0), []byte{1, 64, 255, 0, 17})
	f.Add([]byte{}, uint32(0), byte(1), []byte{})
	f.Add([]byte{1, 2, 3}, uint32(1<<20+1), byte(2), []byte{250, 250, 3})
	modules := fast(f)
	f.Fuzz(func(t *testing.T, seed []byte, length uint32, mode byte, splits []byte) {
		mode %= 3
		input := repeated(seed, length)
		want := independent(t, int(mode), input, 0, 100)
		for engine, m := range modules {
			h := modes[mode].hasher(m)
			rest := input
			for _, split := range splits {
				n := min(len(rest), int(split)*int(split)*int(split)/8)
				part := rest[:n]
				rest = rest[n:]
				var err error
				switch split % 5 {
				case 0:
					h.WriteString(string(part))
				case 1:
					_, err = h.ReadFrom(bytes.NewReader(part))
				case 2:
					err = h.UpdateReaderAt(t.Context(), bytes.NewReader(part), int64(n), polyglot.WithParallelism(1+int(split)/64))
				default:
					h.Write(part)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			h.Write(rest)
			got := make([]byte, len(want))
			h.XOF().Read(got)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %x, want %x", engine, got, want)
			}
		}
	})
}

// FuzzMarshal interrupts hashing by a state that another engine resumes.
func FuzzMarshal(f *testing.F) {
	f.Add([]byte("seed"), uint32(100_000), uint32(99_000), byte(0))
	f.Add([]byte("seed"), uint32(4096), uint32(2048), byte(1))
	f.Add([]byte{}, uint32(1), uint32(0), byte(2))
	modules := fast(f)
	f.Fuzz(func(t *testing.T, seed []byte, length, cut uint32, mode byte) {
		mode %= 3
		input := repeated(seed, length)
		cut = min(cut, uint32(len(input)))
		want := independent(t, int(mode), input, 0, 32)
		for from, m := range modules {
			for to, other := range modules {
				h := modes[mode].hasher(m)
				h.Write(input[:cut])
				state, _ := h.MarshalBinary()
				resumed := other.New()
				if err := resumed.UnmarshalBinary(state); err != nil {
					t.Fatal(err)
				}
				resumed.Write(input[cut:])
				if got := resumed.Sum(nil); !bytes.Equal(got, want) {
					t.Errorf("%s to %s: %x, want %x", from, to, got, want)
				}
			}
		}
	})
}

// FuzzUnmarshal takes any bytes for a state: an error, or a hasher that the engines agree on.
func FuzzUnmarshal(f *testing.F) {
	for _, n := range []int{0, 1, 1024, 2048, 5000, 100_000} {
		for _, mode := range modes {
			h := mode.hasher(compile(f))
			h.Write(pattern(n))
			state, _ := h.MarshalBinary()
			f.Add(state)
		}
	}
	f.Add([]byte("b3p"))
	modules := fast(f)
	rust := modules["compiler"]
	if rust == nil {
		rust = engines(f)["interpreter"]
	}
	f.Fuzz(func(t *testing.T, state []byte) {
		var first []byte
		for engine, m := range modules {
			h := m.New()
			err := h.UnmarshalBinary(state)
			if again, _ := h.MarshalBinary(); (err == nil) != bytes.Equal(again, state) {
				t.Fatalf("%v, and the state is %x", err, again)
			}
			if err != nil {
				continue
			}
			got := h.Sum(nil)
			func() {
				defer func() { recover() }() // at the length's end
				h.Write(make([]byte, 3000))
			}()
			got = h.Sum(got)
			if first == nil {
				first = got
			}
			if !bytes.Equal(got, first) {
				t.Errorf("%s: %x, another engine gives %x", engine, got, first)
			}
			if byGo, byRust := polyglot.CheckState(rust, state); byGo != nil || !byRust {
				t.Errorf("%v, %v", byGo, byRust)
			}
		}
	})
}

// FuzzSeek reads output anywhere.
func FuzzSeek(f *testing.F) {
	f.Add([]byte("seed"), uint32(1000), byte(0), uint64(0), uint16(131))
	f.Add([]byte("seed"), uint32(0), byte(1), uint64(1)<<38-100, uint16(3000))
	f.Add([]byte("seed"), uint32(5000), byte(2), uint64(math.MaxInt64)-5000, uint16(5000))
	modules := fast(f)
	f.Fuzz(func(t *testing.T, seed []byte, length uint32, mode byte, position uint64, n uint16) {
		mode %= 3
		input := repeated(seed, length%10_000)
		position = min(position, math.MaxInt64-math.MaxUint16) // where the others can seek
		want := independent(t, int(mode), input, position, int(n))
		for engine, m := range modules {
			h := modes[mode].hasher(m)
			h.Write(input)
			r := h.XOF()
			if _, err := r.Seek(int64(position), io.SeekStart); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, n)
			r.Read(got)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: output at %d differs", engine, position)
			}
		}
	})
}
