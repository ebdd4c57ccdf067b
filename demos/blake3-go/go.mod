module github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go

go 1.26.0

replace github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 => ../../packages/rust-blake3

require (
	github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 v0.0.0-00010101000000-000000000000
	github.com/tetratelabs/wazero v1.12.0
	github.com/zeebo/blake3 v0.2.4
	golang.org/x/sys v0.44.0
	lukechampine.com/blake3 v1.5.1
)

require github.com/klauspost/cpuid/v2 v2.0.12 // indirect
