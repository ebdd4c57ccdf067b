// Package rustblake3 carries the WebAssembly module that the crate beside it is compiled to.
package rustblake3

import _ "embed"

//go:generate npx --yes pnpm@12.21.0 --workspace-root exec nx rust-wasm rust-blake3

// WASM is the module, for [github.com/tetratelabs/wazero] or another engine. Do not change its bytes.
//
// It is built, not committed: run `go generate` in this directory. The class in the pattern matches the dot of dist/blake3.wasm;
// the rest of it is there to be read in the go command's error when that file is missing.
//
//go:embed "dist/blake3[. is missing: run 'go generate' beside module.go to build it ]wasm"
var WASM []byte
