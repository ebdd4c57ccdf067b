package blake3

import (
	"encoding/binary"
	"slices"
	"testing"
)

// What a function of a stub does.
var unreachable = []byte{0x00}

func returns(v uint32) []byte { // below 2^31
	return []byte{0x41, byte(v) | 0x80, byte(v>>7) | 0x80, byte(v>>14) | 0x80, byte(v>>21) | 0x80, byte(v >> 28)}
}

// stub is a module with the exports of the artifact that hashes nothing.
type stub struct {
	memory    string
	functions map[string]*function
}

type function struct {
	parameters string // of each, i for i32 and I for i64
	body       []byte // leaves one i32
}

func newStub() *stub {
	s := &stub{memory: "memory", functions: map[string]*function{}}
	for name, parameters := range map[string]string{
		"b3_abi_version": "", "b3_staging": "", "b3_staging_size": "", "alloc": "i", "dealloc": "ii",
		"hash": "iii", "b3_hash": "iiiiiii", "b3_context_key": "iii",
		"b3_state_init": "iiii", "b3_state_check": "i", "b3_state_update": "iii", "b3_state_append": "iiI", "b3_state_output": "iIii",
		"b3_subtree": "iiiIiii", "b3_merge": "iiiiii", "b3_root": "iiiiiIii",
	} {
		s.functions[name] = &function{parameters, returns(0)}
	}
	s.functions["b3_abi_version"].body = returns(1)
	s.functions["b3_staging_size"].body = returns(72 << 10)
	return s
}

// wasm encodes the module: https://webassembly.github.io/spec/core/binary/modules.html
func (s *stub) wasm() []byte {
	prefixed := func(content []byte) []byte {
		return append(binary.AppendUvarint(nil, uint64(len(content))), content...)
	}
	vector := func(items ...[]byte) []byte {
		return append(binary.AppendUvarint(nil, uint64(len(items))), slices.Concat(items...)...)
	}
	var types, functions, codes [][]byte
	exports := [][]byte{slices.Concat(prefixed([]byte(s.memory)), []byte{2, 0})}
	for name, f := range s.functions {
		var parameters [][]byte
		for _, p := range f.parameters {
			parameters = append(parameters, []byte{map[rune]byte{'i': 0x7f, 'I': 0x7e}[p]})
		}
		index := []byte{byte(len(types))}
		types = append(types, slices.Concat([]byte{0x60}, vector(parameters...), vector([]byte{0x7f})))
		functions = append(functions, index)
		exports = append(exports, slices.Concat(prefixed([]byte(name)), []byte{0}, index))
		codes = append(codes, prefixed(slices.Concat(vector(), f.body, []byte{0x0b})))
	}
	module := []byte("\x00asm\x01\x00\x00\x00")
	for _, section := range []struct {
		id      byte
		content []byte
	}{
		{1, vector(types...)},
		{3, vector(functions...)},
		{5, vector([]byte{0, 2})}, // one memory of two pages
		{7, vector(exports...)},
		{10, vector(codes...)},
	} {
		module = slices.Concat(module, []byte{section.id}, prefixed(section.content))
	}
	return module
}

func (s *stub) compile(t *testing.T, options ...CompileOption) *Module {
	t.Helper()
	m, err := Compile(t.Context(), append(options, WithWASM(s.wasm()))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return m
}
