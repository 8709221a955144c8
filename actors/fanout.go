package actors

import (
	"context"
	"errors"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/service"
)

// fanout brings a room's committed events to the copies of its participants. It
// belongs to one activation and runs in its queue; sends run beside. Nothing of
// it is stored: what a copy lacks follows from its cursor.
type fanout struct {
	a       *activation
	m       *threadMachine
	send    service.Service[sending, parley.Seq]
	busy    map[parley.AccountID]bool // a send is under way
	rest    backoff[parley.AccountID] // the author's edge has a copy to itself for a while, too
	timerAt time.Time
}

// Windows of the fan-out.
const (
	fanoutSends = 32              // sends of one room at a time
	fanoutBatch = 100             // events in one delivery
	authorGrace = 2 * time.Second // the edge delivers to the author itself
	fanoutPause = 250 * time.Millisecond
	fanoutMax   = 30 * time.Second
)

func newFanout(a *activation, m *threadMachine, send service.Service[sending, parley.Seq]) *fanout {
	f := &fanout{a: a, m: m, send: send, busy: map[parley.AccountID]bool{}, rest: newBackoff[parley.AccountID](fanoutPause, fanoutMax)}
	m.deliveries, m.unreached = f.authors, f.rest.failing
	pump := func() { f.m.state.Committed(parley.Seq(a.committed)); f.pump() }
	a.onLoad = append(a.onLoad, pump)
	a.onCommit = append(a.onCommit, pump)
	return f
}

// authors gives an author's undelivered events to the edge that asked, and leaves
// that copy to it for a while.
func (f *fanout) authors(acc parley.AccountID) []thread.Delivery {
	f.m.state.Committed(parley.Seq(f.a.committed))
	last, lags := f.m.state.Wants(acc)
	if !lags {
		return nil
	}
	if next := f.m.state.Next(acc, last); next > 0 {
		last = next - 1
	}
	raws, ok := f.a.recent.span(uint64(last), f.upTo(last))
	if !ok {
		return nil // long behind: delivered as to anyone
	}
	ds := f.decode(acc, raws)
	if len(ds) > 0 && !f.busy[acc] { // a send under way brings the same: the copy takes each once
		f.rest.hold(acc, f.a.now().Add(authorGrace))
	}
	return ds
}

func (f *fanout) upTo(last parley.Seq) uint64 {
	return min(uint64(last)+fanoutBatch, f.a.committed)
}

func (f *fanout) decode(acc parley.AccountID, raws [][]byte) []thread.Delivery {
	events := make([]thread.Event, 0, len(raws))
	for _, raw := range raws {
		e, err := codec.DecodeEvent(raw)
		if err != nil {
			f.a.abandon(err)
			return nil
		}
		events = append(events, e)
	}
	return f.m.state.Deliveries(acc, events)
}

// pump starts sends for those who lag, within the window.
func (f *fanout) pump() {
	now := f.a.now()
	var wait time.Duration
	for _, lag := range f.m.state.Lagging() {
		if f.a.phase == dead || len(f.busy) >= fanoutSends {
			return
		}
		if f.busy[lag.Account] {
			continue
		}
		if until := f.rest.notBefore(lag.Account); now.Before(until) {
			if d := until.Sub(now); wait == 0 || d < wait {
				wait = d
			}
			continue
		}
		f.start(lag)
	}
	f.later(now, wait)
}

// later arranges another pump; one timer is enough.
func (f *fanout) later(now time.Time, wait time.Duration) {
	if wait == 0 || !f.timerAt.IsZero() && f.timerAt.After(now) && !f.timerAt.After(now.Add(wait)) {
		return
	}
	f.timerAt = now.Add(wait)
	f.a.later(wait, func() {
		f.timerAt = time.Time{}
		f.pump()
	})
}

// start sends one participant the next events, from memory or from the log.
func (f *fanout) start(lag thread.Lag) {
	from := f.m.state.Next(lag.Account, lag.Last)
	if from == 0 {
		return
	}
	from--
	to := f.upTo(from)
	f.busy[lag.Account] = true
	if raws, ok := f.a.recent.span(uint64(from), to); ok {
		f.deliver(lag.Account, f.decode(lag.Account, raws))
		return
	}
	f.a.spawn(func() {
		raws, err := f.a.history.span(f.a.ctx, uint64(from), to, fanoutBatch)
		f.a.post(func() {
			if f.a.phase == dead {
				return
			}
			if err != nil {
				f.a.abandon(err)
				return
			}
			f.deliver(lag.Account, f.decode(lag.Account, raws))
		})
	})
}

func (f *fanout) deliver(to parley.AccountID, ds []thread.Delivery) {
	if f.a.phase == dead {
		return
	}
	room := f.m.state.ID()
	f.a.spawn(func() {
		last, err := f.send(f.a.ctx, sending{room, to, ds})
		f.a.post(func() { f.came(to, last, len(ds) == 0, err) })
	})
}

// came takes the answer of a copy: how far it is now.
func (f *fanout) came(acc parley.AccountID, last parley.Seq, probed bool, err error) {
	if f.a.phase == dead {
		return
	}
	delete(f.busy, acc)
	switch parley.CodeOf(err) {
	case parley.Gone, parley.NotFound:
		// A gone account is a recorded leave.
		f.a.handle(input{cmd: thread.Leave{Who: acc, Gone: true}, reply: func(any, error) {}})
		f.m.state.Came(thread.Came{Account: acc, Last: f.m.state.Last()})
		f.rest.hold(acc, f.a.now().Add(fanoutMax))
		return
	}
	if err != nil {
		if probed { // nothing is known of this copy: it lacks all until it says otherwise
			f.m.state.Came(thread.Came{Account: acc})
		}
		f.rest.failed(acc, f.a.now())
		if !errors.Is(err, context.Canceled) {
			f.a.log.Info("a copy could not be reached", "thread", f.m.state.ID(), "mailbox", acc, "err", err)
		}
	} else {
		f.rest.over(acc)
		f.m.state.Came(thread.Came{Account: acc, Last: last})
	}
	f.pump()
}

// cameBy is what an edge reports after it has delivered to an author.
func (f *fanout) cameBy(c thread.Came) {
	f.rest.free(c.Account)
	f.m.state.Came(c)
	f.pump()
}

// probe asks every copy how far it is: after a reminder of an earlier activation,
// whose sends may not have happened.
func (f *fanout) probe() {
	for _, acc := range f.m.state.Receivers() {
		if !f.busy[acc] {
			f.busy[acc] = true
			f.deliver(acc, nil)
		}
	}
}
