package future

// Map is the future of fn's answer to the value of f. A failure of f passes by fn.
func Map[T, U any](f *Future[T], fn func(T) (U, error)) *Future[U] {
	m := &mapped[T, U]{out: &Future[U]{}, fn: fn}
	out := m.out
	if m.join(f, m) {
		out.attach(m)
		return out
	}
	var q list // stays empty: nobody waits for out yet
	m.run(&q)
	return out
}

type mapped[T, U any] struct {
	tie[T]
	out *Future[U]
	fn  func(T) (U, error)
}

func (m *mapped[T, U]) run(q *list) {
	v, err := m.to.result()
	if err != nil {
		m.out.fail(q, err)
		return
	}
	u, err := attempt(m.fn, v)
	m.out.settle(q, u, err)
}

// Handle is the future of fn's answer to the failure of f: a value in its place,
// or an error, the same or another. A value of f passes by fn.
func Handle[T any](f *Future[T], fn func(error) (T, error)) *Future[T] {
	h := &handled[T]{out: &Future[T]{}, fn: fn}
	out := h.out
	if h.join(f, h) {
		out.attach(h)
		return out
	}
	var q list // stays empty: nobody waits for out yet
	h.run(&q)
	return out
}

type handled[T any] struct {
	tie[T]
	out *Future[T]
	fn  func(error) (T, error)
}

func (h *handled[T]) run(q *list) {
	v, err := h.to.result()
	if err != nil {
		v, err = attempt(h.fn, err)
	}
	h.out.settle(q, v, err)
}
