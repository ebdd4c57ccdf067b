package blake3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// Option is an option of the functions that read: [SumReader], [SumReaderAt], [SumFile] and [Hasher.UpdateReaderAt].
type Option func(*reading)

// WithParallelism lets n goroutines hash at once, instead of GOMAXPROCS. It must be 1 at least; more than 65536 are not
// started.
func WithParallelism(n int) Option {
	return func(r *reading) { r.parallelism = n }
}

// WithProgress calls f, on the calling goroutine, with the bytes hashed so far, in order, and their total, which is -1 where nobody knows it.
func WithProgress(f func(done, total int64)) Option {
	return func(r *reading) { r.progress = f }
}

// Parts of the input are subtrees: aligned, of a power of two of bytes. The smallest fits an instance, the largest a processor's cache.
const (
	minPart = dataSize
	maxPart = 4 * dataSize
)

// SumReader is [SumReader] on this Module.
func (m *Module) SumReader(ctx context.Context, r io.Reader, options ...Option) (sum [32]byte, err error) {
	job := reading{Module: m, ctx: ctx, reader: r, total: -1}
	return job.sum(options)
}

// SumReaderAt is [SumReaderAt] on this Module.
func (m *Module) SumReaderAt(ctx context.Context, r io.ReaderAt, size int64, options ...Option) (sum [32]byte, err error) {
	job := reading{Module: m, ctx: ctx, readerAt: r, total: size}
	return job.sum(options)
}

// SumFile is [SumFile] on this Module.
func (m *Module) SumFile(ctx context.Context, path string, options ...Option) (sum [32]byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return sum, fmt.Errorf("blake3: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return sum, fmt.Errorf("blake3: %w", err)
	}
	// Pipes and devices have no size, and what lies in /proc says 0.
	if !info.Mode().IsRegular() || info.Size() == 0 {
		sum, err = m.SumReader(ctx, file, options...)
	} else if sum, err = m.SumReaderAt(ctx, file, info.Size(), options...); err == nil {
		if n, _ := file.ReadAt(make([]byte, 1), info.Size()); n != 0 {
			err = fmt.Errorf("blake3: read at offset %d: the file grew while it was hashed", info.Size())
		}
	}
	if err != nil {
		return [32]byte{}, fmt.Errorf("%w (in %s)", err, path)
	}
	return sum, nil
}

// UpdateReaderAt appends the first size bytes of r to the input, on all cores: each goroutine reads and hashes a part at a time, so r must allow
// parallel calls, as every [io.ReaderAt] does. Memory is bounded whatever the size: an instance and up to 512 KiB for each goroutine. It returns
// when all goroutines have ended, after an error or when ctx is done within the time of one part. An error of r names the offset in it; one that
// wraps [ErrClosed] tells that the Module was closed meanwhile. After an error or a panic of r the hasher is as before. Neither r nor a progress
// function may use the hasher.
func (h *Hasher) UpdateReaderAt(ctx context.Context, r io.ReaderAt, size int64, options ...Option) error {
	job := reading{Module: h.use(), ctx: ctx, readerAt: r, total: size}
	return job.update(&h.state, options)
}

// reading is one call of a function that reads.
type reading struct {
	*Module
	ctx      context.Context
	reader   io.Reader
	readerAt io.ReaderAt // where reader is nil
	total    int64       // -1 for a reader

	parallelism int
	progress    func(done, total int64)

	start uint64 // the length of the input before
	state state
	at    int64 // read so far
	done  int64 // appended to state so far
}

// part is a subtree of the input.
type part struct {
	at       int64 // in the reader
	data     []byte
	halves   [2 * Size]byte
	err      error
	panicked any
	done     chan struct{}
}

func (r *reading) sum(options []Option) (sum [32]byte, err error) {
	defer returned(&err)
	var s state
	s.init(modeHash, nil)
	if err := r.update(&s, options); err != nil {
		return sum, err
	}
	r.output(&s, 0, sum[:])
	return sum, nil
}

// returned makes an EngineError, with which functions that compute panic, an error.
func returned(err *error) {
	if cause := recover(); cause != nil {
		failure, ok := cause.(*EngineError)
		if !ok {
			panic(cause)
		}
		*err = failure
	}
}

// update appends the input to s: all of it or, after an error, nothing.
func (r *reading) update(s *state, options []Option) (err error) {
	defer returned(&err)
	if r.reader == nil && r.readerAt == nil {
		return errors.New("blake3: the reader is nil")
	}
	r.parallelism = runtime.GOMAXPROCS(0)
	for _, option := range options {
		option(r)
	}
	if r.parallelism < 1 {
		return fmt.Errorf("blake3: WithParallelism(%d): want 1 at least", r.parallelism)
	}
	r.parallelism = min(r.parallelism, 1<<16) // its multiples must fit in an int of 32 bits, and a queue of them in memory
	if r.reader == nil && r.total < 0 {
		return fmt.Errorf("blake3: the size is %d, want 0 at least", r.total)
	}
	if r.total > 0 && s.length()+uint64(r.total) < s.length() {
		return errors.New("blake3: the input would be longer than 2^64 - 1 bytes")
	}
	r.start, r.state = s.length(), *s
	size := maxPart
	if r.reader == nil {
		for size > minPart && int64(size) > r.total/int64(4*r.parallelism) {
			size /= 2
		}
	}
	// Before the first whole part of the whole input, and after the last, this goroutine hashes.
	// The memory is this call's alone: a reader that writes to it after it returned, against its contract, spoils nothing else.
	var buffer []byte
	head := (size - int(s.length()%uint64(size))) % size
	if head > 0 {
		buffer = make([]byte, size)
	}
	ended, err := r.hash(buffer[:head])
	if err == nil && !ended && (r.reader != nil || r.parallelism > 1 && r.total-r.at >= 2*int64(size)) {
		ended, err = r.hashParts(size)
	}
	if err == nil && !ended && buffer == nil {
		buffer = make([]byte, min(int64(size), r.total-r.at))
	}
	for err == nil && !ended {
		ended, err = r.hash(buffer)
	}
	if err != nil {
		return err
	}
	*s = r.state
	return nil
}

// hash reads and appends what buffer takes, and reports whether that was the end.
func (r *reading) hash(buffer []byte) (ended bool, err error) {
	n, ended, err := r.read(buffer)
	if err == nil && n > 0 {
		r.Module.update(&r.state, buffer[:n])
		r.advance(n)
	}
	return ended, err
}

// hashParts reads parts, which other goroutines hash, and appends them in order.
func (r *reading) hashParts(size int) (ended bool, err error) {
	most := 2 * r.parallelism // under way
	var (
		free  []*part
		queue []*part
		rest  []byte // less than a part, where a reader ends
		all   sync.WaitGroup
		stop  atomic.Bool
		base  = r.state // its mode and key, for all to read
		work  = make(chan *part, most)
	)
	defer all.Wait()
	defer close(work)
	defer stop.Store(true) // also when a reader or the progress function panics
	collect := func() error {
		p := queue[0]
		queue, free = queue[1:], append(free, p)
		<-p.done
		if p.panicked != nil {
			panic(p.panicked)
		}
		if p.err == nil {
			p.err = r.cancelled(p.at)
		}
		if p.err == nil {
			r.append(&r.state, p.halves, uint64(size))
			r.advance(size)
		}
		return p.err
	}
	for started := 0; err == nil && !ended; {
		if len(queue) == most {
			err = collect()
			continue
		}
		if len(free) == 0 {
			free = append(free, &part{data: make([]byte, size), done: make(chan struct{}, 1)})
		}
		p := free[0]
		p.at = r.at
		if r.reader == nil {
			if r.total-r.at < int64(size) {
				break
			}
			r.at += int64(size)
		} else {
			var n int
			if n, ended, err = r.read(p.data); err != nil || n < size {
				rest = p.data[:n]
				break
			}
		}
		if started < r.parallelism {
			started++
			all.Go(func() {
				for p := range work {
					if !stop.Load() {
						r.hashPart(p, &base)
					}
				}
			})
		}
		free, queue = free[1:], append(queue, p)
		work <- p
	}
	for err == nil && len(queue) > 0 {
		err = collect()
	}
	if err == nil && len(rest) > 0 {
		r.Module.update(&r.state, rest)
		r.advance(len(rest))
	}
	return ended || r.at == r.total, err
}

// hashPart hashes a part on a goroutine of its own, after reading it from an [io.ReaderAt].
func (r *reading) hashPart(p *part, base *state) {
	p.err = errors.New("blake3: the reader ended the goroutine that called it") // by runtime.Goexit
	defer func() {
		p.panicked = recover()
		p.done <- struct{}{}
	}()
	var err error
	if r.reader == nil {
		err = r.readAt(p.data, p.at)
	}
	if err == nil {
		p.halves = r.halves(base, r.start+uint64(p.at), p.data)
	}
	p.err = err
}

// read fills buffer with what comes next and reports whether that was the end.
func (r *reading) read(buffer []byte) (n int, ended bool, err error) {
	if err := r.cancelled(r.at); err != nil {
		return 0, false, err
	}
	if r.reader == nil {
		n = int(min(int64(len(buffer)), r.total-r.at))
		err = r.readAt(buffer[:n], r.at)
		r.at += int64(n)
		return n, r.at == r.total, err
	}
	n, err = readFull(r.reader, buffer)
	r.at += int64(n)
	if err == io.EOF {
		return n, true, nil
	}
	if err != nil {
		err = fmt.Errorf("blake3: read at offset %d: %w", r.at, err)
	}
	return n, false, err
}

// readAt fills data from an offset.
func (r *reading) readAt(data []byte, at int64) error {
	if err := r.cancelled(at); err != nil || len(data) == 0 {
		return err
	}
	n, err := r.readerAt.ReadAt(data, at)
	switch {
	case n < 0 || n > len(data):
		n, err = 0, fmt.Errorf("the reader says that it read %d of %d bytes", n, len(data))
	case n == len(data) && (err == nil || err == io.EOF):
		return nil
	case err == nil:
		err = io.ErrNoProgress
	case err == io.EOF:
		err = fmt.Errorf("the input ends before its size, %d: %w", r.total, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("blake3: read at offset %d: %w", at+int64(n), err)
}

func (r *reading) cancelled(at int64) error {
	if err := r.ctx.Err(); err != nil {
		return fmt.Errorf("blake3: read at offset %d: %w", at, err)
	}
	return nil
}

func (r *reading) advance(n int) {
	r.done += int64(n)
	if r.progress != nil {
		r.progress(r.done, r.total)
	}
}

// readFull reads until buffer is full, or r fails or ends, which is [io.EOF]. Unlike [io.ReadFull] it leaves r's own
// [io.ErrUnexpectedEOF] what it is.
func readFull(r io.Reader, buffer []byte) (n int, err error) {
	for empty := 0; n < len(buffer) && err == nil; {
		var k int
		k, err = r.Read(buffer[n:])
		if k < 0 || k > len(buffer)-n {
			return n, fmt.Errorf("the reader says that it read %d of %d bytes", k, len(buffer)-n)
		}
		n += k
		if k > 0 || err != nil {
			empty = 0
		} else if empty++; empty == 100 {
			err = io.ErrNoProgress
		}
	}
	return n, err
}

// readFrom appends what r gives to s. While r reads, the instance is this goroutine's, but Close does not wait for it.
func (m *Module) readFrom(s *state, r io.Reader) (total int64, err error) {
	if r == nil {
		return 0, errors.New("blake3: the reader is nil")
	}
	defer returned(&err)
	if m.portable {
		buffer, next := make([]byte, dataSize), *s
		for err == nil {
			var n int
			n, err = readFull(r, buffer[:next.part()])
			m.update(&next, buffer[:n])
			total += int64(n)
		}
		*s = next
	} else {
		i := m.borrow()
		i.load(s)
		inside := (*state)(i.data[stateAt:])
		reading := false
		defer func() {
			if reading { // r panicked
				i.mu.Lock()
				i.wipe(dataSize)
				m.release(i)
			}
		}()
		for err == nil {
			part := inside.part()
			reading = true
			i.mu.Unlock()
			var n int
			n, err = readFull(r, i.data[:part:part])
			i.mu.Lock()
			reading = false
			i.checkOpen()
			i.must("hash", i.stateUpdate, i.staging+stateAt, i.staging, uint64(n))
			total += int64(n)
		}
		i.store(s)
		if s.secret() {
			i.wipe(int(min(total, dataSize)))
		}
		m.release(i)
	}
	if err == io.EOF {
		return total, nil
	}
	return total, fmt.Errorf("blake3: read at offset %d: %w", total, err)
}
