module github.com/blake3-polyglot/blake3-polyglot/tools/bench

go 1.26
