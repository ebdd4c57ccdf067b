package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"
)

// build is what to run when something is not built.
const build = "run `pnpm bench` in the workspace, which builds it"

// A workspace is a checkout of the repository.
type workspace struct{ root string }

// findWorkspace walks up from the current directory to nx.json.
func findWorkspace() (workspace, error) {
	start, err := os.Getwd()
	if err != nil {
		return workspace{}, err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "nx.json")); err == nil {
			return workspace{dir}, nil
		}
		if dir == filepath.Dir(dir) {
			return workspace{}, fmt.Errorf("no nx.json in %s or above it: run this inside the repository", start)
		}
	}
}

func (w workspace) path(slashed string) string {
	return filepath.Join(w.root, filepath.FromSlash(slashed))
}

// config returns what the record says of the machine and the artifact; the rest is known to the sides.
func (w workspace) config(ctx context.Context) (config, error) {
	var built struct{ SHA256, Rustc, Crate string }
	if err := w.readJSON("packages/rust-blake3/dist/build.json", &built); err != nil {
		return nil, err
	}
	if err := w.checkArtifacts(built.SHA256); err != nil {
		return nil, err
	}
	commit, err := w.commit(ctx)
	if err != nil {
		return nil, err
	}
	return config{
		{"goos", runtime.GOOS},
		{"goarch", runtime.GOARCH},
		{"cores", strconv.Itoa(runtime.NumCPU())},
		{"rustc", strings.TrimPrefix(built.Rustc, "rustc ")},
		{"crate", built.Crate},
		{"artifact-sha256", built.SHA256},
		{"artifact-size", strconv.Itoa(len(rustblake3.WASM))},
		{"commit", commit},
		{"date", time.Now().UTC().Format(time.RFC3339)},
	}, nil
}

// checkArtifacts makes sure that Go and Node.js measure the same module, the one that build.json describes.
func (w workspace) checkArtifacts(want string) error {
	published := w.path("demos/blake3-wasm/dist/blake3.wasm")
	node, err := os.ReadFile(published)
	if err != nil {
		return missing(published, err)
	}
	for name, bytes := range map[string][]byte{"embedded in Go": rustblake3.WASM, published: node} {
		sum := sha256.Sum256(bytes)
		if got := hex.EncodeToString(sum[:]); got != want {
			return fmt.Errorf("artifact %s: expected sha256 %s as in packages/rust-blake3/dist/build.json, given %s: %s", name, want, got, build)
		}
	}
	return nil
}

// commit returns the hash of the checked-out commit, with -dirty when the working tree differs from it.
func (w workspace) commit(ctx context.Context) (string, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", w.root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	head, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", fmt.Errorf("a record names its commit, but git gave none in %s: %w", w.root, err)
	}
	changes, err := git("status", "--porcelain")
	if changes != "" {
		head += "-dirty"
	}
	return head, err
}

func (w workspace) readJSON(slashed string, into any) error {
	path := w.path(slashed)
	bytes, err := os.ReadFile(path)
	if err != nil {
		return missing(path, err)
	}
	if err := json.Unmarshal(bytes, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func missing(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: %s", path, build)
	}
	return err
}
