//go:build linux

package blake3_test

import (
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

// Where the system refuses to make memory executable, hashing goes on without the compiler.
func TestExecutableMemoryRefused(t *testing.T) {
	if os.Getenv("REFUSE_EXECUTABLE_MEMORY") == "" {
		command := exec.Command(os.Args[0], "-test.run=^TestExecutableMemoryRefused$", "-test.v")
		command.Env = append(os.Environ(), "REFUSE_EXECUTABLE_MEMORY=1")
		out, err := command.CombinedOutput()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skipf("NOT TESTED: executable memory refused, for which this program runs itself, and an emulator can't: %v", err)
		}
		if strings.Contains(string(out), "NOT TESTED") {
			t.Skipf("%s", out)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	const setMDWE, refuseExecGain = 65, 1 // of prctl, since Linux 6.3
	if _, _, errno := syscall.Syscall6(syscall.SYS_PRCTL, setMDWE, refuseExecGain, 0, 0, 0, 0); errno != 0 {
		t.Skipf("NOT TESTED: executable memory refused, which this kernel can't do: prctl(PR_SET_MDWE): %v", errno)
	}
	for _, c := range []struct {
		engine  string
		options []blake3.CompileOption
	}{
		{"portable", nil},
		{"portable", []blake3.CompileOption{blake3.WithCompilationCache(t.TempDir())}},
		{"interpreter", []blake3.CompileOption{blake3.WithWASM(rustblake3.WASM)}},
		{"interpreter", []blake3.CompileOption{blake3.WithInterpreter()}},
	} {
		m := compile(t, c.options...)
		if m.Engine() != c.engine {
			t.Errorf("engine %q, want %q", m.Engine(), c.engine)
		}
		if got, want := m.Sum256([]byte("abc")), "6437b3ac"; !strings.HasPrefix(hex.EncodeToString(got[:]), want) {
			t.Errorf("%x, want %s…", got, want)
		}
	}
	if got := blake3.Sum256([]byte("abc")); !strings.HasPrefix(hex.EncodeToString(got[:]), "6437b3ac") {
		t.Errorf("by the default module %x", got)
	}
}
