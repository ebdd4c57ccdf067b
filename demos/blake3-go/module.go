package blake3

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	rustblake3 "github.com/blake3-polyglot/blake3-polyglot/packages/rust-blake3"
	"github.com/tetratelabs/wazero"
)

// Module is the compiled artifact with a pool of instances, one for each goroutine at work. All its methods may be called from any
// number of goroutines at once.
//
// An instance is 128 KiB of linear memory. Instances that nobody used during two garbage collections are freed.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	cache    wazero.CompilationCache // nil without a directory
	name     string

	// Of *instance. A pool has a slot for each processor, so that goroutines don't contend.
	pool sync.Pool

	mu     sync.Mutex
	closed bool
	live   map[*engine]struct{}
}

type config struct {
	interpreter bool
	cacheDir    string
	wasm        []byte
}

// CompileOption is an option of [Compile].
type CompileOption func(*config)

// WithInterpreter runs the module in wazero's interpreter: on every platform, without executable memory, about a hundred times
// slower. Compiling takes less time.
func WithInterpreter() CompileOption { return func(c *config) { c.interpreter = true } }

// WithCompilationCache keeps the compiled machine code in a directory, which is made with mode 0700 where it is missing, and takes it
// from there the next time. What lies there is executed: nobody else may write to it. The interpreter does not use it.
func WithCompilationCache(dir string) CompileOption { return func(c *config) { c.cacheDir = dir } }

// WithWASM runs another build of the artifact. Compile checks its exports and the version of its ABI. The bytes are not kept.
func WithWASM(wasm []byte) CompileOption { return func(c *config) { c.wasm = wasm } }

// Compile compiles the artifact to machine code, or for the interpreter where the platform has no compiler; [Module.Engine] tells.
// The first instance is made at once, so that an unfit module is an error here and nowhere else. The context is for compiling only.
func Compile(ctx context.Context, options ...CompileOption) (_ *Module, err error) {
	c := config{wasm: rustblake3.WASM}
	for _, option := range options {
		option(&c)
	}
	m := &Module{live: map[*engine]struct{}{}}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("blake3: %w", err), m.Close(ctx))
		}
	}()
	if c.cacheDir != "" {
		if err := os.MkdirAll(c.cacheDir, 0o700); err != nil {
			return nil, fmt.Errorf("make the compilation cache: %w", err)
		}
		if m.cache, err = wazero.NewCompilationCacheWithDir(c.cacheDir); err != nil {
			return nil, fmt.Errorf("open the compilation cache: %w", err)
		}
	}
	m.runtime, m.name = newRuntime(ctx, c.interpreter, m.cache)
	if m.compiled, err = m.runtime.CompileModule(ctx, c.wasm); err != nil {
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

func newRuntime(ctx context.Context, interpreter bool, cache wazero.CompilationCache) (r wazero.Runtime, engine string) {
	start := func(c wazero.RuntimeConfig) wazero.Runtime {
		if cache != nil {
			c = c.WithCompilationCache(cache)
		}
		return wazero.NewRuntimeWithConfig(ctx, c)
	}
	fallBack := func() (wazero.Runtime, string) { return start(wazero.NewRuntimeConfigInterpreter()), "interpreter" }
	if interpreter {
		return fallBack()
	}
	defer func() {
		if recover() != nil { // wazero's answer where the platform has no compiler
			r, engine = fallBack()
		}
	}()
	return start(wazero.NewRuntimeConfigCompiler()), "compiler"
}

// Engine tells what runs the module: "compiler" or "interpreter".
func (m *Module) Engine() string { return m.name }

// Close waits for calls under way, then frees the module. Later calls, and those of its hashers, panic with an [EngineError] that
// wraps [ErrClosed]. Closing again does nothing.
func (m *Module) Close(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
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
	if m.closed {
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
	if i.closed {
		i.mu.Unlock()
		panic(&EngineError{"use the module", ErrClosed})
	}
	return i
}

func (m *Module) release(i *instance) {
	i.mu.Unlock()
	m.pool.Put(i)
}

// discard closes an instance that is not in use by another goroutine.
func (m *Module) discard(e *engine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.live[e]; ok && !m.closed {
		delete(m.live, e)
		e.module.Close(context.Background())
	}
}
