package future

// task is what runs when the future that it waits for is finished. What gets
// ready by it goes to q.
type task interface{ run(q *list) }

// hook is the place of a task in one list; it is part of the task, so that
// waiting and leaving allocate nothing and cost the same in a long list.
type hook struct {
	prev, next *hook
	task       task
}

// list holds tasks in order: the waiters of a future, or what one goroutine has
// yet to run. Without it each continuation would be called by the one before.
type list struct{ first, last *hook }

func (l *list) push(h *hook) {
	h.prev, h.next = l.last, nil
	if l.last == nil {
		l.first = h
	} else {
		l.last.next = h
	}
	l.last = h
}

// remove takes out a hook that is in the list.
func (l *list) remove(h *hook) {
	if h.prev == nil {
		l.first = h.next
	} else {
		h.prev.next = h.next
	}
	if h.next == nil {
		l.last = h.prev
	} else {
		h.next.prev = h.prev
	}
	h.prev, h.next = nil, nil
}

// take moves all of other to the end.
func (l *list) take(other *list) {
	switch {
	case other.first == nil:
		return
	case l.first == nil:
		l.first = other.first
	default:
		l.last.next, other.first.prev = other.first, l.last
	}
	l.last = other.last
	*other = list{}
}

// drain runs all tasks and those that they make ready.
func (l *list) drain() {
	for l.first != nil {
		h := l.first
		l.remove(h)
		h.task.run(l)
	}
}
