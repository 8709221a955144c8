package future

// tie is the registration of one consumer with one future. It is part of what
// consumes, and the source of what that makes.
type tie[T any] struct {
	hook
	to   *Future[T] // set by join
	via  bool       // to became part of the future at which the interest is counted
	gone bool       // the interest was taken back; guarded by the mu of to's root
}

// join makes t a consumer of f, which runs then when f is finished. It reports
// false, and registers nothing, if f is finished already.
func (t *tie[T]) join(f *Future[T], then task) bool {
	root := f.lock()
	defer root.mu.Unlock()
	t.to, t.task = root, then
	if root.finished {
		return false
	}
	t.via = root != f
	root.interest.join(t.via)
	root.waiters.push(&t.hook)
	return true
}

// interrupt takes the interest back; the outcome is still taken if it comes. The
// root of t.to does not change while the interest stands.
func (t *tie[T]) interrupt(cause error, more []source) []source {
	root := t.to.lock()
	defer root.mu.Unlock()
	if t.gone || root.finished {
		return more
	}
	t.gone = true
	return root.interest.leave(t.via, cause, more)
}

// detach takes back interest and place: the outcome is not awaited any more. It
// reports false if t.to is finished, when the task runs or has run.
func (t *tie[T]) detach(cause error) bool {
	root := t.to.lock()
	if root.finished {
		root.mu.Unlock()
		return false
	}
	root.waiters.remove(&t.hook)
	var sources []source
	if !t.gone {
		t.gone = true
		sources = root.interest.leave(t.via, cause, nil)
	}
	root.mu.Unlock()
	tell(cause, sources...)
	return true
}

// release gives the future back to its holder, without interrupting it.
func (t *tie[T]) release() {
	root := t.to.lock()
	defer root.mu.Unlock()
	if root.finished {
		return
	}
	root.waiters.remove(&t.hook)
	if !t.gone {
		t.gone = true
		root.interest.release(t.via)
	}
}
