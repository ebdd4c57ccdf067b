package blake3_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

// A state made by any engine goes on in any other.
func TestMarshal(t *testing.T) {
	input := pattern(200_000)
	random := rand.New(rand.NewPCG(5, 6))
	modules := engines(t)
	for from, m := range modules {
		for to, other := range modules {
			for _, mode := range modes {
				for _, most := range []int{1, 1024, 1025, 2048, 9000, 200_000} {
					if (from == "interpreter" || to == "interpreter") && most > 9000 {
						continue
					}
					h := mode.hasher(m)
					n := 0
					for n < most/2 {
						k := 1 + random.IntN(most-n)
						h.Write(input[n : n+k])
						n += k
					}
					state, err := h.MarshalBinary()
					if err != nil || len(state) != 2800 {
						t.Fatalf("%d bytes, %v", len(state), err)
					}
					resumed := other.New()
					resumed.WriteString("forgotten")
					if err := resumed.UnmarshalBinary(state); err != nil {
						t.Fatal(err)
					}
					clear(state) // it was copied
					resumed.Write(input[n:most])
					if got, want := resumed.Sum(nil), mode.want(input[:most], 32); !bytes.Equal(got, want) {
						t.Errorf("%s to %s, %s: %d of %d bytes: %x, want %x", from, to, mode.name, n, most, got, want)
					}
					resumed.Reset()
					if got, want := resumed.Sum(nil), mode.want(nil, 32); !bytes.Equal(got, want) {
						t.Errorf("%s to %s, %s: after Reset the mode or key is another", from, to, mode.name)
					}
				}
			}
		}
	}
}

func TestAppendBinary(t *testing.T) {
	h := blake3.New()
	h.WriteString("abc")
	state, _ := h.MarshalBinary()
	if got, err := h.AppendBinary([]byte("before")); err != nil || string(got) != "before"+string(state) {
		t.Errorf("%q, %v", got, err)
	}
}

// A zero Hasher is a new one, whatever is called first.
func TestZeroHasher(t *testing.T) {
	abc := blake3.New()
	abc.WriteString("abc")
	state, _ := abc.MarshalBinary()
	for name, use := range map[string]func(*blake3.Hasher){
		"Write":            func(h *blake3.Hasher) { h.Write([]byte("abc")) },
		"WriteString":      func(h *blake3.Hasher) { h.WriteString("abc") },
		"ReadFrom":         func(h *blake3.Hasher) { h.ReadFrom(strings.NewReader("abc")) },
		"UpdateReaderAt":   func(h *blake3.Hasher) { h.UpdateReaderAt(t.Context(), strings.NewReader("abc"), 3) },
		"Reset":            func(h *blake3.Hasher) { h.Reset(); h.WriteString("abc") },
		"Sum":              func(h *blake3.Hasher) { h.Sum(nil); h.WriteString("abc") },
		"Clone":            func(h *blake3.Hasher) { clone, _ := h.Clone(); *h = *clone.(*blake3.Hasher); h.WriteString("abc") },
		"XOF":              func(h *blake3.Hasher) { h.XOF().Read(make([]byte, 1)); h.WriteString("abc") },
		"MarshalBinary":    func(h *blake3.Hasher) { b, _ := h.MarshalBinary(); h.UnmarshalBinary(b); h.WriteString("abc") },
		"UnmarshalBinary":  func(h *blake3.Hasher) { h.UnmarshalBinary(state) },
		"failed Unmarshal": func(h *blake3.Hasher) { h.UnmarshalBinary(nil); h.WriteString("abc") },
	} {
		var h blake3.Hasher
		use(&h)
		if got, want := h.Sum(nil), abc.Sum(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
}

// What is no state is an error that leaves the hasher as it was; this package and the artifact agree on what is one.
func TestUnmarshalInvalid(t *testing.T) {
	m := engines(t)["compiler"]
	if m == nil {
		m = engines(t)["interpreter"]
	}
	random := rand.New(rand.NewPCG(7, 8))
	valid, checks := 0, 0
	check := func(what string, data []byte) {
		if checks++; testing.Short() && checks%19 != 0 {
			return
		}
		h := modes[1].hasher(m)
		h.WriteString("before")
		before := h.Sum(nil)
		err := h.UnmarshalBinary(data)
		if err == nil {
			valid++
			h.Sum(nil)
			h.Write(make([]byte, 5000)) // must not trap
		} else if !bytes.Equal(h.Sum(nil), before) || !strings.HasPrefix(err.Error(), "blake3: unmarshal a hasher: the state ") {
			t.Errorf("%s: the error %v, or it changed the hasher", what, err)
		}
		if len(data) == 2800 {
			if byGo, byRust := blake3.CheckState(m, data); (byGo == nil) != byRust {
				t.Errorf("%s: this package says %v, the artifact %v: %x", what, byGo, byRust, data)
			}
		}
	}
	for _, mode := range modes {
		for _, n := range []int{0, 1, 1024, 1025, 2048, 2049, 4096, 7168, 8192, 100_000} {
			h := mode.hasher(m)
			h.Write(pattern(n))
			state, _ := h.MarshalBinary()
			check("a state", state)
			for _, cut := range []int{0, 1, 47, 48, 1072, 2799} {
				check("cut", state[:cut])
			}
			check("too long", append(bytes.Clone(state), 0))
			for i := range 48 { // the header
				for _, b := range []byte{0, 1, 2, 3, 4, 5, 8, 54, 55, 0x80, 0xff} {
					altered := bytes.Clone(state)
					altered[i] = b
					check("header altered", altered)
				}
			}
			for range 200 {
				altered := bytes.Clone(state)
				altered[random.IntN(len(state))] ^= 1 << random.IntN(8)
				check("a bit altered", altered)
			}
		}
	}
	if valid < 100 {
		t.Errorf("%d valid states only: the test is too rough", valid)
	}
}

// The longest input has 2^64 - 1 bytes: beyond it hashing is refused, not wrong.
func TestLongestInput(t *testing.T) {
	for engine, m := range engines(t) {
		h := m.New()
		// A state of 2^64 - 1024 bytes, one chaining value for each bit.
		state, _ := h.MarshalBinary()
		state[5] = 54
		binary.LittleEndian.PutUint64(state[8:], math.MaxUint64)
		binary.LittleEndian.PutUint16(state[6:], 1023)
		if err := h.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		before := h.Sum(nil)
		for _, n := range []int{1, 2000, 100_000} {
			if err := panicOf(t, func() { h.Write(make([]byte, n)) }); err == nil || !strings.Contains(err.Error(), "length") {
				t.Errorf("%s: %v, want an error about the length", engine, err)
			}
		}
		if err := h.UpdateReaderAt(t.Context(), bytes.NewReader(make([]byte, 10)), 10); err == nil || !strings.Contains(err.Error(), "2^64 - 1") {
			t.Errorf("%s: %v, want an error about the length", engine, err)
		}
		if got := h.Sum(nil); !bytes.Equal(got, before) {
			t.Errorf("%s: the hasher changed", engine)
		}
	}
}
