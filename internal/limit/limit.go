// Package limit says whether something is admitted now and, if not, when to come
// back: token buckets per key (an address, an account, a token).
//
// It promises a bound on its own memory, whoever chooses the keys, and that a
// refused caller who waits as told is admitted then, unless others of the same
// key came first. It leaves to its callers what a key is and what an attempt
// costs. It holds no clock; the caller says what time it is.
package limit

import (
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
)

// Error is a refusal that knows when to come back. internal/errmap turns it into
// Retry-After.
type Error struct {
	Err   error // carries the code
	After time.Duration
}

func (e *Error) Error() string             { return fmt.Sprintf("%v (again in %v)", e.Err, e.After) }
func (e *Error) Unwrap() error             { return e.Err }
func (e *Error) RetryAfter() time.Duration { return e.After }

// errFull is for the log; strangers read the sentence of the code.
var errFull = errors.New("limit reached")

// Refuse makes a refusal under a code, with that code's own sentence.
func Refuse(code parley.Code, op string, after time.Duration) error {
	return &Error{Err: &parley.Error{Code: code, Op: op, Err: errFull}, After: after}
}
