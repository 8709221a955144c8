package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Events follows what happens in the mailbox: after an event's id, after a
// revision, or from now on (""). It connects again when the connection ends, and
// yields each event once, in order. It ends with an error that no repeat mends:
// the context's, or a *Problem; with code "resync" the mailbox must be read
// again, since the server no longer knows what came after from.
func (c *Client) Events(ctx context.Context, from string, opts ...Option) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f := &following{client: c, opts: opts, last: from, yield: yield}
		if err := f.run(ctx); err != nil && !errors.Is(err, errStopped) {
			yield(Event{}, err)
		}
	}
}

var (
	errStopped = errors.New("client: the caller has had enough")
	errForm    = errors.New("client: an event of another form")
)

// following is one loop over events.
type following struct {
	client *Client
	opts   []Option
	last   string // the last event that was yielded, or where it began
	yield  func(Event, error) bool
	told   time.Duration // how long the server wants clients to wait
}

// longestPause is between two connections to a server that is away.
const longestPause = 30 * time.Second

func (f *following) run(ctx context.Context) error {
	for failures := 0; ; failures++ {
		heard, err := f.connection(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !mends(err) {
			return err
		}
		if heard {
			failures = 0
		}
		if err := f.pause(ctx, failures); err != nil {
			return err
		}
	}
}

// mends reports whether another connection may do better. Besides what do
// repeats, that is one that broke.
func mends(err error) bool {
	if errors.Is(err, errStopped) || errors.Is(err, errForm) {
		return false
	}
	p := (*Problem)(nil)
	return !errors.As(err, &p) || p.Status == http.StatusTooManyRequests || p.Status >= 500
}

// pause doubles from one failure to the next. A connection that ended by itself
// is made again at once, since a server that restarts ends all of them.
func (f *following) pause(ctx context.Context, failures int) error {
	if failures == 0 {
		return nil
	}
	wait := max(f.told, time.Second) << min(failures-1, 5)
	timer := time.NewTimer(min(wait, longestPause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// connection yields what one connection brings, and reports whether it was one.
func (f *following) connection(ctx context.Context) (heard bool, err error) {
	s, err := f.client.StreamEvents(ctx, StreamEventsParams{LastEventID: f.last}, f.opts...)
	if err != nil {
		return false, err
	}
	defer s.Close()
	if f.last == "" {
		f.last = strconv.FormatInt(int64(s.Revision), 10)
	}
	for {
		sent, err := s.Next()
		f.told = s.retry
		if err != nil {
			return heard, nil
		}
		told, err := f.tell(sent)
		heard = heard || told
		if err != nil {
			return heard, err
		}
	}
}

// tell yields an event that was not yielded before, and reports whether it was
// one.
func (f *following) tell(sent Sent) (bool, error) {
	if sent.Type == "resync" && sent.ID == "" {
		p := problemOf(http.StatusGone, nil, nil)
		p.Code, p.Detail = ProblemCodeResync, "The stream fell behind what the server keeps."
		return false, p
	}
	var e Event
	if err := json.Unmarshal(sent.Data, &e); err != nil || e.ID == "" {
		return false, fmt.Errorf("%w: %q", errForm, sent.Data)
	}
	if !after(e.ID, f.last) {
		return false, nil
	}
	if !f.yield(e, nil) {
		return false, errStopped
	}
	f.last = e.ID
	return true, nil
}

// after compares ids of events; a revision alone stands after all of its events.
func after(id, last string) bool {
	r1, i1 := position(id)
	r2, i2 := position(last)
	return r1 > r2 || r1 == r2 && i1 > i2
}

func position(id string) (revision, index uint64) {
	r, i, both := strings.Cut(id, ".")
	revision, _ = strconv.ParseUint(r, 10, 64)
	if !both {
		return revision, math.MaxUint64
	}
	index, _ = strconv.ParseUint(i, 10, 64)
	return revision, index
}
