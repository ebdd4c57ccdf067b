package blake3

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"
)

func TestUnfitStubs(t *testing.T) {
	newStub().compile(t)
	for _, c := range []struct {
		says  string
		spoil func(*stub)
	}{
		{"ABI version 2, this package needs 1", func(s *stub) { s.functions["b3_abi_version"].body = returns(2) }},
		{"ABI version 0, this package needs 1", func(s *stub) { s.functions["b3_abi_version"].body = returns(0) }},
		{"unreachable", func(s *stub) { s.functions["b3_abi_version"].body = unreachable }},
		{"staging area of 65536 bytes", func(s *stub) { s.functions["b3_staging_size"].body = returns(64 << 10) }},
		{"outside its memory", func(s *stub) { s.functions["b3_staging"].body = returns(100 << 10) }},
		{"does not export its memory", func(s *stub) { s.memory = "store" }},
		{"does not export the function hash", func(s *stub) { delete(s.functions, "hash") }},
		{"does not export the function b3_state_output", func(s *stub) { delete(s.functions, "b3_state_output") }},
		{"function hash has another signature", func(s *stub) { s.functions["hash"].parameters = "iiI" }},
	} {
		s := newStub()
		c.spoil(s)
		if m, err := Compile(t.Context(), WithWASM(s.wasm())); err == nil || m != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error with %q", err, c.says)
		}
	}
}

// failure returns the EngineError that f panics with.
func failure(t *testing.T, f func()) (err *EngineError) {
	t.Helper()
	defer func() {
		value := recover()
		var ok bool
		if err, ok = value.(*EngineError); !ok {
			t.Fatalf("panic with %v, want an *EngineError", value)
		}
	}()
	f()
	return nil
}

// calls of every function that hashes, by the export that they need.
var calls = map[string]func(*Module){
	"hash":            func(m *Module) { m.Sum256(nil) },
	"b3_hash":         func(m *Module) { m.SumKeyed(make([]byte, KeySize), nil) },
	"b3_context_key":  func(m *Module) { m.NewDeriveKey("context") },
	"b3_state_update": func(m *Module) { m.New().Write(make([]byte, 2000)) },
	"b3_state_output": func(m *Module) { m.New().Sum(nil) },
	"alloc":           func(m *Module) { m.NewDeriveKey(strings.Repeat("long ", 20_000)) },
}

// A trap or an error code is a panic with an EngineError, and the Module stays fit for use.
func TestFailures(t *testing.T) {
	for name, options := range map[string][]CompileOption{"default": nil, "interpreter": {WithInterpreter()}} {
		for export, call := range calls {
			for _, failing := range []struct {
				body []byte
				says string
			}{{unreachable, "unreachable"}, {returns(5), "error code 5 (key length)"}, {returns(99), "error code 99"}} {
				if export == "alloc" && failing.body[0] != unreachable[0] {
					failing.body, failing.says = returns(0), "does not fit"
				}
				t.Run(fmt.Sprintf("%s/%s/%s", name, export, failing.says), func(t *testing.T) {
					s := newStub()
					s.functions["alloc"].body = returns(1024)
					s.functions[export].body = failing.body
					m := s.compile(t, options...)
					for range 3 {
						if err := failure(t, func() { call(m) }); !strings.Contains(err.Error(), failing.says) {
							t.Errorf("%v, want an error with %q", err, failing.says)
						}
						m.mu.Lock()
						for e := range m.live {
							if e.closed {
								t.Error("a failed instance was kept")
							}
						}
						m.mu.Unlock()
					}
					for other, call := range calls {
						if other != export && !(other == "alloc" && export == "b3_context_key") {
							call(m) // panics if the failure spread
						}
					}
				})
			}
		}
	}
}

// A hasher survives the failure of an instance.
func TestStateAfterFailure(t *testing.T) {
	good, err := Compile(t.Context(), WithWASM(rustblake3.WASM)) // in the interpreter where there is no compiler
	if err != nil {
		t.Fatal(err)
	}
	defer good.Close(t.Context())
	s := newStub()
	s.functions["b3_state_update"].body = unreachable
	s.functions["b3_state_output"].body = unreachable
	bad := s.compile(t)
	h := good.New()
	input := make([]byte, 203_000)
	h.Write(input[:3000])
	before := h.state
	h.module = bad
	failure(t, func() { h.Write(input[3000:]) })
	failure(t, func() { h.Sum(nil) })
	r := h.XOF()
	failure(t, func() { r.Read(make([]byte, 100)) })
	if h.state != before || r.state != before || r.position != 0 {
		t.Error("a failure changed the state or the position")
	}
	h.module = good
	h.Write(input[3000:])
	if got, want := h.Sum(nil), good.Sum256(input); !bytes.Equal(got, want[:]) {
		t.Errorf("%x, want %x", got, want)
	}

	// An error code that the artifact itself gives.
	for name, damage := range map[string]func(*state){
		"wrong depth": func(s *state) { s[offDepth] = 20 },
		"wrong magic": func(s *state) { s[0] = 'x' },
	} {
		damaged := before
		damage(&damaged)
		h.state = damaged
		if err := failure(t, func() { h.Write(input) }); !strings.Contains(err.Error(), "invalid state") {
			t.Errorf("%s: %v, want an error with \"invalid state\"", name, err)
		}
		if h.state != damaged {
			t.Errorf("%s: the state changed", name)
		}
	}
}

// Failing calls and Close take their locks in an order that can't block.
func TestCloseWhileFailing(t *testing.T) {
	s := newStub()
	s.functions["hash"].body = unreachable
	wasm := WithWASM(s.wasm())
	for range 20 {
		m, err := Compile(t.Context(), wasm)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		started := make(chan bool, 4)
		for range 4 {
			all.Go(func() {
				for closed := false; !closed; {
					err := func() (err *EngineError) {
						defer func() { err, _ = recover().(*EngineError) }()
						m.Sum256(nil)
						return nil
					}()
					if err == nil {
						t.Error("no EngineError")
						return
					}
					closed = errors.Is(err, ErrClosed)
					select {
					case started <- true:
					default:
					}
				}
			})
		}
		<-started
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
		all.Wait()
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("of the reader") }

// Secrets are gone from linear memory after the call.
func TestSecretsAreCleared(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))          // keeps every instance to be searched
	m, err := Compile(t.Context(), WithWASM(rustblake3.WASM)) // in the interpreter where there is no compiler
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
	for name, call := range map[string]func(){
		"SumKeyed": func() { m.SumKeyed(key, input) },
		"hasher": func() {
			h, _ := m.NewKeyed(key)
			h.Write(input)
			h.Sum(nil)
			h.XOF().Read(make([]byte, 300))
		},
		"DeriveKey": func() { m.DeriveKey("context", append(key, input...), make([]byte, 64)) },
		"readers": func() {
			h, _ := m.NewKeyed(key)
			h.ReadFrom(bytes.NewReader(input))
			long := bytes.Repeat(input, 60)
			if err := h.UpdateReaderAt(t.Context(), bytes.NewReader(long), int64(len(long)), WithParallelism(2)); err != nil {
				t.Fatal(err)
			}
		},
		"panicking reader": func() {
			h, _ := m.NewKeyed(key)
			defer func() { recover() }()
			h.ReadFrom(io.MultiReader(bytes.NewReader(input), panicking{}))
		},
	} {
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
