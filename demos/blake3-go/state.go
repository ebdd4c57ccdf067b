package blake3

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

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

func (s *state) length() uint64          { return binary.LittleEndian.Uint64(s[offLength:]) }
func (s *state) setLength(length uint64) { binary.LittleEndian.PutUint64(s[offLength:], length) }

// tail is the length of the tail.
func (s *state) tail() int          { return int(binary.LittleEndian.Uint16(s[offTailLen:])) }
func (s *state) setTail(length int) { binary.LittleEndian.PutUint16(s[offTailLen:], uint16(length)) }

// used is the length of s without the unused end of its stack.
func (s *state) used() int { return offStack + int(s[offDepth])*Size }

// appendTail appends p and reports true when that needs no hashing: there is room in the tail, and nothing to merge before.
func (s *state) appendTail(p []byte) bool {
	tail, length := s.tail(), s.length()
	if len(p) > tailSize-tail || tail == 0 && length != 0 || length+uint64(len(p)) < length {
		return len(p) == 0
	}
	copy(s[offTail+tail:offStack], p)
	s.setTail(tail + len(p))
	s.setLength(length + uint64(len(p)))
	return true
}

// check reports what is wrong with a state that came from outside, as b3_state_check of the ABI does.
func (s *state) check() error {
	if string(s[:3]) != "b3p" {
		return errors.New("it does not begin with b3p")
	}
	if s[3] != stateVersion {
		return fmt.Errorf("it has version %d, this package reads %d", s[3], stateVersion)
	}
	if s[offMode] > modeDeriveKey || !s.secret() && !zero(s[offKey:offTail]) {
		return errors.New("its mode and key don't fit together")
	}
	tail, depth, chunks := s.tail(), int(s[offDepth]), s.chunks()
	ones, zeros := bits.OnesCount64(chunks), bits.TrailingZeros64(chunks)
	var fits bool
	switch {
	case s.length() == 0:
		fits = tail == 0 && depth == 0
	case tail == 0:
		fits = s.length()%tailSize == 0 && depth > ones && depth <= ones+zeros
	default:
		fits = tail <= tailSize && uint64(tail) <= s.length() && (s.length()-uint64(tail))%tailSize == 0 && depth == ones
	}
	if !fits {
		return errors.New("its lengths don't fit together")
	}
	if !zero(s[offTail+tail:offStack]) || !zero(s[s.used():]) {
		return errors.New("it holds data where none belongs")
	}
	return nil
}

func zero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
