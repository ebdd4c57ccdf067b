module github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3

go 1.26.0
