package future

import "sync"

// fan is a consumer of several futures, one of which decides its outcome.
type fan[T any] struct {
	branches []branch[T]
	finished func(q *list, b *branch[T]) // a branch has its outcome
	conclude func(q *list, b *branch[T]) // b decides; runs once, when all branches are joined

	mu     sync.Mutex
	joined bool       // guarded by mu
	decide *branch[T] // the first to decide; guarded by mu
}

// branch is the registration of a fan with one of its futures.
type branch[T any] struct {
	tie[T]
	fan   *fan[T]
	index int
}

func (b *branch[T]) run(q *list) { b.fan.finished(q, b) }

// join registers with all futures. Some may be finished, or finish meanwhile.
func (f *fan[T]) join(futures []*Future[T]) {
	f.branches = make([]branch[T], len(futures))
	var q list
	for i := range futures {
		b := &f.branches[i]
		b.fan, b.index = f, i
		if !b.join(futures[i], b) {
			b.run(&q)
		}
	}
	f.mu.Lock()
	f.joined = true
	b := f.decide
	f.mu.Unlock()
	if b != nil {
		f.conclude(&q, b)
	}
	q.drain()
}

// decided notes that b decides the outcome, if none did before.
func (f *fan[T]) decided(q *list, b *branch[T]) {
	f.mu.Lock()
	first := f.decide == nil
	if first {
		f.decide = b
	}
	joined := f.joined
	f.mu.Unlock()
	if first && joined {
		f.conclude(q, b)
	}
}

// interrupt passes an interrupt to all branches.
func (f *fan[T]) interrupt(cause error, more []source) []source {
	for i := range f.branches {
		more = f.branches[i].interrupt(cause, more)
	}
	return more
}
