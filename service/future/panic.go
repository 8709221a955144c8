package future

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/parley-im/parley"
)

// PanicError is a panic that became the failure of a future. Nobody has logged
// it: Stack is for whoever does.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap gives the error that was thrown, if it was one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// caught runs in the deferred function, where the stack is still that of the
// panic. A code inside the thrown value was not meant as an answer, hence Internal.
func caught(v any) error {
	return &parley.Error{Code: parley.Internal, Op: "future", Err: &PanicError{v, debug.Stack()}}
}

// attempt calls a function of Map or Handle.
func attempt[A, B any](fn func(A) (B, error), a A) (b B, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = caught(v)
		}
	}()
	return fn(a)
}

var errNoFuture = errors.New("future: a continuation returned nil")

// attemptFuture calls a function of FlatMap or Rescue.
func attemptFuture[A, B any](fn func(A) *Future[B], a A) (f *Future[B]) {
	defer func() {
		if v := recover(); v != nil {
			f = Failure[B](caught(v))
		}
	}()
	if f = fn(a); f == nil {
		f = Failure[B](errNoFuture)
	}
	return f
}
