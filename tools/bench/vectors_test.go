package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	zeebo "github.com/zeebo/blake3"
	lukechampine "lukechampine.com/blake3"
)

// vectors is BLAKE3's own form of test vectors. Byte i of each input is i mod 251; outputs are in hex.
type vectors struct {
	Key     string
	Context string `json:"context_string"`
	Cases   []struct {
		Length    int `json:"input_len"`
		Hash      string
		Keyed     string `json:"keyed_hash"`
		DeriveKey string `json:"derive_key"`
	}
}

// The crate wrote the vectors that every implementation here is tested against; two others that share no code with it must agree.
func TestVectorsAgreeWithOtherImplementations(t *testing.T) {
	text, err := os.ReadFile("../../packages/rust-blake3/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) < 35 || len(v.Key) != 32 || v.Context == "" {
		t.Fatalf("expected 35 cases or more, a key of 32 bytes and a context, given %d, %q, %q", len(v.Cases), v.Key, v.Context)
	}
	key := []byte(v.Key)
	for _, c := range v.Cases {
		input := make([]byte, c.Length)
		for i := range input {
			input[i] = byte(i % 251)
		}
		var out [131]byte
		check := func(name, want string) {
			t.Helper()
			if got := hex.EncodeToString(out[:]); got != want {
				t.Errorf("%s of %d bytes: expected %s as in the vectors, given %s", name, c.Length, want, got)
			}
			clear(out[:])
		}

		keyed, err := zeebo.NewKeyed(key)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []struct {
			name, want string
			hasher     *zeebo.Hasher
		}{{"hash", c.Hash, zeebo.New()}, {"keyed hash", c.Keyed, keyed}, {"derive key", c.DeriveKey, zeebo.NewDeriveKey(v.Context)}} {
			mode.hasher.Write(input)
			mode.hasher.Digest().Read(out[:])
			check("zeebo: "+mode.name, mode.want)
		}

		for _, mode := range []struct {
			name, want string
			key        []byte
		}{{"hash", c.Hash, nil}, {"keyed hash", c.Keyed, key}} {
			hasher := lukechampine.New(len(out), mode.key)
			hasher.Write(input)
			hasher.Sum(out[:0])
			check("lukechampine: "+mode.name, mode.want)
		}
		lukechampine.DeriveKey(out[:], v.Context, input)
		check("lukechampine: derive key", c.DeriveKey)
	}
}
