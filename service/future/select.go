package future

import "errors"

// Selected is what Select found: the outcome of the future that finished first,
// its place among the arguments, and the others in their order.
type Selected[T any] struct {
	Index int
	Value T
	Err   error
	Rest  []*Future[T]
}

var errNone = errors.New("future: nothing to select from")

// Select is the future of the first outcome, be it a value or a failure, and of
// the rest, which go back to the caller untouched: to be raised, awaited or
// selected from again. Among several that are finished the first argument wins.
// It fails only without arguments.
func Select[T any](futures ...*Future[T]) *Future[Selected[T]] {
	if len(futures) == 0 {
		return Failure[Selected[T]](errNone)
	}
	out := &Future[Selected[T]]{}
	f := &fan[T]{}
	f.finished = f.decided
	f.conclude = func(q *list, b *branch[T]) {
		s := Selected[T]{Index: b.index}
		s.Value, s.Err = b.to.result()
		for i := range f.branches {
			if i != b.index { // before settle: a Raise of the rest must find no consumer
				f.branches[i].release()
				s.Rest = append(s.Rest, futures[i])
			}
		}
		out.settle(q, s, nil)
	}
	out.attach(f)
	f.join(futures)
	return out
}
