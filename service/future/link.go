package future

import (
	"errors"
	"runtime"
)

var errItself = errors.New("future: waits for itself")

// become makes the outcome of inner that of f. As a rule inner was made for f
// and has no other consumer: then the two are one from now on. What finishes
// inner finishes f, and inner, which nobody needs any more, is free. That is what
// keeps a loop of FlatMaps at one future. If inner has consumers, is part of
// another future or was interrupted, f only follows it, so that neither's
// interrupts are the other's.
func (f *Future[T]) become(q *list, inner *Future[T]) {
	outer, in := lockBoth(f, inner)
	if outer == in {
		outer.mu.Unlock()
		f.fail(q, errItself)
		return
	}
	if outer.finished || in.finished || in != inner || in.interest.shared() || in.interest.cause != nil {
		in.mu.Unlock()
		outer.mu.Unlock()
		f.follow(q, inner)
		return
	}
	in.link.Store(outer)
	outer.waiters.take(&in.waiters)
	source := in.interest.source
	in.interest.source = nil
	cause := outer.interest.cause
	if cause == nil {
		outer.interest.source = source
	}
	in.mu.Unlock()
	outer.mu.Unlock()
	if cause != nil && source != nil {
		tell(cause, source)
	}
}

// lockBoth locks what f and g are part of; if that is one, once. Nothing else
// holds two locks, and this waits for none while it holds one, so that two
// goroutines which join the same futures crosswise go on.
func lockBoth[T any](f, g *Future[T]) (*Future[T], *Future[T]) {
	for {
		a, b := f.lock(), g.root()
		if a == b {
			return a, b
		}
		if b.mu.TryLock() {
			if b.link.Load() == nil {
				return a, b
			}
			b.mu.Unlock()
		}
		a.mu.Unlock()
		runtime.Gosched()
	}
}

// follower hands on an outcome as it is.
type follower[T any] struct {
	tie[T]
	out *Future[T]
}

func (w *follower[T]) run(q *list) {
	v, err := w.to.result()
	w.out.settle(q, v, err)
}

// follow makes f a consumer of src that takes its outcome.
func (f *Future[T]) follow(q *list, src *Future[T]) {
	w := &follower[T]{out: f}
	if !w.join(src, w) {
		w.run(q)
		return
	}
	f.attach(w)
}

// Share is a consumer of f with the same outcome: whatever others do to f, it is
// not interrupted before the share is.
func Share[T any](f *Future[T]) *Future[T] {
	out := &Future[T]{}
	var q list // stays empty: nobody waits for out yet
	out.follow(&q, f)
	return out
}
