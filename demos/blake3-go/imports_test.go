package blake3_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Who imports this package gets wazero, one pure Go BLAKE3, what those need, and nothing else.
func TestImports(t *testing.T) {
	command := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	command.Env = append(os.Environ(), "GOFLAGS=", "GOOS=linux", "GOARCH=amd64") // the platform that needs most
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("the go command lists nothing: %v", err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	want := []string{
		"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go",
		"github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3",
		"github.com/klauspost/cpuid/v2", // of lukechampine.com/blake3
		"github.com/tetratelabs/wazero",
		"golang.org/x/sys", // of wazero
		"lukechampine.com/blake3",
	}
	if got := slices.Compact(modules); !slices.Equal(got, want) {
		t.Errorf("this package needs the modules\n%q, want\n%q", got, want)
	}
}
