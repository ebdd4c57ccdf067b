package blake3

import "encoding/binary"

// Offsets in a state; packages/rust-blake3/README.md describes the format.
const (
	stateSize    = 2800
	offMode      = 4
	offDepth     = 5
	offTailLen   = 6
	offLength    = 8
	offKey       = 16
	offTail      = 48
	tailSize     = 1024
	offStack     = offTail + tailSize
	stateVersion = 1
)

// The modes of the ABI.
const (
	modeHash = iota
	modeKeyed
	modeDeriveKey
)

// state is a hasher: all of it, in the format of the ABI.
type state [stateSize]byte

// init makes s the state before any input. The key has 32 bytes, or none in modeHash.
func (s *state) init(mode byte, key []byte) {
	*s = state{'b', '3', 'p', stateVersion, mode}
	copy(s[offKey:offTail], key)
}

// reset takes the input out of s.
func (s *state) reset() {
	clear(s[offDepth:offKey])
	clear(s[offTail:])
}

func (s *state) secret() bool { return s[offMode] != modeHash }

func (s *state) length() uint64 { return binary.LittleEndian.Uint64(s[offLength:]) }

// used is the length of s without the unused end of its stack.
func (s *state) used() int { return offStack + int(s[offDepth])*Size }

// appendTail appends p and reports true when that needs no hashing: there is room in the tail, and nothing to merge before.
func appendTail[T []byte | string](s *state, p T) bool {
	tail := int(binary.LittleEndian.Uint16(s[offTailLen:]))
	length := s.length()
	if len(p) > tailSize-tail || tail == 0 && length != 0 || length+uint64(len(p)) < length {
		return len(p) == 0
	}
	copy(s[offTail+tail:offStack], p)
	binary.LittleEndian.PutUint16(s[offTailLen:], uint16(tail+len(p)))
	binary.LittleEndian.PutUint64(s[offLength:], length+uint64(len(p)))
	return true
}
