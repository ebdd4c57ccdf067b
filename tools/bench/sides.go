package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A side is a program that measures all implementations of one platform once, checks their digests, and prints Go's benchmark
// format.
type side struct {
	name    string
	command []string
	dir     string
	config  config // what the program does not print
}

// sides returns Go's and Node.js's. Go's is built into dir.
func (w workspace) sides(ctx context.Context, dir string, time time.Duration) ([]side, error) {
	node, err := findNode(ctx)
	if err != nil {
		return nil, err
	}
	golang := side{name: "Go", dir: w.path("demos/blake3-go")}
	binary := filepath.Join(dir, "hash.test.exe") // Windows wants the ending, others take any
	compile := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	compile.Dir = golang.dir
	if out, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("`go test -c` in %s: %w\n%s", golang.dir, err, out)
	}
	// One core, as Node.js has it: what uses more is measured elsewhere.
	golang.command = []string{binary, "-test.run=^$", "-test.bench=^BenchmarkHash$", "-test.cpu=1", "-test.benchtime=" + time.String()}
	if golang.config, err = goVersions(binary); err != nil {
		return nil, fmt.Errorf("`go test -c` in %s: %w", golang.dir, err)
	}
	milliseconds := strconv.FormatFloat(float64(time.Microseconds())/1000, 'f', -1, 64)
	js := side{name: "Node.js", dir: w.path("demos/blake3-wasm"), command: []string{node, "bench/hash.ts", "--time", milliseconds}}
	return []side{golang, js}, nil
}

// findNode returns the path of node, one that runs TypeScript.
func findNode(ctx context.Context) (string, error) {
	const remedy = "run `pnpm bench` in the workspace, which brings one"
	path, err := exec.LookPath("node")
	if err != nil {
		return "", errors.New("expected Node.js 24 or later on PATH, found none: " + remedy)
	}
	version, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("`%s --version`: %w", path, err)
	}
	var major int
	if _, err := fmt.Sscanf(string(version), "v%d.", &major); err != nil || major < 24 {
		return "", fmt.Errorf("expected Node.js 24 or later on PATH, found %s, %s: %s", path, strings.TrimSpace(string(version)), remedy)
	}
	return path, nil
}

// goVersions returns the versions of Go and of the measured modules that a binary was built with.
func goVersions(binary string) (config, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	names := map[string]string{"github.com/tetratelabs/wazero": "wazero", "github.com/zeebo/blake3": "zeebo"}
	versions := config{{"go", info.GoVersion}}
	for _, dep := range info.Deps {
		if name, ok := names[dep.Path]; ok {
			versions = append(versions, setting{name, dep.Version})
		}
	}
	return versions, nil
}
