package future

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/parley-im/parley"
)

// ErrTimeout is the failure of a future that was not finished within its time.
var ErrTimeout error = &parley.Error{Code: parley.Unavailable, Op: "future.within", Err: context.DeadlineExceeded}

// Within is f if that finishes in time, else it fails with ErrTimeout at once and
// takes back its interest in f, whether f obeys or not. The time counts from the
// call.
func Within[T any](f *Future[T], limit time.Duration) *Future[T] {
	w := &within[T]{out: &Future[T]{}}
	out := w.out
	if !w.join(f, w) {
		return f
	}
	out.attach(w)
	timer := time.AfterFunc(limit, w.expire)
	w.timer.Store(timer)
	if _, done, _ := out.Poll(); done { // run may have come before Store
		timer.Stop()
	}
	return out
}

type within[T any] struct {
	tie[T]
	out   *Future[T]
	timer atomic.Pointer[time.Timer]
}

func (w *within[T]) run(q *list) {
	v, err := w.to.result()
	w.out.settle(q, v, err)
	if timer := w.timer.Load(); timer != nil {
		timer.Stop()
	}
}

func (w *within[T]) expire() {
	var q list
	if w.out.fail(&q, ErrTimeout) {
		w.detach(ErrTimeout)
	}
	q.drain()
}
