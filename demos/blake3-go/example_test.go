package blake3_test

import (
	"context"
	"crypto/subtle"
	"fmt"
	"hash"
	"io"
	"log"
	"os"
	"strings"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

func ExampleSum256() {
	fmt.Printf("%x\n", blake3.Sum256([]byte("abc")))
	// Output: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleSum512() {
	sum := blake3.Sum512([]byte("abc"))
	fmt.Printf("%x\n%x\n", sum[:32], sum[32:])
	// Output:
	// 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
	// 1fb250ae7393f5d02813b65d521a0d492d9ba09cf7ce7f4cffd900f23374bf0b
}

func ExampleSumKeyed() {
	key := []byte("whats the Elvish word for friend")
	received := []byte("\xcc\x56\x07\x61\x1d\xdb\xba\x5c\x22\x13\xf4\x45\x56\x62\xd0\xee\xd5\xc5\x7f\x3f\x6e\x0c\x0d\xf7\xed\xa8\x09\xb7\xc6\x86\x22\xe6")
	mac, err := blake3.SumKeyed(key, []byte("message"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(subtle.ConstantTimeCompare(mac[:], received) == 1)

	_, err = blake3.SumKeyed(key[:31], []byte("message"))
	fmt.Println(err)
	// Output:
	// true
	// blake3: the key has 31 bytes, want 32
}

func ExampleDeriveKey() {
	key := make([]byte, 16)
	blake3.DeriveKey("example.com 2026-12-01 session tokens v1", []byte("a secret of high entropy"), key)
	fmt.Printf("%x\n", key)
	// Output: 7ceb2d36c3bc5aacb7e120e27f375256
}

func ExampleNew() {
	h := blake3.New()
	if _, err := io.Copy(h, strings.NewReader("abc")); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", h.Sum(nil))
	// Output: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleNewKeyed() {
	h, err := blake3.NewKeyed([]byte("whats the Elvish word for friend"))
	if err != nil {
		log.Fatal(err)
	}
	h.WriteString("mess")
	h.WriteString("age")
	fmt.Printf("%x\n", h.Sum(nil))
	// Output: cc5607611ddbba5c2213f4455662d0eed5c57f3f6e0c0df7eda809b7c68622e6
}

func ExampleNewDeriveKey() {
	h := blake3.NewDeriveKey("example.com 2026-12-01 session tokens v1")
	h.WriteString("a secret of high entropy")
	key := make([]byte, 16)
	if _, err := io.ReadFull(h.XOF(), key); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", key)
	// Output: 7ceb2d36c3bc5aacb7e120e27f375256
}

// Inputs with a common beginning: it is hashed once.
func ExampleHasher_Clone() {
	var h hash.Cloner = blake3.New()
	io.WriteString(h, "abc")
	for _, end := range []string{"d", "e"} {
		branch, err := h.Clone()
		if err != nil {
			log.Fatal(err)
		}
		io.WriteString(branch, end)
		fmt.Printf("%x\n", branch.Sum(nil)[:8])
	}
	// Output:
	// 8c9c9881805d1a84
	// 464a9bc384ee898b
}

func ExampleHasher_XOF() {
	h := blake3.New()
	h.WriteString("abc")
	r := h.XOF()
	r.SetPosition(1 << 40)
	out := make([]byte, 16)
	if _, err := io.ReadFull(r, out); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", out)
	// Output: b451bdc051242a4feea131458ace7c87
}

func ExampleCompile() {
	ctx := context.Background()
	m, err := blake3.Compile(ctx, blake3.WithInterpreter())
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close(ctx)
	fmt.Printf("%s %x\n", m.Engine(), m.Sum256([]byte("abc")))
	// Output: interpreter 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

// A program that starts often compiles once.
func ExampleWithCompilationCache() {
	dir, err := os.MkdirTemp("", "") // a real program has a lasting place, such as below os.UserCacheDir
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	m, err := blake3.Compile(ctx, blake3.WithCompilationCache(dir))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close(ctx)
	fmt.Printf("%x\n", m.Sum256([]byte("abc")))
	// Output: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleSumReader() {
	sum, err := blake3.SumReader(context.Background(), strings.NewReader("abc"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", sum)
	// Output: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleSumReaderAt() {
	sum, err := blake3.SumReaderAt(context.Background(), strings.NewReader("abcdef"), 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", sum)

	_, err = blake3.SumReaderAt(context.Background(), strings.NewReader("abcdef"), 7)
	fmt.Println(err)
	// Output:
	// 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
	// blake3: read at offset 6: the input ends before its size, 7: unexpected EOF
}

func ExampleSumFile() {
	sum, err := blake3.SumFile(context.Background(), "/dev/null")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", sum)
	// Output: af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262
}

func ExampleWithProgress() {
	input := strings.NewReader(strings.Repeat("x", 300_000))
	_, err := blake3.SumReaderAt(context.Background(), input, input.Size(), blake3.WithParallelism(1),
		blake3.WithProgress(func(done, total int64) { fmt.Printf("%d of %d bytes\n", done, total) }))
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 65536 of 300000 bytes
	// 131072 of 300000 bytes
	// 196608 of 300000 bytes
	// 262144 of 300000 bytes
	// 300000 of 300000 bytes
}

// A MAC of a large input, on all cores.
func ExampleHasher_UpdateReaderAt() {
	h, err := blake3.NewKeyed([]byte("whats the Elvish word for friend"))
	if err != nil {
		log.Fatal(err)
	}
	input := strings.NewReader("message")
	if err := h.UpdateReaderAt(context.Background(), input, input.Size()); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", h.Sum(nil))
	// Output: cc5607611ddbba5c2213f4455662d0eed5c57f3f6e0c0df7eda809b7c68622e6
}

// A hasher that goes on elsewhere: in another process, on another platform, in TypeScript.
func ExampleHasher_UnmarshalBinary() {
	h := blake3.New()
	h.WriteString("ab")
	state, err := h.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}

	var resumed blake3.Hasher
	if err := resumed.UnmarshalBinary(state); err != nil {
		log.Fatal(err)
	}
	resumed.WriteString("c")
	fmt.Printf("%x\n", resumed.Sum(nil))
	// Output: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleHasher_ReadFrom() {
	h := blake3.New()
	n, err := h.ReadFrom(strings.NewReader("abc"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes: %x\n", n, h.Sum(nil))
	// Output: 3 bytes: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleWithWASM() {
	ctx := context.Background()
	_, err := blake3.Compile(ctx, blake3.WithWASM([]byte("\x00asm\x01\x00\x00\x00")))
	fmt.Println(err)
	// Output: blake3: the module does not export the function alloc
}
