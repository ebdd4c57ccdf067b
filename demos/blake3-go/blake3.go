// Package blake3 computes BLAKE3 in Rust, compiled to WebAssembly and run by wazero: Rust's code without cgo.
//
// The package-level functions use a [Module] of their own, compiled when it is first needed. [Compile] makes others, with options. A
// Module and all package-level functions may be used from any number of goroutines at once; a [Hasher] or [OutputReader] belongs
// to one goroutine at a time.
//
// Inputs are read during the call only and never kept. Compare keyed digests with [crypto/subtle.ConstantTimeCompare].
package blake3

import (
	"context"
	"io"
	"sync"
)

// Size is the length of a digest in bytes, [BlockSize] of a block, [KeySize] of a key.
const (
	Size      = 32
	BlockSize = 64
	KeySize   = 32
)

var defaultModule = sync.OnceValue(func() *Module {
	m, err := Compile(context.Background())
	if err != nil {
		panic(&EngineError{Op: "compile the default module", Err: err})
	}
	return m
})

// Sum256 returns the 32-byte digest of data.
func Sum256(data []byte) [32]byte { return defaultModule().Sum256(data) }

// Sum512 returns the first 64 bytes of the output for data. It is no stronger than [Sum256].
func Sum512(data []byte) [64]byte { return defaultModule().Sum512(data) }

// SumKeyed returns the 32-byte keyed digest, a MAC, of data. The key must have 32 bytes.
func SumKeyed(key, data []byte) ([32]byte, error) { return defaultModule().SumKeyed(key, data) }

// DeriveKey fills out with a key derived from material, which is secret, for a context: a fixed string, unique to the program
// and purpose, and not secret. Any length of out will do; a shorter one is a prefix of a longer one. A context that does not fit in the
// module's 64 MiB of memory makes it panic with an [EngineError].
func DeriveKey(context string, material, out []byte) {
	defaultModule().DeriveKey(context, material, out)
}

// New returns a Hasher for a plain digest.
func New() *Hasher { return defaultModule().New() }

// NewKeyed returns a Hasher for a keyed digest, a MAC. The key must have 32 bytes; it is copied.
func NewKeyed(key []byte) (*Hasher, error) { return defaultModule().NewKeyed(key) }

// NewDeriveKey returns a Hasher that takes key material and gives a key for a context, as [DeriveKey] does.
func NewDeriveKey(context string) *Hasher { return defaultModule().NewDeriveKey(context) }

// SumReader returns the 32-byte digest of what r gives until it ends. The calling goroutine reads while others hash, in bounded memory. After an
// error, which names the offset, or when ctx is done, there is no digest. A read that blocks is not interrupted.
func SumReader(ctx context.Context, r io.Reader, options ...Option) ([32]byte, error) {
	return defaultModule().SumReader(ctx, r, options...)
}

// SumReaderAt returns the 32-byte digest of the first size bytes of r, hashed on all cores as [Hasher.UpdateReaderAt] does.
func SumReaderAt(ctx context.Context, r io.ReaderAt, size int64, options ...Option) ([32]byte, error) {
	return defaultModule().SumReaderAt(ctx, r, size, options...)
}

// SumFile returns the 32-byte digest of a file, hashed on all cores; a pipe or device is read to its end. A file that becomes shorter or longer
// meanwhile is an error; so is one that does not have the size that it states, as in /sys: use [SumReader] there. A file that is overwritten in
// place goes unnoticed. Opening a pipe waits for its other end, whatever ctx says.
func SumFile(ctx context.Context, path string, options ...Option) ([32]byte, error) {
	return defaultModule().SumFile(ctx, path, options...)
}
