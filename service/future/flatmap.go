package future

// FlatMap is the future that fn makes of the value of f. A failure of f passes by
// fn. When it is interrupted before f is finished, fn does not run.
func FlatMap[T, U any](f *Future[T], fn func(T) *Future[U]) *Future[U] {
	b := &bound[T, U]{out: &Future[U]{}, fn: fn}
	out := b.out
	if b.join(f, b) {
		out.attach(b)
		return out
	}
	if _, err := f.result(); err != nil {
		return Failure[U](err)
	}
	go start(b)
	return out
}

// start runs a task whose future is finished already. It does so on a goroutine
// of its own, since nothing tells whether the caller is itself such a function:
// a loop of FlatMaps over finished futures would nest.
func start(t task) {
	var q list
	t.run(&q)
	q.drain()
}

type bound[T, U any] struct {
	tie[T]
	out *Future[U]
	fn  func(T) *Future[U]
}

func (b *bound[T, U]) run(q *list) {
	v, err := b.to.result()
	if err == nil {
		err = b.out.interrupted()
	}
	if err != nil {
		b.out.fail(q, err)
		return
	}
	b.out.become(q, attemptFuture(b.fn, v))
}

// Rescue is the future that fn makes of the failure of f. A value of f passes by
// fn. When it is interrupted before f is finished, fn does not run.
func Rescue[T any](f *Future[T], fn func(error) *Future[T]) *Future[T] {
	r := &rescued[T]{out: &Future[T]{}, fn: fn}
	out := r.out
	if r.join(f, r) {
		out.attach(r)
		return out
	}
	if v, err := f.result(); err == nil {
		return Value(v)
	}
	go start(r)
	return out
}

type rescued[T any] struct {
	tie[T]
	out *Future[T]
	fn  func(error) *Future[T]
}

func (r *rescued[T]) run(q *list) {
	v, err := r.to.result()
	if err == nil {
		r.out.settle(q, v, nil)
		return
	}
	if cause := r.out.interrupted(); cause != nil {
		r.out.fail(q, cause)
		return
	}
	r.out.become(q, attemptFuture(r.fn, err))
}
