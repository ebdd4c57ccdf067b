module github.com/blake3-polyglot/blake3-polyglot/tools/bench

go 1.26

replace github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 => ../../packages/rust-blake3

require github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 v0.0.0

require (
	github.com/alecthomas/kong v1.17.0 // indirect
	github.com/jedib0t/go-pretty/v6 v6.9.2 // indirect
	github.com/klauspost/cpuid/v2 v2.0.12 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/schollz/progressbar/v3 v3.19.1 // indirect
	github.com/zeebo/blake3 v0.2.4 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.48.0 // indirect
	lukechampine.com/blake3 v1.4.1 // indirect
)
