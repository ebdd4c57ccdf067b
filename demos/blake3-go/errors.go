package blake3

import (
	"errors"
	"fmt"
)

// ErrClosed is what an [EngineError] wraps when the Module has been closed.
var ErrClosed = errors.New("the module is closed")

// EngineError is what functions that return no error panic with: the Module is closed or cannot be compiled, the input is longer than 2^64 - 1
// bytes, a context does not fit in memory, or an instance failed, which the artifact of this package does not do. No hasher's state has changed
// then, and the instance is not used again. Functions that read return it.
type EngineError struct {
	Op  string // what was tried
	Err error
}

func (e *EngineError) Error() string { return "blake3: " + e.Op + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *EngineError) Unwrap() error { return e.Err }

// codeError is an error code of the ABI.
type codeError int32

// codeLength is what the ABI answers to input of more than 2^64 - 1 bytes.
const codeLength codeError = 7

func (c codeError) Error() string {
	names := [...]string{"ok", "null pointer", "out of range", "overlap", "unknown mode", "key length", "invalid state", "length"}
	if int(c) > 0 && int(c) < len(names) {
		return fmt.Sprintf("error code %d (%s)", int32(c), names[c])
	}
	return fmt.Sprintf("error code %d", int32(c))
}
