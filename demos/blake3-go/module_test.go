package blake3_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

func TestCompilationCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "cache")
	want := blake3.Sum256([]byte("abc"))
	var cached fs.FileInfo
	for range 2 {
		m := compile(t, blake3.WithCompilationCache(dir))
		if m.Engine() != "compiler" {
			t.Skipf("NOT TESTED: the compilation cache, which the %s does not use", m.Engine())
		}
		if got := m.Sum256([]byte("abc")); got != want {
			t.Errorf("%x, want %x", got, want)
		}
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 && runtime.GOOS != "windows" {
			t.Errorf("mode %v, want 0700", info.Mode())
		}
		var files []fs.FileInfo
		err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				info, err = entry.Info()
				files = append(files, info)
			}
			return err
		})
		if err != nil || len(files) != 1 {
			t.Fatalf("%d files in the cache, %v, want the one module", len(files), err)
		}
		if cached != nil && !os.SameFile(cached, files[0]) {
			t.Error("the second time the module was compiled again")
		}
		cached = files[0]
	}
	// A damaged file is an error that names the folder, or compiled anew. (What wazero's checksum does not cover is not tried: it may crash.)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			data[len(data)/2] ^= 1
			err = os.WriteFile(path, data, 0o600)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := blake3.Compile(t.Context(), blake3.WithCompilationCache(dir)); err == nil || m != nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a damaged cache: %v, want an error that names %s", err, dir)
	}
	if m, err := blake3.Compile(t.Context(), blake3.WithCompilationCache("")); err == nil || m != nil {
		t.Error("a cache in no folder is no error")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := blake3.Compile(cancelled); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("%v, want context.Canceled", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, unusable := range []string{file, filepath.Join(file, "below")} {
		m, err := blake3.Compile(t.Context(), blake3.WithCompilationCache(unusable))
		if err == nil || m != nil || !strings.Contains(err.Error(), file) || !errors.As(err, new(*fs.PathError)) {
			t.Errorf("cache in %s: %v, want a PathError that names it", unusable, err)
		}
	}
}

func TestUnfitModules(t *testing.T) {
	empty := []byte("\x00asm\x01\x00\x00\x00")
	renamed := bytes.Replace(rustblake3.WASM, []byte("\x07b3_root"), []byte("\x07b3_roof"), 1)
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
			if err := panicOf(t, f); !errors.Is(err, blake3.ErrClosed) || !strings.Contains(err.Error(), "closed") {
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
