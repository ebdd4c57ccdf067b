package blake3

import (
	"encoding"
	"fmt"
	"hash"
	"io"
	"unsafe"
)

// Hasher is a [hash.Hash] whose output can be extended. It is 2800 bytes, holds no instance between calls, and needs no closing. It
// belongs to one goroutine at a time. The zero value is what [New] returns.
type Hasher struct {
	module *Module // nil: not used yet
	state  state
}

var (
	_ hash.Hash                  = (*Hasher)(nil)
	_ hash.Cloner                = (*Hasher)(nil)
	_ io.StringWriter            = (*Hasher)(nil)
	_ io.ReaderFrom              = (*Hasher)(nil)
	_ encoding.BinaryMarshaler   = (*Hasher)(nil)
	_ encoding.BinaryUnmarshaler = (*Hasher)(nil)
	_ encoding.BinaryAppender    = (*Hasher)(nil)
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

// use returns the hasher's Module, after making a zero value a new Hasher.
func (h *Hasher) use() *Module {
	if h.module == nil {
		h.module = defaultModule()
		h.state.init(modeHash, nil)
	}
	return h.module
}

// Write appends p to the input. It never returns an error, and allocates nothing. Input of more than 2^64 - 1 bytes makes it panic with an
// [EngineError].
func (h *Hasher) Write(p []byte) (int, error) {
	h.use().update(&h.state, p)
	return len(p), nil
}

// WriteString is [Hasher.Write] for a string.
func (h *Hasher) WriteString(s string) (int, error) {
	return h.Write(unsafe.Slice(unsafe.StringData(s), len(s))) // Write does not write to it
}

// ReadFrom appends what r gives until it ends, and returns how much that was. An error is r's, and what came before it has been appended; or it
// wraps [ErrClosed], and then, as after a panic of r, the hasher is as before. r must not use the hasher.
//
// It reads straight into an instance's memory, which it holds until r ends. A reader that writes to what it was given after Read returned, against
// [io.Reader]'s contract, spoils other hashes of the Module.
func (h *Hasher) ReadFrom(r io.Reader) (int64, error) {
	return h.use().readFrom(&h.state, r)
}

// Sum appends the 32-byte digest of the input so far to b. Writing may go on afterwards.
func (h *Hasher) Sum(b []byte) []byte {
	var sum [Size]byte
	h.use().output(&h.state, 0, sum[:])
	return append(b, sum[:]...)
}

// Reset takes the hasher back to where it began: a key or context stays.
func (h *Hasher) Reset() {
	h.use()
	h.state.reset()
}

// Size returns 32.
func (h *Hasher) Size() int { return Size }

// BlockSize returns 64.
func (h *Hasher) BlockSize() int { return BlockSize }

// Clone returns a hasher with the same input so far, which goes its own way. The error is always nil.
func (h *Hasher) Clone() (hash.Cloner, error) {
	h.use()
	clone := *h
	return &clone, nil
}

// XOF returns a reader of the extended output for the input so far. Later writes to the hasher do not disturb it.
func (h *Hasher) XOF() *OutputReader {
	return &OutputReader{module: h.use(), state: h.state}
}

// MarshalBinary returns the hasher's state: 2800 bytes in the format that packages/rust-blake3/README.md describes. Another process, on any
// platform, and the TypeScript library go on from there. The state of a keyed hasher contains its key, and every state the end of the input;
// none is signed. The error is always nil.
func (h *Hasher) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// AppendBinary appends what [Hasher.MarshalBinary] returns to b.
func (h *Hasher) AppendBinary(b []byte) ([]byte, error) {
	h.use()
	return append(b, h.state[:]...), nil
}

// UnmarshalBinary replaces the hasher's mode, key and input by those of a state, which it copies. After an error the hasher is as before. Not
// every altered state can be told: keep states where nobody can change them.
func (h *Hasher) UnmarshalBinary(data []byte) error {
	if len(data) != stateSize {
		return fmt.Errorf("blake3: unmarshal a hasher: the state has %d bytes, want %d", len(data), stateSize)
	}
	if err := (*state)(data).check(); err != nil {
		return fmt.Errorf("blake3: unmarshal a hasher: the state is not valid: %w", err)
	}
	h.use()
	h.state = state(data)
	return nil
}
