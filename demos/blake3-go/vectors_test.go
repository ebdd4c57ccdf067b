package blake3_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"

	zeebo "github.com/zeebo/blake3"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

const vectorContext = "BLAKE3 2019-12-27 16:29:52 test vectors context"

var vectorKey = []byte("whats the Elvish word for friend")

// pattern returns the input of the test vectors.
func pattern(n int) []byte {
	input := make([]byte, n)
	for i := range input {
		input[i] = byte(i % 251)
	}
	return input
}

func compile(t testing.TB, options ...blake3.CompileOption) *blake3.Module {
	t.Helper()
	m, err := blake3.Compile(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(t.Context()) })
	return m
}

// engines returns a Module for each engine that this platform has.
func engines(t testing.TB) map[string]*blake3.Module {
	t.Helper()
	modules := map[string]*blake3.Module{
		"compiler":    compile(t),
		"interpreter": compile(t, blake3.WithInterpreter()),
		"portable":    compile(t, blake3.WithPortable()),
	}
	for name, m := range modules {
		if m.Engine() == name {
			continue
		}
		// amd64 without SSE4.1 is portable too: NO_COMPILER=1 says that it is meant
		if (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") && os.Getenv("NO_COMPILER") == "" || name != "compiler" || m.Engine() != "portable" {
			t.Fatalf("engine %q, want %q", m.Engine(), name)
		}
		t.Logf("NOT TESTED: the compiler, which %s does not have", runtime.GOARCH)
		delete(modules, name)
	}
	return modules
}

// fast returns those of engines that hash more than a few KiB in no time.
func fast(t testing.TB) map[string]*blake3.Module {
	t.Helper()
	modules := engines(t)
	delete(modules, "interpreter")
	return modules
}

// mode is one of the three, on a Module and, as an independent answer, in zeebo's implementation.
type mode struct {
	name   string
	hasher func(*blake3.Module) *blake3.Hasher
	zeebo  func() *zeebo.Hasher
}

var modes = []mode{
	{"hash", (*blake3.Module).New, zeebo.New},
	{"keyed_hash", func(m *blake3.Module) *blake3.Hasher {
		h, err := m.NewKeyed(vectorKey)
		if err != nil {
			panic(err)
		}
		return h
	}, func() *zeebo.Hasher {
		h, err := zeebo.NewKeyed(vectorKey)
		if err != nil {
			panic(err)
		}
		return h
	}},
	{"derive_key", func(m *blake3.Module) *blake3.Hasher { return m.NewDeriveKey(vectorContext) },
		func() *zeebo.Hasher { return zeebo.NewDeriveKey(vectorContext) }},
}

// want returns zeebo's output of n bytes.
func (m mode) want(input []byte, n int) []byte {
	h := m.zeebo()
	h.Write(input)
	out := make([]byte, n)
	h.Digest().Read(out)
	return out
}

func TestVectors(t *testing.T) {
	var vectors struct {
		Key     string
		Context string `json:"context_string"`
		Cases   []struct {
			InputLen  int    `json:"input_len"`
			Hash      string `json:"hash"`
			KeyedHash string `json:"keyed_hash"`
			DeriveKey string `json:"derive_key"`
		}
	}
	data, err := os.ReadFile("../../packages/rust-blake3/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) != 35 || vectors.Key != string(vectorKey) || vectors.Context != vectorContext {
		t.Fatalf("%d cases, key %q, context %q", len(vectors.Cases), vectors.Key, vectors.Context)
	}
	for engine, m := range engines(t) {
		t.Run(engine, func(t *testing.T) {
			for _, c := range vectors.Cases {
				input := pattern(c.InputLen)
				for i, want := range []string{c.Hash, c.KeyedHash, c.DeriveKey} {
					if got := hex.EncodeToString(modes[i].want(input, 131)); got != want {
						t.Errorf("%s of %d bytes: zeebo gives %s, want %s", modes[i].name, c.InputLen, got, want)
					}
					h := modes[i].hasher(m)
					h.Write(input)
					out := make([]byte, len(want)/2)
					if n, err := h.XOF().Read(out); n != 131 || err != nil {
						t.Fatalf("read %d, %v, want 131 bytes", n, err)
					}
					if got := hex.EncodeToString(out); got != want {
						t.Errorf("%s of %d bytes: %s, want %s", modes[i].name, c.InputLen, got, want)
					}
					if got := hex.EncodeToString(h.Sum(nil)); got != want[:64] {
						t.Errorf("%s of %d bytes: Sum %s, want %s", modes[i].name, c.InputLen, got, want[:64])
					}
				}
				sum256, sum512 := m.Sum256(input), m.Sum512(input)
				keyed, err := m.SumKeyed(vectorKey, input)
				derived := make([]byte, 131)
				m.DeriveKey(vectorContext, input, derived)
				for _, got := range []struct {
					name, got, want string
				}{
					{"Sum256", hex.EncodeToString(sum256[:]), c.Hash[:64]},
					{"Sum512", hex.EncodeToString(sum512[:]), c.Hash[:128]},
					{"SumKeyed", hex.EncodeToString(keyed[:]), c.KeyedHash[:64]},
					{"DeriveKey", hex.EncodeToString(derived), c.DeriveKey},
				} {
					if got.got != got.want || err != nil {
						t.Errorf("%s of %d bytes: %s, %v, want %s", got.name, c.InputLen, got.got, err, got.want)
					}
				}
			}
		})
	}
}

func TestEveryLength(t *testing.T) {
	input := pattern(8192)
	for engine, m := range engines(t) {
		step := 1
		if engine == "interpreter" {
			step = 37
			if blake3.RaceEnabled {
				step = 37 * 8
			}
		}
		for n := 0; n <= len(input); n += step {
			if got, want := m.Sum256(input[:n]), zeebo.Sum256(input[:n]); got != want {
				t.Fatalf("%s, %d bytes: %x, want %x", engine, n, got, want)
			}
		}
	}
}

func TestSplitWrites(t *testing.T) {
	input := pattern(300_000)
	random := rand.New(rand.NewPCG(1, 2))
	for engine, m := range fast(t) {
		for _, mode := range modes {
			for _, most := range []int{1, 63, 65, 1023, 1024, 1025, 4096, 65536, 65537, 200_000, 300_000} {
				n := random.IntN(min(len(input), 2000*most)) + 1
				h := mode.hasher(m)
				for rest := input[:n]; len(rest) > 0; {
					k := min(random.IntN(most)+1, len(rest))
					write := h.Write
					if random.IntN(2) == 0 {
						write = func(p []byte) (int, error) { return h.WriteString(string(p)) }
					}
					for _, p := range [][]byte{rest[:k], nil, {}} {
						if written, err := write(p); written != len(p) || err != nil {
							t.Fatalf("wrote %d of %d bytes, %v", written, len(p), err)
						}
					}
					rest = rest[k:]
				}
				if got, want := h.Sum(nil), mode.want(input[:n], 32); !bytes.Equal(got, want) {
					t.Errorf("%s, %s, %d bytes in writes of up to %d: %x, want %x", engine, mode.name, n, most, got, want)
				}
			}
		}
	}
}

// Boundaries around the sizes of a block, a chunk and subtrees, on both sides of each write.
func TestSplitsAtBoundaries(t *testing.T) {
	input := pattern(3*8192 + 2)
	for engine, m := range fast(t) {
		for _, mode := range modes {
			for edge := 64; edge <= 8192; edge *= 2 {
				for _, first := range []int{edge - 1, edge, edge + 1} {
					for _, second := range []int{1, edge - 1, edge, edge + 1} {
						n := first + second + edge
						h := mode.hasher(m)
						h.Write(input[:first])
						h.Write(input[first : first+second])
						between := h.Sum(nil)
						h.Write(input[first+second : n])
						if want := mode.want(input[:first+second], 32); !bytes.Equal(between, want) {
							t.Errorf("%s, %s, writes of %d and %d: %x, want %x", engine, mode.name, first, second, between, want)
						}
						if got, want := h.Sum(nil), mode.want(input[:n], 32); !bytes.Equal(got, want) {
							t.Errorf("%s, %s, writes of %d, %d and %d: %x, want %x", engine, mode.name, first, second, edge, got, want)
						}
					}
				}
			}
		}
	}
}

// Totals around what a state, a chunk and the staging area hold, in one write and with one byte before.
func TestEdges(t *testing.T) {
	input := pattern(2<<20 + 2)
	for engine, m := range fast(t) {
		for _, edge := range []int{64, 1024, 2048, 16 << 10, 64 << 10, 128 << 10, 1 << 20, 2 << 20} {
			for n := edge - 1; n <= edge+1; n++ {
				for _, mode := range modes {
					want := mode.want(input[:n], 32)
					for _, first := range []int{0, 1, 1024} {
						h := mode.hasher(m)
						h.Write(input[:min(first, n)])
						h.Write(input[min(first, n):n])
						if got := h.Sum(nil); !bytes.Equal(got, want) {
							t.Errorf("%s, %s, %d bytes after %d: %x, want %x", engine, mode.name, n, first, got, want)
						}
					}
				}
				if got, want := m.Sum256(input[:n]), zeebo.Sum256(input[:n]); got != want {
					t.Errorf("%s, Sum256 of %d bytes: %x, want %x", engine, n, got, want)
				}
			}
		}
	}
}

func TestConcurrent(t *testing.T) {
	for engine, m := range engines(t) {
		n := 300
		if engine == "interpreter" {
			n = 5
		}
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				input := pattern(3000 + 700*g)
				want, mode := zeebo.Sum256(input), modes[g%3]
				wantOfMode := mode.want(input, 32)
				for range n {
					h := mode.hasher(m)
					h.Write(input[:g*100])
					if got := m.Sum256(input); got != want {
						t.Errorf("%s: %x, want %x", engine, got, want)
					}
					h.Write(input[g*100:])
					if got := h.Sum(nil); !bytes.Equal(got, wantOfMode) {
						t.Errorf("%s: hasher, %s, %x, want %x", engine, mode.name, got, wantOfMode)
					}
				}
			})
		}
		all.Wait()
	}
}
