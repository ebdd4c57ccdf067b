package blake3

import (
	"encoding/binary"
	"math/bits"

	"lukechampine.com/blake3/guts"
)

// tree is a mode with its key in plain Go: what computes over states where wazero has no compiler. It does what
// packages/rust-blake3/src/state.rs does, on the compression function of lukechampine.com/blake3, whose own hasher can't resume a state.
type tree struct {
	key   [8]uint32
	flags uint32
}

func (s *state) tree() tree {
	switch s[offMode] {
	case modeKeyed:
		return tree{words(s[offKey:]), guts.FlagKeyedHash}
	case modeDeriveKey:
		return tree{words(s[offKey:]), guts.FlagDeriveKeyMaterial}
	}
	return tree{guts.IV, 0}
}

func words(b []byte) (w [8]uint32) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

func putWords(b []byte, w [8]uint32) {
	for i, word := range w {
		binary.LittleEndian.PutUint32(b[4*i:], word)
	}
}

// node returns the uncompressed top of the subtree of data, which begins at a chunk of the whole input.
func (t *tree) node(chunk uint64, data []byte) guts.Node {
	if len(data) <= guts.MaxSIMD*guts.ChunkSize {
		return guts.CompressSlice(data[:len(data):len(data)], &t.key, chunk, t.flags) // which may read up to the capacity
	}
	left := 1 << (bits.Len(uint(len(data)-1)) - 1)
	return t.parent(t.value(chunk, data[:left]), t.value(chunk+uint64(left/guts.ChunkSize), data[left:]))
}

func (t *tree) value(chunk uint64, data []byte) [8]uint32 {
	return guts.ChainingValue(t.node(chunk, data))
}

func (t *tree) parent(left, right [8]uint32) guts.Node {
	return guts.ParentNode(left, right, &t.key, t.flags)
}

// halves returns the chaining values of the halves of a subtree whose length is a power of two.
func (t *tree) halves(chunk uint64, data []byte) (halves [2 * Size]byte) {
	middle := len(data) / 2
	putWords(halves[:Size], t.value(chunk, data[:middle]))
	putWords(halves[Size:], t.value(chunk+uint64(middle/guts.ChunkSize), data[middle:]))
	return halves
}

// fill writes output of a root from a position.
func fill(root guts.Node, position uint64, out []byte) {
	root.Flags |= guts.FlagRoot
	root.Counter = position / guts.BlockSize
	var blocks [guts.MaxSIMD * guts.BlockSize]byte
	for skip := int(position % guts.BlockSize); len(out) > 0; skip = 0 {
		if skip+len(out) <= guts.BlockSize {
			block := guts.WordsToBytes(guts.CompressNode(root))
			copy(out, block[skip:])
			return
		}
		guts.CompressBlocks(&blocks, root)
		out = out[copy(out, blocks[skip:]):]
		root.Counter += guts.MaxSIMD
	}
}

// deriveContext returns the key that a context stands for.
func deriveContext(context string) (key [KeySize]byte) {
	t := tree{guts.IV, guts.FlagDeriveKeyContext}
	fill(t.node(0, []byte(context)), 0, key[:])
	return key
}

// update appends p, which must not make the input longer than 2^64 - 1 bytes.
func (s *state) update(p []byte) {
	t := s.tree()
	if s.tail() > 0 {
		p = p[s.fillTail(&t, p):]
		if len(p) > 0 {
			s.pushTail(&t)
		}
	}
	for len(p) > tailSize {
		size := 1 << (bits.Len(uint(len(p))) - 1)
		if chunk := s.chunks(); chunk != 0 {
			size = min(size, tailSize<<min(bits.TrailingZeros64(chunk), bits.UintSize-12))
		}
		if size == tailSize {
			s.push(&t, t.value(s.chunks(), p[:size]), size)
		} else {
			s.pushHalves(&t, t.halves(s.chunks(), p[:size]), uint64(size))
		}
		p = p[size:]
	}
	s.fillTail(&t, p)
}

// append appends a subtree of a length that is a power of two, and fits here.
func (s *state) append(halves [2 * Size]byte, length uint64) {
	t := s.tree()
	if s.tail() > 0 {
		s.pushTail(&t)
	}
	s.pushHalves(&t, halves, length)
}

// root returns the uncompressed root.
func (s *state) root() guts.Node {
	t := s.tree()
	depth, tail := int(s[offDepth]), s[offTail:offTail+s.tail()]
	if depth == 0 {
		return t.node(0, tail)
	}
	var right [8]uint32
	if len(tail) == 0 {
		depth--
		right = words(s.value(depth))
	} else {
		right = t.value(s.chunks(), tail)
	}
	for depth--; depth > 0; depth-- {
		right = guts.ChainingValue(t.parent(words(s.value(depth)), right))
	}
	return t.parent(words(s.value(0)), right)
}

// chunks counts those that the stack covers.
func (s *state) chunks() uint64 { return (s.length() - uint64(s.tail())) / tailSize }

// value is a chaining value on the stack.
func (s *state) value(i int) []byte { return s[offStack+i*Size:][:Size] }

func (s *state) fillTail(t *tree, p []byte) int {
	tail := s.tail()
	if len(p) > 0 && tail == 0 {
		s.merge(t, bits.OnesCount64(s.chunks()))
	}
	n := copy(s[offTail+tail:offStack], p)
	s.setTail(tail + n)
	s.setLength(s.length() + uint64(n))
	return n
}

// pushTail turns the tail, a full chunk, into a chaining value, because more input follows.
func (s *state) pushTail(t *tree) {
	value := t.value(s.chunks(), s[offTail:offStack])
	clear(s[offTail:offStack])
	s.setTail(0)
	s.setLength(s.length() - tailSize)
	s.push(t, value, tailSize)
}

func (s *state) pushHalves(t *tree, halves [2 * Size]byte, length uint64) {
	s.push(t, words(halves[:Size]), int(length/2))
	s.push(t, words(halves[Size:]), int(length/2))
}

// push pushes the chaining value of the next length bytes, after merging what can be no part of the root any more.
func (s *state) push(t *tree, value [8]uint32, length int) {
	s.merge(t, bits.OnesCount64(s.chunks()))
	putWords(s.value(int(s[offDepth])), value)
	s[offDepth]++
	s.setLength(s.length() + uint64(length))
}

// merge merges from the top of the stack until depth values are left.
func (s *state) merge(t *tree, depth int) {
	for top := int(s[offDepth]) - 1; top >= depth; top-- {
		left, right := s.value(top-1), s.value(top)
		putWords(left, guts.ChainingValue(t.parent(words(left), words(right))))
		clear(right)
		s[offDepth]--
	}
}
