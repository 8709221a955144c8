package future

import (
	"context"

	"github.com/parley-im/parley"
)

// waiter is a goroutine that waits in Await.
type waiter[T any] struct {
	tie[T]
	ready chan struct{}
}

func (w *waiter[T]) run(*list) { close(w.ready) }

// Await waits for the outcome, as a consumer. When ctx ends first it returns an
// Unavailable error with ctx's, and has given up: the last consumer to do so
// interrupts f. An outcome that is there wins over a context that is over.
func (f *Future[T]) Await(ctx context.Context) (T, error) {
	if v, done, err := f.Poll(); done {
		return v, err
	}
	w := &waiter[T]{ready: make(chan struct{})}
	if !w.join(f, w) {
		return f.result()
	}
	select {
	case <-w.ready:
	case <-ctx.Done():
		if w.detach(context.Cause(ctx)) {
			var none T
			return none, parley.Wrap(parley.Unavailable, "future.await", ctx.Err())
		}
	}
	return f.result()
}
