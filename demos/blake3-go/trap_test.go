package blake3

import (
	"bytes"
	"testing"
)

// A call that fails discards its instance, and leaves state and pool fit for use.
func TestFailedInstance(t *testing.T) {
	m, err := Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	for name, damage := range map[string]func(*state){
		"wrong depth": func(s *state) { s[offDepth] = 20 },
		"wrong magic": func(s *state) { s[0] = 'x' },
	} {
		h := m.New()
		h.Write(make([]byte, 3000))
		want := h.Sum(nil)
		good := h.state
		damage(&h.state)
		damaged := h.state
		func() {
			defer func() {
				if _, ok := recover().(*EngineError); !ok {
					t.Errorf("%s: no EngineError", name)
				}
			}()
			h.Write(make([]byte, 100_000))
		}()
		if h.state != damaged {
			t.Errorf("%s: the state changed", name)
		}
		h.state = good
		if got := h.Sum(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
}

// Secrets are gone from linear memory after the call.
func TestSecretsAreCleared(t *testing.T) {
	m, err := Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(t.Context())
	key, input := make([]byte, KeySize), make([]byte, 5000)
	for i := range key {
		key[i] = byte(i*7 + 1)
	}
	for i := range input {
		input[i] = byte(i*i>>3) | 1
	}
	calls := map[string]func(){
		"SumKeyed": func() { m.SumKeyed(key, input) },
		"hasher": func() {
			h, _ := m.NewKeyed(key)
			h.Write(input)
			h.Sum(nil)
			h.XOF().Read(make([]byte, 300))
		},
		"DeriveKey": func() { m.DeriveKey("context", append(key, input...), make([]byte, 64)) },
	}
	found := func() bool {
		for e := range m.live {
			memory := e.module.Memory()
			all, _ := memory.Read(0, memory.Size())
			for _, secret := range [][]byte{key, input[:1000], input[1024:2000]} {
				for at := 0; at+8 <= len(secret); at += 4 {
					if bytes.Contains(all, secret[at:at+8]) {
						return true
					}
				}
			}
		}
		return false
	}
	for name, call := range calls {
		call()
		if found() {
			t.Errorf("%s left a secret in linear memory", name)
		}
	}
	m.Sum256(key)
	if !found() {
		t.Error("the search finds nothing even where it should")
	}
}
