package blake3

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"runtime"
	"testing"
)

// The bytes of a state are those of every other build: ../../packages/rust-blake3/states.json.
func TestStateBytes(t *testing.T) {
	var states []struct {
		Mode   string
		Writes []int // lengths, of input byte i = i mod 251
		State  string
	}
	data, err := os.ReadFile("../../packages/rust-blake3/states.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &states); err != nil {
		t.Fatal(err)
	}
	if len(states) < 6 {
		t.Fatalf("%d states", len(states))
	}
	for _, want := range states {
		var h *Hasher
		switch want.Mode {
		case "hash":
			h = New()
		case "keyed_hash":
			h, _ = NewKeyed([]byte("whats the Elvish word for friend"))
		case "derive_key":
			h = NewDeriveKey("BLAKE3 2019-12-27 16:29:52 test vectors context")
		default:
			t.Fatalf("unknown mode %q", want.Mode)
		}
		at := 0
		for _, n := range want.Writes {
			part := make([]byte, n)
			for i := range part {
				part[i] = byte((at + i) % 251)
			}
			h.Write(part)
			at += n
		}
		state, err := hex.DecodeString(want.State)
		if err != nil || !bytes.Equal(h.state[:], state) {
			t.Errorf("%s after writes of %d: the state differs from states.json (%v)", want.Mode, want.Writes, err)
		}
	}
}

// Reset leaves nothing of the input behind.
func TestResetState(t *testing.T) {
	for _, h := range []*Hasher{New(), NewDeriveKey("context")} {
		fresh := h.state
		h.Write(make([]byte, 100_000))
		h.WriteString("tail")
		h.Reset()
		if h.state != fresh {
			t.Error("after Reset the state is not that of a new hasher")
		}
	}
}

// Ten thousand hashers in use are ten thousand states, not instances.
func TestMemoryOfHashers(t *testing.T) {
	m, err := Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	input := make([]byte, 1500)
	m.Sum256(input)
	hashers := make([]*Hasher, 10_000)
	before := heap()
	for i := range hashers {
		hashers[i] = m.New()
		hashers[i].Write(input)
	}
	each := int64(heap()-before) / int64(len(hashers))
	for _, h := range hashers[1:] {
		h.Write(input)
		if h.state != hashers[1].state {
			t.Fatal("hashers with the same input differ")
		}
	}
	// The allocator rounds 2808 bytes up to 3072. Pools drop what they are given under the race detector, so that instances come and go.
	if each > 3200 && !RaceEnabled {
		t.Errorf("a hasher takes %d bytes, want 3200 at most", each)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if live := len(m.live); live > 4*runtime.GOMAXPROCS(0) && !RaceEnabled {
		t.Errorf("%d instances are alive", live)
	}
}
