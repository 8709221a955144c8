package bench

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley"
)

// load is what callers do to a house, each its own steps one after the other.
type load struct {
	name    string
	people  int // for each caller
	prepare func(ctx context.Context, h *house, callers int) (*session, error)
}

// session is a load under way. The callers of the next run go on where those of
// the last one ended.
type session struct {
	step  func(ctx context.Context, caller, i int) error // done when it is acknowledged
	copy  []*follower                                    // where the effect of each caller's steps ends, if beside
	taken []int                                          // steps of each caller so far
}

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

func mailLoad(write func(int) letter) func(context.Context, *house, int) (*session, error) {
	return func(_ context.Context, h *house, callers int) (*session, error) {
		return &session{taken: make([]int, callers), step: func(ctx context.Context, caller, i int) error {
			return h.receive(ctx, caller, write(caller*stream+i).raw())
		}}, nil
	}
}

func postLoad(ctx context.Context, h *house, callers int) (*session, error) {
	s := &session{taken: make([]int, callers), copy: make([]*follower, callers)}
	rooms := make([]parley.ThreadID, callers)
	s.step = func(ctx context.Context, caller, i int) error {
		// The post is durable when Post returns, the author's copy there or not.
		_, err := h.Post(ctx, personID(caller), h.command(caller, fmt.Sprint("post ", i)), rooms[caller], parley.Post{Text: shortText})
		return err
	}
	err := each(ctx, callers, func(ctx context.Context, c int) (err error) {
		s.copy[c] = &follower{h: h, who: callers + c}
		if rooms[c], err = h.room(ctx, fmt.Sprint("room ", c), c, callers+c); err != nil {
			return err
		}
		return s.copy[c].next(ctx, 1) // the room itself
	})
	return s, err
}

// each runs f for 0 to n-1 at once.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	eg, ctx := errgroup.WithContext(ctx)
	for i := range n {
		eg.Go(func() error { return f(ctx, i) })
	}
	return eg.Wait()
}

// rounds has each caller take n steps.
func (s *session) rounds(ctx context.Context, callers, n int) error {
	_, err := s.run(ctx, callers, func(done int) bool { return done < n })
	return err
}

// during has callers take steps for about d.
func (s *session) during(ctx context.Context, callers int, d time.Duration) (steps int, err error) {
	start := time.Now()
	return s.run(ctx, callers, func(int) bool { return time.Since(start) < d })
}

// run has each caller take steps while more says so, and waits until every copy
// has what it is owed.
func (s *session) run(ctx context.Context, callers int, more func(done int) bool) (steps int, err error) {
	done := make([]int, callers)
	err = each(ctx, callers, func(ctx context.Context, c int) error {
		for ; more(done[c]); done[c]++ {
			if err := s.step(ctx, c, s.taken[c]+done[c]); err != nil {
				return err
			}
		}
		return nil
	})
	for c, n := range done {
		s.taken[c] += n
		steps += n
	}
	if err != nil || s.copy == nil {
		return steps, err
	}
	return steps, each(ctx, callers, func(ctx context.Context, c int) error { return s.copy[c].next(ctx, done[c]) })
}
