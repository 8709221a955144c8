package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley"
)

// load is what callers do to a house, each its own steps one after the other. A
// step is done when it is acknowledged.
type load struct {
	name    string
	people  int // for each caller
	prepare func(ctx context.Context, h *house, callers int) (step, error)
}

type step func(ctx context.Context, caller, i int) error

// loads are mail to one account for each caller, and posts in a 1:1 room for each.
func loads() []load {
	s := newStationery()
	return []load{
		{"small mail in", 1, mailLoad(s.letter)},
		{fmt.Sprintf("mail in, 1 in %d over 32 KiB", largeEvery), 1, mailLoad(s.mixedLetter)},
		{"1:1 posts", 2, postLoad},
	}
}

// stream keeps the letters of callers apart; a little more than a multiple of
// largeEvery, so that not all callers write large ones at once.
const stream = 1_000_001

func mailLoad(write func(int) letter) func(context.Context, *house, int) (step, error) {
	return func(_ context.Context, h *house, _ int) (step, error) {
		return func(ctx context.Context, caller, i int) error {
			return h.receive(ctx, caller, write(caller*stream+i).raw())
		}, nil
	}
}

func postLoad(ctx context.Context, h *house, callers int) (step, error) {
	rooms := make([]parley.ThreadID, callers)
	err := each(ctx, callers, func(ctx context.Context, c int) (err error) {
		rooms[c], err = h.room(ctx, fmt.Sprint("room ", c), c, callers+c)
		return err
	})
	return func(ctx context.Context, caller, i int) error {
		// The post is durable when Post returns, the author's copy there or not.
		_, err := h.Post(ctx, personID(caller), h.command(caller, fmt.Sprint("post ", i)), rooms[caller], parley.Post{Text: shortText})
		return err
	}, err
}

// each runs f for 0 to n-1 at once.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	eg, ctx := errgroup.WithContext(ctx)
	for i := range n {
		eg.Go(func() error { return f(ctx, i) })
	}
	return eg.Wait()
}

// rounds has each caller take n steps, from number from.
func (s step) rounds(ctx context.Context, callers, from, n int) error {
	return each(ctx, callers, func(ctx context.Context, c int) error {
		for i := range n {
			if err := s(ctx, c, from+i); err != nil {
				return err
			}
		}
		return nil
	})
}

// during has callers take steps for about d and says how many were done in how long.
func (s step) during(ctx context.Context, callers, from int, d time.Duration) (done int64, took time.Duration, err error) {
	var n atomic.Int64
	start := time.Now()
	err = each(ctx, callers, func(ctx context.Context, c int) error {
		for i := from; time.Since(start) < d; i++ {
			if err := s(ctx, c, i); err != nil {
				return err
			}
			n.Add(1)
		}
		return nil
	})
	return n.Load(), time.Since(start), err
}
