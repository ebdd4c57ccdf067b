package blake3

import (
	"hash"
	"io"
)

// Hasher is a [hash.Hash] whose output can be extended. It is 2800 bytes, holds no instance between calls, and needs no closing. It must
// be made by [New], [NewKeyed], [NewDeriveKey] or a method of [Module], and belongs to one goroutine at a time.
type Hasher struct {
	module *Module
	state  state
}

var (
	_ hash.Hash       = (*Hasher)(nil)
	_ hash.Cloner     = (*Hasher)(nil)
	_ io.StringWriter = (*Hasher)(nil)
)

func (m *Module) newHasher(mode byte, key []byte) *Hasher {
	h := &Hasher{module: m}
	h.state.init(mode, key)
	return h
}

// New is [New] on this Module.
func (m *Module) New() *Hasher { return m.newHasher(modeHash, nil) }

// NewKeyed is [NewKeyed] on this Module.
func (m *Module) NewKeyed(key []byte) (*Hasher, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return m.newHasher(modeKeyed, key), nil
}

// NewDeriveKey is [NewDeriveKey] on this Module.
func (m *Module) NewDeriveKey(context string) *Hasher {
	key := m.contextKey(context)
	return m.newHasher(modeDeriveKey, key[:])
}

// Write appends p to the input. It never returns an error, and allocates nothing.
func (h *Hasher) Write(p []byte) (int, error) {
	update(h.module, &h.state, p)
	return len(p), nil
}

// WriteString is [Hasher.Write] for a string.
func (h *Hasher) WriteString(s string) (int, error) {
	update(h.module, &h.state, s)
	return len(s), nil
}

// Sum appends the 32-byte digest of the input so far to b. Writing may go on afterwards.
func (h *Hasher) Sum(b []byte) []byte {
	var sum [Size]byte
	h.module.output(&h.state, 0, sum[:])
	return append(b, sum[:]...)
}

// Reset takes the hasher back to where it began: a key or context stays.
func (h *Hasher) Reset() { h.state.reset() }

// Size returns 32.
func (h *Hasher) Size() int { return Size }

// BlockSize returns 64.
func (h *Hasher) BlockSize() int { return BlockSize }

// Clone returns a hasher with the same input so far, which goes its own way. The error is always nil.
func (h *Hasher) Clone() (hash.Cloner, error) {
	clone := *h
	return &clone, nil
}

// XOF returns a reader of the extended output for the input so far. Later writes to the hasher do not disturb it.
func (h *Hasher) XOF() *OutputReader {
	return &OutputReader{module: h.module, state: h.state}
}
