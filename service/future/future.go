package future

import (
	"sync"
	"sync/atomic"
)

// Future is a value of T or an error, which comes once. Its methods may be called
// from any goroutine. New ones come from Go, NewPromise, Value and Failure.
type Future[T any] struct {
	// link leads to the future that this one became part of. It is set once,
	// under mu, and later only shortened; all below is then left unused.
	link atomic.Pointer[Future[T]]

	mu       sync.Mutex
	finished bool // guarded by mu, as is all below
	value    T
	err      error
	waiters  list
	interest interest
}

// Value is a future that has its value.
func Value[T any](v T) *Future[T] { return &Future[T]{finished: true, value: v} }

// Failure is a future that has failed. err is not nil.
func Failure[T any](err error) *Future[T] { return &Future[T]{finished: true, err: err} }

// Poll looks without waiting and without being a consumer; done is false while
// there is nothing to see.
func (f *Future[T]) Poll() (value T, done bool, err error) {
	root := f.lock()
	defer root.mu.Unlock()
	return root.value, root.finished, root.err
}

// result is the outcome of a finished future.
func (f *Future[T]) result() (T, error) {
	v, _, err := f.Poll()
	return v, err
}

// settle finishes f and moves its waiters to q; false if f was finished before.
func (f *Future[T]) settle(q *list, v T, err error) bool {
	root := f.lock()
	defer root.mu.Unlock()
	if root.finished {
		return false
	}
	root.finished, root.err = true, err
	if err == nil {
		root.value = v
	}
	root.interest.source = nil // frees what made the value
	q.take(&root.waiters)
	return true
}

func (f *Future[T]) fail(q *list, err error) bool {
	var none T
	return f.settle(q, none, err)
}

// lock locks the future that f is now part of, itself if it is of its own.
func (f *Future[T]) lock() *Future[T] {
	for {
		root := f.root()
		root.mu.Lock()
		if root.link.Load() == nil {
			return root
		}
		root.mu.Unlock()
	}
}

// root follows the links and halves the path for those who come after.
func (f *Future[T]) root() *Future[T] {
	for {
		next := f.link.Load()
		if next == nil {
			return f
		}
		if over := next.link.Load(); over != nil {
			f.link.Store(over)
		}
		f = next
	}
}
