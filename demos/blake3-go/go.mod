module github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go

go 1.26

replace github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3 => ../../packages/rust-blake3
