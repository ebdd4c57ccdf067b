package blake3_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

func TestCompilationCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "cache")
	want := blake3.Sum256([]byte("abc"))
	for range 2 {
		m := compile(t, blake3.WithCompilationCache(dir))
		if got := m.Sum256([]byte("abc")); got != want {
			t.Errorf("%x, want %x", got, want)
		}
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode %v, %v, want 0700", info.Mode(), err)
		}
	}
	files := 0
	filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, _ error) error {
		if !entry.IsDir() {
			files++
		}
		return nil
	})
	if files != 1 {
		t.Errorf("%d files in the cache, want the one module", files)
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	if _, err := blake3.Compile(t.Context(), blake3.WithCompilationCache(file)); err == nil {
		t.Error("a file as the directory: no error")
	}
}

func TestUnfitModules(t *testing.T) {
	empty := []byte("\x00asm\x01\x00\x00\x00")
	renamed := bytes.Replace(rustblake3.WASM, []byte("\x08b3_merge"), []byte("\x08b3_murge"), 1)
	missing := bytes.Replace(rustblake3.WASM, []byte("\x0fb3_state_update"), []byte("\x0fb3_state_apdate"), 1)
	if bytes.Equal(renamed, rustblake3.WASM) || bytes.Equal(missing, rustblake3.WASM) {
		t.Fatal("the names are not where they were")
	}
	for _, c := range []struct {
		name, says string
		wasm       []byte
	}{
		{"nothing", "compile", nil},
		{"no module", "compile", []byte("not a module")},
		{"cut", "compile", rustblake3.WASM[:1000]},
		{"empty", "does not export", empty},
		{"without a function", "b3_state_update", missing},
	} {
		m, err := blake3.Compile(t.Context(), blake3.WithWASM(c.wasm))
		if err == nil || m != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.says)
		}
	}
	compile(t, blake3.WithWASM(renamed)) // of a function that this package does not need
}

// panicOf returns the EngineError that f panics with.
func panicOf(t *testing.T, f func()) (err *blake3.EngineError) {
	t.Helper()
	defer func() {
		var ok bool
		if err, ok = recover().(*blake3.EngineError); !ok {
			t.Errorf("no EngineError")
		}
	}()
	f()
	return nil
}

func TestClosed(t *testing.T) {
	for engine, m := range engines(t) {
		h := m.New()
		h.Write(pattern(2000))
		r := h.XOF()
		for range 2 {
			if err := m.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for name, f := range map[string]func(){
			"Sum256":       func() { m.Sum256(nil) },
			"DeriveKey":    func() { m.DeriveKey("", nil, make([]byte, 1)) },
			"Write":        func() { h.Write(pattern(2000)) },
			"Sum":          func() { h.Sum(nil) },
			"Read":         func() { r.Read(make([]byte, 1)) },
			"NewDeriveKey": func() { m.NewDeriveKey("") },
		} {
			if err := panicOf(t, f); !errors.Is(err, blake3.ErrClosed) {
				t.Errorf("%s, %s: %v, want ErrClosed", engine, name, err)
			}
		}
	}
}

// Closing waits for calls under way; those after it panic.
func TestCloseInUse(t *testing.T) {
	input := pattern(1 << 20)
	want := blake3.Sum256(input)
	for range 5 {
		m := compile(t)
		var all sync.WaitGroup
		started := make(chan bool, 4)
		for range 4 {
			all.Go(func() {
				err := panicOf(t, func() {
					for {
						if got := m.Sum256(input); got != want {
							t.Errorf("%x, want %x", got, want)
						}
						select {
						case started <- true:
						default:
						}
					}
				})
				if !errors.Is(err, blake3.ErrClosed) {
					t.Errorf("%v, want ErrClosed", err)
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
