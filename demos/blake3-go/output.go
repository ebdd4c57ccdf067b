package blake3

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// OutputReader reads the extended output of a [Hasher]: 2^64 - 1 bytes, of which the first 32 are the digest. It belongs to one
// goroutine at a time, and any position costs the same to reach.
type OutputReader struct {
	module   *Module
	state    state
	position uint64
}

var _ io.ReadSeeker = (*OutputReader)(nil)

// Read fills p with the next bytes of output. It returns [io.EOF] at position 2^64 - 1, and no other error. It allocates nothing.
func (r *OutputReader) Read(p []byte) (int, error) {
	left := math.MaxUint64 - r.position
	if uint64(len(p)) > left {
		p = p[:left]
	}
	if len(p) == 0 {
		if left == 0 {
			return 0, io.EOF
		}
		return 0, nil
	}
	r.module.output(&r.state, r.position, p)
	r.position += uint64(len(p))
	return len(p), nil
}

// SetPosition moves to a byte of the output, counted from its beginning.
func (r *OutputReader) SetPosition(position uint64) { r.position = position }

// Seek moves as [io.Seeker] says; the end is at 2^64 - 1. A position beyond 2^63 - 1, which the result can't express, is an error, and
// leaves the reader where it is: use [OutputReader.SetPosition] there.
func (r *OutputReader) Seek(offset int64, whence int) (int64, error) {
	var base uint64
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		base = r.position
	case io.SeekEnd:
		base = math.MaxUint64
	default:
		return 0, fmt.Errorf("blake3: seek: unknown whence %d", whence)
	}
	position := base + uint64(offset)
	switch {
	case offset < 0 && position > base:
		return 0, errors.New("blake3: seek: position before the start of the output")
	case position > math.MaxInt64 || offset >= 0 && position < base:
		return 0, errors.New("blake3: seek: position beyond 2^63 - 1, which only SetPosition can reach")
	}
	r.position = position
	return int64(position), nil
}
