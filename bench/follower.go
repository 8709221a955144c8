package bench

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley"
)

// follower waits for what comes to one copy, as a long poll of /v1 does.
type follower struct {
	h   *house
	who int
	at  parley.Revision // seen so far
}

// followWait is how long a follower waits before it counts something as lost.
const followWait = 30 * time.Second

func (h *house) follow(ctx context.Context, who int) (*follower, error) {
	st, err := h.Stats(ctx, personID(who), 0)
	return &follower{h, who, st.Revision}, err
}

// followAll follows the copies of persons from up to to, exclusive.
func (h *house) followAll(ctx context.Context, from, to int) ([]*follower, error) {
	var all []*follower
	for who := from; who < to; who++ {
		f, err := h.follow(ctx, who)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// next returns when the copy has n actions more.
func (f *follower) next(ctx context.Context, n int) error {
	for want := f.at + parley.Revision(n); f.at < want; {
		_, head, err := f.h.Events(ctx, personID(f.who), f.at, -1, followWait, parley.MaxPage)
		if err != nil {
			return err
		}
		if head <= f.at {
			return fmt.Errorf("bench: nothing came to person %d within %v", f.who, followWait)
		}
		f.at = head
	}
	return nil
}

// allNext returns when each copy has n actions more.
func allNext(ctx context.Context, fs []*follower, n int) error {
	eg, ctx := errgroup.WithContext(ctx)
	for _, f := range fs {
		eg.Go(func() error { return f.next(ctx, n) })
	}
	return eg.Wait()
}
