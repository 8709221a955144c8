package future

import (
	"context"
	"sync/atomic"

	"github.com/parley-im/parley"
)

// Gather calls fn for each item, at most width of them at a time, and is the
// future of the answers in the order of the items. At the first failure it fails,
// ends the context of the calls that run and starts no more.
func Gather[T, U any](ctx context.Context, width int, items []T, fn func(context.Context, T) (U, error)) *Future[[]U] {
	answers := make([]U, len(items))
	var next atomic.Int64
	work := func(ctx context.Context) (struct{}, error) {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(items) {
				return struct{}{}, nil
			}
			var err error
			if answers[i], err = fn(ctx, items[i]); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, parley.Wrap(parley.Unavailable, "future.gather", context.Cause(ctx))
	}
	workers := make([]*Future[struct{}], min(max(width, 1), len(items)))
	for i := range workers {
		workers[i] = Go(ctx, work)
	}
	return Map(Collect(workers...), func([]struct{}) ([]U, error) { return answers, nil })
}
