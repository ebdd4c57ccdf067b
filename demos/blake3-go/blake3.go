// Package blake3 hashes with the Rust crate, through WebAssembly.
package blake3
