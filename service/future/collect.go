package future

import "sync/atomic"

// Collect is the future of all values, in the order of the arguments. When one
// fails it fails at once with that error, takes back its interest in the others
// with that cause, and waits for none of them. The futures run beside each other,
// as they do anyway; Gather bounds how many.
func Collect[T any](futures ...*Future[T]) *Future[[]T] {
	out := &Future[[]T]{}
	values := make([]T, len(futures))
	if len(futures) == 0 {
		return Value(values)
	}
	var left atomic.Int64
	left.Store(int64(len(futures)))
	f := &fan[T]{}
	f.finished = func(q *list, b *branch[T]) {
		v, err := b.to.result()
		if err != nil {
			f.decided(q, b)
			return
		}
		values[b.index] = v
		if left.Add(-1) == 0 {
			f.decided(q, b)
		}
	}
	f.conclude = func(q *list, b *branch[T]) {
		_, err := b.to.result()
		if err != nil {
			f.abandon(err)
		}
		out.settle(q, values, err)
	}
	out.attach(f)
	f.join(futures)
	return out
}

// abandon takes back interest in what is not finished.
func (f *fan[T]) abandon(cause error) {
	for i := range f.branches {
		f.branches[i].detach(cause)
	}
}

// Pair is the value of Join.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Join is Collect for two types: both values, or the first failure.
func Join[A, B any](a *Future[A], b *Future[B]) *Future[Pair[A, B]] {
	all := Collect(Map(a, wrap[A]), Map(b, wrap[B]))
	return Map(all, func(v []any) (Pair[A, B], error) {
		return Pair[A, B]{*v[0].(*A), *v[1].(*B)}, nil
	})
}

// wrap points to the value, which may be a nil interface.
func wrap[T any](v T) (any, error) { return &v, nil }
