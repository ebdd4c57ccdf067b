module github.com/blake3-polyglot/blake3-polyglot/tools/bench

go 1.26.0

replace github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 => ../../packages/rust-blake3

require (
	github.com/alecthomas/kong v1.17.0
	github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 v0.0.0
	github.com/jedib0t/go-pretty/v6 v6.9.2
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/zeebo/blake3 v0.2.4
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	golang.org/x/term v0.48.0
	lukechampine.com/blake3 v1.4.1
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/klauspost/cpuid/v2 v2.0.12 // indirect
	github.com/mattn/go-runewidth v0.0.16 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)
