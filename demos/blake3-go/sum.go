package blake3

import "fmt"

// Sum256 is [Sum256] on this Module.
func (m *Module) Sum256(data []byte) (sum [32]byte) {
	if len(data) > dataSize || m.portable {
		m.sum(modeHash, nil, data, sum[:])
		return sum
	}
	i := m.borrow()
	copy(i.data, data)
	i.must("hash", i.hash, i.staging, uint64(len(data)), i.staging+digestAt)
	sum = [32]byte(i.data[digestAt:])
	m.release(i)
	return sum
}

// Sum512 is [Sum512] on this Module.
func (m *Module) Sum512(data []byte) (sum [64]byte) {
	m.sum(modeHash, nil, data, sum[:])
	return sum
}

// SumKeyed is [SumKeyed] on this Module.
func (m *Module) SumKeyed(key, data []byte) (sum [32]byte, err error) {
	if err := checkKey(key); err != nil {
		return sum, err
	}
	m.sum(modeKeyed, key, data, sum[:])
	return sum, nil
}

// DeriveKey is [DeriveKey] on this Module.
func (m *Module) DeriveKey(context string, material, out []byte) {
	key := m.contextKey(context)
	m.sum(modeDeriveKey, key[:], material, out)
}

func checkKey(key []byte) error {
	if len(key) != KeySize {
		return fmt.Errorf("blake3: the key has %d bytes, want %d", len(key), KeySize)
	}
	return nil
}

// sum fills out with output for data, in one call where both fit in the staging area.
func (m *Module) sum(mode byte, key, data, out []byte) {
	if len(data) > dataSize || len(out) > dataSize || m.portable {
		var s state
		s.init(mode, key)
		m.update(&s, data)
		m.output(&s, 0, out)
		return
	}
	i := m.borrow()
	copy(i.data, data)
	copy(i.data[keyAt:], key)
	i.must("hash", i.hashMode, uint64(mode), i.staging+keyAt, uint64(len(key)), i.staging, uint64(len(data)), i.staging, uint64(len(out)))
	copy(out, i.data)
	if mode != modeHash {
		i.wipe(max(len(data), len(out)))
	}
	m.release(i)
}

// contextKey returns the key that a context stands for.
func (m *Module) contextKey(context string) (key [KeySize]byte) {
	if m.portable {
		m.checkOpen()
		return deriveContext(context)
	}
	i := m.borrow()
	i.deriveContext(context)
	key = [KeySize]byte(i.data[keyAt:])
	i.wipe(0)
	m.release(i)
	return key
}

// update appends p to s. After a panic s is as before.
func (m *Module) update(s *state, p []byte) {
	if s.appendTail(p) {
		return
	}
	if m.portable {
		m.checkOpen()
		if s.length()+uint64(len(p)) < s.length() {
			panic(&EngineError{"hash", codeLength})
		}
		s.update(p)
		return
	}
	i := m.borrow()
	i.load(s)
	part := s.part()
	for rest := p; len(rest) > 0; part = dataSize {
		n := copy(i.data[:part], rest)
		i.must("hash", i.stateUpdate, i.staging+stateAt, i.staging, uint64(n))
		rest = rest[n:]
	}
	i.store(s)
	if s.secret() {
		i.wipe(min(len(p), dataSize))
	}
	m.release(i)
}

// part is how much to append next: parts that begin at multiples of dataSize of the whole input are whole subtrees, which take the fewest
// steps.
func (s *state) part() int { return dataSize - int(s.length()%dataSize) }

// output fills out from a position of the output of s.
func (m *Module) output(s *state, position uint64, out []byte) {
	if m.portable {
		m.checkOpen()
		fill(s.root(), position, out)
		return
	}
	i := m.borrow()
	i.load(s)
	for rest := out; len(rest) > 0; {
		n := min(len(rest), dataSize)
		i.must("read output", i.stateOutput, i.staging+stateAt, position, i.staging, uint64(n))
		copy(rest, i.data[:n])
		rest, position = rest[n:], position+uint64(n)
	}
	if s.secret() {
		i.wipe(min(len(out), dataSize))
	}
	m.release(i)
}

// halves returns the chaining values of the halves of a subtree, in the mode of s, that begins at an offset of the whole input. Its length
// is a power of two, of two chunks or more.
func (m *Module) halves(s *state, offset uint64, data []byte) (halves [2 * Size]byte) {
	if m.portable {
		m.checkOpen()
		t := s.tree()
		return t.halves(offset/tailSize, data)
	}
	i := m.borrow()
	var key []byte
	if s.secret() {
		key = s[offKey:offTail]
	}
	copy(i.data[keyAt:], key)
	mode, middle := uint64(s[offMode]), len(data)/2
	i.value(mode, key, offset, data[:middle], halves[:Size])
	i.value(mode, key, offset+uint64(middle), data[middle:], halves[Size:])
	if s.secret() {
		i.wipe(min(middle, dataSize))
	}
	m.release(i)
	return halves
}

// value writes the chaining value of a subtree to out.
func (i *instance) value(mode uint64, key []byte, offset uint64, data, out []byte) {
	const left, right = digestAt, digestAt + Size
	if len(data) <= dataSize {
		copy(i.data, data)
		i.must("hash", i.subtree, mode, i.staging+keyAt, uint64(len(key)), offset, i.staging, uint64(len(data)), i.staging+left)
	} else {
		var values [2 * Size]byte
		middle := len(data) / 2
		i.value(mode, key, offset, data[:middle], values[:Size])
		i.value(mode, key, offset+uint64(middle), data[middle:], values[Size:])
		copy(i.data[left:], values[:])
		i.must("hash", i.merge, mode, i.staging+keyAt, uint64(len(key)), i.staging+left, i.staging+right, i.staging+left)
	}
	copy(out, i.data[left:])
}

// append appends a subtree of a length that is a power of two, given its halves, where the length so far is a multiple of it.
func (m *Module) append(s *state, halves [2 * Size]byte, length uint64) {
	if m.portable {
		m.checkOpen()
		s.append(halves, length)
		return
	}
	i := m.borrow()
	i.load(s)
	copy(i.data[digestAt:], halves[:])
	i.must("hash", i.stateAppend, i.staging+stateAt, i.staging+digestAt, length)
	i.store(s)
	if s.secret() {
		i.wipe(0)
	}
	m.release(i)
}
