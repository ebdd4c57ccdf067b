package blake3_test

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/blake3-polyglot/blake3-polyglot/demos/blake3-go"
)

func ExampleSum256() {
	fmt.Printf("%x\n", blake3.Sum256([]byte("abc")))
	// Output: 6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85
}

func ExampleNew() {
	h := blake3.New()
	if _, err := io.Copy(h, strings.NewReader("abc")); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", h.Sum(nil)[:8])
	// Output: 6437b3ac38465133
}

func ExampleSumKeyed() {
	key := []byte("whats the Elvish word for friend")
	mac, err := blake3.SumKeyed(key, []byte("message"))
	if err != nil {
		log.Fatal(err)
	}
	again, _ := blake3.SumKeyed(key, []byte("message"))
	fmt.Println(subtle.ConstantTimeCompare(mac[:], again[:]) == 1)
	// Output: true
}

func ExampleDeriveKey() {
	key := make([]byte, 16)
	blake3.DeriveKey("example.com 2026-12-01 session tokens v1", []byte("a secret of high entropy"), key)
	fmt.Println(len(key))
	// Output: 16
}

func ExampleHasher_XOF() {
	h := blake3.New()
	h.WriteString("abc")
	r := h.XOF()
	r.SetPosition(1 << 40)
	out := make([]byte, 100)
	n, err := r.Read(out)
	fmt.Println(n, err)
	// Output: 100 <nil>
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
