package blake3

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"
	"github.com/tetratelabs/wazero"
	"golang.org/x/sys/cpu"
)

// Module is the compiled artifact with a pool of instances, one for each goroutine at work. It must be made by [Compile]. All its methods may
// be called from any number of goroutines at once.
//
// An instance is 128 KiB of linear memory. Instances that nobody used during two garbage collections are freed; the machine code and tables that an
// idle Module keeps are about 250 KB.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	cache    wazero.CompilationCache // nil without a directory
	name     string

	// portable says that there is no runtime: tree computes.
	portable bool

	// Of *instance. A pool has a slot for each processor, so that goroutines don't contend.
	pool sync.Pool

	closed atomic.Bool // written under mu
	mu     sync.Mutex
	live   map[*engine]struct{}
}

type config struct {
	interpreter bool
	portable    bool
	cache       bool
	cacheDir    string
	wasm        []byte // nil for the artifact
}

// CompileOption is an option of [Compile].
type CompileOption func(*config)

// WithInterpreter runs the module in wazero's interpreter: on every platform, without executable memory, about a hundred times
// slower. Compiling takes less time.
func WithInterpreter() CompileOption { return func(c *config) { c.interpreter = true } }

// WithCompilationCache keeps the compiled machine code in a directory, which is made with mode 0700 where it is missing, and takes it
// from there the next time. What lies there is executed: nobody else may write to it, and a file that the disk has damaged can crash the
// process. Only the compiler uses it.
func WithCompilationCache(dir string) CompileOption {
	return func(c *config) { c.cache, c.cacheDir = true, dir }
}

// WithWASM runs another build of the artifact. Compile checks its exports and the version of its ABI. The bytes are not kept.
func WithWASM(wasm []byte) CompileOption {
	return func(c *config) { c.wasm = append([]byte{}, wasm...) }
}

// Compile compiles the artifact to machine code. Where that is not possible (a platform other than amd64 and arm64, amd64 without SSE4.1,
// executable memory refused) the Module computes in plain Go, from lukechampine.com/blake3, with the same results and states; or, with
// [WithWASM], in wazero's interpreter. [Module.Engine] tells.
//
// The first instance is made at once, so that an unfit module is an error here and nowhere else. The context is for compiling only.
func Compile(ctx context.Context, options ...CompileOption) (*Module, error) {
	var c config
	for _, option := range options {
		option(&c)
	}
	if !c.interpreter && !c.portable {
		m, err := c.build(ctx, "compiler", compilerConfig)
		if !errors.Is(err, errNoCompiler) {
			return m, err
		}
		c.portable = c.wasm == nil
	}
	if c.portable {
		return &Module{name: "portable", portable: true}, nil
	}
	c.cache = false
	return c.build(ctx, "interpreter", wazero.NewRuntimeConfigInterpreter)
}

var errNoCompiler = errors.New("wazero has no compiler here")

// compilerConfig panics where there is no compiler. wazero.NewRuntimeConfig asks for SSE4.1, but does not tell what it found;
// wazero.NewRuntimeConfigCompiler does not ask, and an illegal instruction would end the process.
func compilerConfig() wazero.RuntimeConfig {
	if runtime.GOARCH == "amd64" && !cpu.X86.HasSSE41 {
		panic("the processor has no SSE4.1")
	}
	return wazero.NewRuntimeConfigCompiler()
}

func (c *config) build(ctx context.Context, name string, configure func() wazero.RuntimeConfig) (_ *Module, err error) {
	m := &Module{name: name, live: map[*engine]struct{}{}}
	defer func() {
		cause := recover()
		failure, _ := cause.(error)
		switch {
		case cause == nil:
		case m.runtime == nil && !errors.As(failure, new(runtime.Error)), errors.As(failure, new(syscall.Errno)):
			// The answer where the platform has no compiler, or memory can't be made executable.
			err = fmt.Errorf("%w: %v", errNoCompiler, cause)
		case c.cache:
			err = c.cacheError(fmt.Errorf("wazero panicked: %v", cause))
		default:
			panic(cause)
		}
		if err != nil {
			err = errors.Join(fmt.Errorf("blake3: %w", err), m.Close(ctx))
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("compile the module: %w", err)
	}
	settings := configure()
	if c.cache {
		if err := os.MkdirAll(c.cacheDir, 0o700); err != nil {
			return nil, fmt.Errorf("make the compilation cache: %w", err)
		}
		if m.cache, err = wazero.NewCompilationCacheWithDir(c.cacheDir); err != nil {
			return nil, fmt.Errorf("open the compilation cache: %w", err)
		}
		settings = settings.WithCompilationCache(m.cache)
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, settings)
	wasm := c.wasm
	if wasm == nil {
		wasm = rustblake3.WASM
	}
	if m.compiled, err = m.runtime.CompileModule(ctx, wasm); err != nil {
		if c.cache {
			return nil, c.cacheError(err)
		}
		return nil, fmt.Errorf("compile the module: %w", err)
	}
	if err := checkExports(m.compiled); err != nil {
		return nil, err
	}
	i, err := m.instantiate(ctx)
	if err != nil {
		return nil, err
	}
	m.pool.Put(i)
	return m, nil
}

func (c *config) cacheError(err error) error {
	return fmt.Errorf("compile the module, or take it from the cache in %s, which may be deleted: %w", c.cacheDir, err)
}

// Engine tells what computes: "compiler", "interpreter" or "portable".
func (m *Module) Engine() string { return m.name }

// Close waits for calls under way that only compute, then frees the module. Later calls that compute, those of its hashers too, panic with an
// [EngineError] that wraps [ErrClosed]; those that read, later or under way, return it. Closing again does nothing.
func (m *Module) Close(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed.Swap(true) {
		return nil
	}
	for e := range m.live {
		e.mu.Lock()
		e.closed = true
		e.mu.Unlock()
	}
	var errs []error
	if m.runtime != nil {
		errs = append(errs, m.runtime.Close(ctx))
	}
	if m.cache != nil {
		errs = append(errs, m.cache.Close(ctx))
	}
	return errors.Join(errs...)
}

// instantiate makes an instance that is closed when the pool has dropped it.
func (m *Module) instantiate(ctx context.Context) (*instance, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed.Load() {
		return nil, ErrClosed
	}
	i, err := newInstance(ctx, m)
	if err != nil {
		return nil, err
	}
	m.live[i.engine] = struct{}{}
	runtime.AddCleanup(i, m.discard, i.engine)
	return i, nil
}

// borrow returns an instance for the caller alone, until release.
func (m *Module) borrow() *instance {
	i, _ := m.pool.Get().(*instance)
	if i == nil {
		var err error
		if i, err = m.instantiate(context.Background()); err != nil {
			panic(&EngineError{"use the module", err})
		}
	}
	i.mu.Lock()
	i.checkOpen()
	return i
}

// checkOpen panics where a Module without instances has been closed.
func (m *Module) checkOpen() {
	if m.closed.Load() {
		panic(&EngineError{"use the module", ErrClosed})
	}
}

func (m *Module) release(i *instance) {
	i.mu.Unlock()
	m.pool.Put(i)
}

// discard closes an instance that is not in use by another goroutine.
func (m *Module) discard(e *engine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.live[e]; ok && !m.closed.Load() {
		delete(m.live, e)
		e.module.Close(context.Background())
	}
}
