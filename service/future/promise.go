package future

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/parley-im/parley"
)

// Promise is the writing side of a future, held by its producer. It is written
// once; later writes change nothing.
type Promise[T any] struct {
	future  *Future[T]
	cancel  context.CancelCauseFunc
	written atomic.Bool
}

// NewPromise makes an unfinished future. The context is for the producer: it ends
// with ctx, when the future is interrupted (context.Cause says why), and when the
// promise is written. Its end writes nothing: that stays with the producer, who
// must write in the end, or those who Await without a deadline wait for ever.
func NewPromise[T any](ctx context.Context) (*Promise[T], context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	p := &Promise[T]{future: &Future[T]{}, cancel: cancel}
	p.future.interest.source = canceler(cancel)
	return p, ctx
}

// canceler is the producer's end of a chain of interrupts.
type canceler context.CancelCauseFunc

func (c canceler) interrupt(cause error, more []source) []source {
	c(cause)
	return more
}

// Future is the reading side, always the same.
func (p *Promise[T]) Future() *Future[T] { return p.future }

// Set writes a value, or a failure if err is not nil, and runs what waits for it.
// It reports false if the promise was written before.
func (p *Promise[T]) Set(v T, err error) bool {
	if !p.written.CompareAndSwap(false, true) {
		return false
	}
	var q list
	p.future.settle(&q, v, err)
	p.cancel(nil)
	q.drain()
	return true
}

// Become writes the outcome of f, when it comes; interrupts go to f from now on.
// It reports false if the promise was written before.
func (p *Promise[T]) Become(f *Future[T]) bool {
	if !p.written.CompareAndSwap(false, true) {
		return false
	}
	var q list
	p.future.become(&q, f)
	p.cancel(nil)
	q.drain()
	return true
}

// Go runs fn on a goroutine of its own. The context that fn gets ends with ctx,
// when the future is interrupted, and when fn returns, so that what fn started
// and did not wait for ends with it. If ctx is over already fn does not run.
func Go[T any](ctx context.Context, fn func(context.Context) (T, error)) *Future[T] {
	if err := ctx.Err(); err != nil {
		return Failure[T](parley.Wrap(parley.Unavailable, "future.go", err))
	}
	p, ctx := NewPromise[T](ctx)
	go p.run(ctx, fn)
	return p.future
}

var errExit = errors.New("future: the function ended its goroutine")

func (p *Promise[T]) run(ctx context.Context, fn func(context.Context) (T, error)) {
	var v T
	err := errExit // unless fn returns: runtime.Goexit runs only what is deferred
	defer func() {
		if thrown := recover(); thrown != nil {
			err = caught(thrown)
		}
		p.Set(v, err)
	}()
	v, err = fn(ctx)
}
