package blake3

import "fmt"

// Sum256 is [Sum256] on this Module.
func (m *Module) Sum256(data []byte) (sum [32]byte) {
	if len(data) > dataSize {
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
	if len(data) > dataSize || len(out) > dataSize {
		var s state
		s.init(mode, key)
		update(m, &s, data)
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
	i := m.borrow()
	i.deriveContext(context)
	key = [KeySize]byte(i.data[keyAt:])
	i.wipe(0)
	m.release(i)
	return key
}

// update appends p to s. After a panic s is as before.
func update[T []byte | string](m *Module, s *state, p T) {
	if appendTail(s, p) {
		return
	}
	i := m.borrow()
	i.load(s)
	// Parts that begin at multiples of dataSize of the whole input are whole subtrees, which take the fewest steps.
	part := dataSize - int(s.length()%dataSize)
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

// output fills out from a position of the output of s.
func (m *Module) output(s *state, position uint64, out []byte) {
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
