package blake3

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// The layout of an instance's staging area: 64 KiB of data, which is input or output, then a state, a key and a digest.
const (
	dataSize    = 64 << 10
	stateAt     = dataSize
	keyAt       = stateAt + stateSize
	digestAt    = keyAt + KeySize
	stagingSize = digestAt + 2*Size
)

const abiVersion = 1

var (
	i32, i64  = api.ValueTypeI32, api.ValueTypeI64
	signature = map[string][]api.ValueType{ // each returns one i32
		"b3_abi_version":  {},
		"b3_staging":      {},
		"b3_staging_size": {},
		"alloc":           {i32},
		"dealloc":         {i32, i32},
		"hash":            {i32, i32, i32},
		"b3_hash":         {i32, i32, i32, i32, i32, i32, i32},
		"b3_context_key":  {i32, i32, i32},
		"b3_state_update": {i32, i32, i32},
		"b3_state_append": {i32, i32, i64},
		"b3_state_output": {i32, i64, i32, i32},
		"b3_subtree":      {i32, i32, i32, i64, i32, i32, i32},
		"b3_merge":        {i32, i32, i32, i32, i32, i32},
	}
)

// checkExports reports what a module lacks of the ABI.
func checkExports(compiled wazero.CompiledModule) error {
	functions := compiled.ExportedFunctions()
	for _, name := range slices.Sorted(maps.Keys(signature)) {
		parameters := signature[name]
		f, ok := functions[name]
		if !ok {
			return fmt.Errorf("the module does not export the function %s", name)
		}
		if !slices.Equal(f.ParamTypes(), parameters) || !slices.Equal(f.ResultTypes(), []api.ValueType{i32}) {
			return fmt.Errorf("the module's function %s has another signature than packages/rust-blake3 declares", name)
		}
	}
	if compiled.ExportedMemories()["memory"] == nil {
		return fmt.Errorf("the module does not export its memory")
	}
	return nil
}

// engine is what closing must reach of an instance, while the pool may drop the rest.
type engine struct {
	mu     sync.Mutex // held during each use
	closed bool
	module api.Module
}

// instance is a machine that one goroutine at a time borrows from its Module.
type instance struct {
	*engine
	owner   *Module
	memory  api.Memory
	staging uint64
	data    []byte // the staging area
	stack   [7]uint64

	hash, hashMode, contextKey, stateUpdate, stateAppend, stateOutput, subtree, merge, alloc, dealloc api.Function
}

func newInstance(ctx context.Context, owner *Module) (*instance, error) {
	module, err := owner.runtime.InstantiateModule(ctx, owner.compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("instantiate the module: %w", err)
	}
	i := &instance{
		engine:      &engine{module: module},
		owner:       owner,
		memory:      module.Memory(),
		hash:        module.ExportedFunction("hash"),
		hashMode:    module.ExportedFunction("b3_hash"),
		contextKey:  module.ExportedFunction("b3_context_key"),
		stateUpdate: module.ExportedFunction("b3_state_update"),
		stateAppend: module.ExportedFunction("b3_state_append"),
		subtree:     module.ExportedFunction("b3_subtree"),
		merge:       module.ExportedFunction("b3_merge"),
		stateOutput: module.ExportedFunction("b3_state_output"),
		alloc:       module.ExportedFunction("alloc"),
		dealloc:     module.ExportedFunction("dealloc"),
	}
	var answers [3]uint64
	for k, name := range []string{"b3_abi_version", "b3_staging", "b3_staging_size"} {
		if answers[k], err = i.call(module.ExportedFunction(name)); err != nil {
			break
		}
	}
	version, staging, size := answers[0], answers[1], answers[2]
	switch {
	case err != nil:
	case version != abiVersion:
		err = fmt.Errorf("the module has ABI version %d, this package needs %d", version, abiVersion)
	case size < stagingSize:
		err = fmt.Errorf("the module has a staging area of %d bytes, this package needs %d", size, stagingSize)
	default:
		i.staging = staging
		err = i.attach()
	}
	if err != nil {
		module.Close(ctx)
		return nil, err
	}
	return i, nil
}

// attach finds the staging area, which moves in Go's memory when linear memory grows.
func (i *instance) attach() error {
	data, ok := i.memory.Read(uint32(i.staging), stagingSize)
	if !ok {
		return fmt.Errorf("the module's staging area lies outside its memory")
	}
	i.data = data
	return nil
}

// call calls f and returns its result. An error is a trap.
func (i *instance) call(f api.Function, args ...uint64) (uint64, error) {
	copy(i.stack[:], args)
	err := f.CallWithStack(context.Background(), i.stack[:])
	return uint64(uint32(i.stack[0])), err
}

// must calls f, which returns a code. If it fails it gives the instance up and panics.
func (i *instance) must(op string, f api.Function, args ...uint64) {
	code, err := i.call(f, args...)
	if err == nil && code != 0 {
		err = codeError(code)
	}
	if err != nil {
		i.fail(op, err)
	}
}

func (i *instance) fail(op string, err error) {
	i.wipe(dataSize)
	i.closed = true
	i.mu.Unlock() // before discard, which takes the Module's lock: Close takes them the other way round
	i.owner.discard(i.engine)
	panic(&EngineError{op, err})
}

// checkOpen gives the instance back and panics where the Module has been closed.
func (i *instance) checkOpen() {
	if i.closed {
		i.mu.Unlock()
		panic(&EngineError{"use the module", ErrClosed})
	}
}

// wipe clears what a secret call left in the staging area: the first n bytes of data, and all behind the data.
func (i *instance) wipe(n int) {
	clear(i.data[:n])
	clear(i.data[dataSize:])
}

// deriveContext puts the key of a context where sum and load expect a key.
func (i *instance) deriveContext(context string) {
	at := i.staging
	long := len(context) > dataSize
	if long {
		pointer, err := i.call(i.alloc, uint64(len(context)))
		if err == nil && pointer == 0 {
			err = fmt.Errorf("a context of %d bytes does not fit in the module's memory", len(context))
		}
		if err == nil {
			err = i.attach()
		}
		if err != nil {
			i.fail("derive a key", err)
		}
		at = pointer
	}
	i.memory.WriteString(uint32(at), context)
	i.must("derive a key", i.contextKey, at, uint64(len(context)), i.staging+keyAt)
	if long {
		i.must("derive a key", i.dealloc, at, uint64(len(context)))
	}
}

// load copies a state in, store copies it out. Above the top of its stack a state is zero.
func (i *instance) load(s *state) { copy(i.data[stateAt:], s[:s.used()]) }

func (i *instance) store(s *state) {
	before := s.used()
	after := copy(s[:(*state)(i.data[stateAt:]).used()], i.data[stateAt:])
	if after < before {
		clear(s[after:before])
	}
}
