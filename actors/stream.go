package actors

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/wire"
)

// mailboxSide parks reads that wait: for a revision, or for the next event.
type mailboxSide struct {
	a      *activation
	parked map[*parked]bool
	l      *leaving
	jobs   *jobs
	moving *transfers
}

// parked is a read that waits until the log has come as far as it wants.
type parked struct {
	until parley.Revision
	run   func(error)
}

// Bounds of what waits.
const (
	maxParked   = 256             // in one mailbox
	behindWait  = 5 * time.Second // of a read for its revision
	maxEvents   = 500             // in one answer
	maxLongPoll = 60 * time.Second
)

func newMailboxSide(a *activation, l *leaving, j *jobs, moving *transfers) *mailboxSide {
	s := &mailboxSide{a: a, l: l, jobs: j, moving: moving, parked: map[*parked]bool{}}
	a.onCommit = append(a.onCommit, s.committed)
	return s
}

func (s *mailboxSide) busy() bool {
	return len(s.parked) > 0 || len(s.l.busy) > 0 || s.jobs.busy() || s.moving.busy()
}

func (s *mailboxSide) stop(err error) {
	s.jobs.ended = true
	s.moving.stop()
	for p := range s.parked {
		s.resume(p, err)
	}
}

// resume lets a parked read go on. Its timer runs to its end and must not keep
// what the read holds.
func (s *mailboxSide) resume(p *parked, err error) {
	delete(s.parked, p)
	s.a.meter.parked.Dec()
	run := p.run
	p.run = nil
	run(err)
}

func (s *mailboxSide) committed() {
	for p := range s.parked {
		if parley.Revision(s.a.committed) >= p.until {
			s.resume(p, nil)
		}
	}
}

// park runs f when the revision is committed, or with errTimeout after a while.
func (s *mailboxSide) park(until parley.Revision, wait time.Duration, f func(error)) {
	if len(s.parked) >= maxParked {
		f(&parley.Error{Code: parley.RateLimited, Op: "mailbox.wait", Public: "too many reads wait on this mailbox"})
		return
	}
	p := &parked{until, f}
	s.parked[p] = true
	s.a.meter.parked.Inc()
	s.a.later(wait, func() {
		if s.parked[p] {
			s.resume(p, errTimeout)
		}
	})
}

var errTimeout = &parley.Error{Code: parley.Behind, Op: "mailbox.wait", Public: "this copy has not come so far yet"}

func (s *mailboxSide) intercept(in input) bool {
	switch c := in.cmd.(type) {
	case wire.Wake:
		s.a.woken(c, func() { s.l.pump(); s.jobs.next(); s.moving.pump() }, func(err error) { in.reply(mailbox.Reply{}, err) })
		return true
	case wire.FinishPurge:
		s.a.whenReady(func(err error) {
			if err != nil {
				in.reply(nil, err)
				return
			}
			s.a.archive.finish(c.First, in.reply)
		})
		return true
	case mailbox.AskEvents:
		s.a.handle(input{cmd: barrier{}, read: true, reply: func(_ any, err error) {
			if err != nil {
				in.reply(nil, err)
				return
			}
			s.events(c, in.reply)
		}})
		return true
	}
	if in.atLeast == 0 || !in.read {
		return false
	}
	s.a.whenReady(func(err error) { s.atLeast(in, err) })
	return true
}

func (s *mailboxSide) atLeast(in input, err error) {
	switch {
	case err != nil:
		in.reply(nil, err)
	case parley.Revision(s.a.committed) >= in.atLeast:
		s.a.handle(in)
	default:
		wait := behindWait
		if !in.deadline.IsZero() {
			wait = min(wait, time.Until(in.deadline))
		}
		s.park(in.atLeast, wait, func(err error) {
			if err != nil {
				in.reply(nil, err)
				return
			}
			s.a.handle(in)
		})
	}
}

// events answers with what came after an event, or waits for it.
func (s *mailboxSide) events(c mailbox.AskEvents, reply func(any, error)) {
	head := parley.Revision(s.a.committed)
	if c.Since > head {
		reply(nil, parley.E(parley.Resync, "mailbox.events", "this revision is not of this mailbox"))
		return
	}
	limit := min(max(c.Limit, 2), maxEvents) // 2: the action named may have been seen whole
	from := c.Since                          // exclusive, unless the action it names was cut
	if c.Index >= 0 && from > 0 {
		from--
	}
	if raws, ok := s.a.recent.span(uint64(from), uint64(min(head, from+parley.Revision(limit)))); ok {
		s.tell(c, raws, head, reply)
		return
	}
	s.a.spawn(func() {
		raws, err := s.a.history.span(s.a.ctx, uint64(from), uint64(head), limit)
		s.a.post(func() {
			if err != nil {
				reply(nil, parley.Wrap(parley.Unavailable, "mailbox.events", err))
				return
			}
			s.tell(c, raws, head, reply)
		})
	})
}

// tell turns logged actions into events after the one last seen; when there are
// none it parks until the next action.
func (s *mailboxSide) tell(c mailbox.AskEvents, raws [][]byte, head parley.Revision, reply func(any, error)) {
	out := mailbox.Events{Head: head}
	for _, raw := range raws {
		a, err := codec.DecodeAction(raw)
		if err != nil {
			reply(nil, parley.Wrap(parley.Internal, "mailbox.events", err))
			return
		}
		for _, e := range a.Events() {
			if e.Revision > c.Since || e.Revision == c.Since && c.Index >= 0 && e.Index > c.Index {
				out.Events = append(out.Events, e)
			}
		}
	}
	if len(out.Events) > 0 || c.Wait <= 0 {
		reply(out, nil)
		return
	}
	wait := min(c.Wait, maxLongPoll)
	c.Wait = 0
	c.Since, c.Index = max(c.Since, head), -1
	s.park(head+1, wait, func(err error) {
		if err == errTimeout {
			reply(out, nil)
			return
		}
		if err != nil {
			reply(nil, err)
			return
		}
		s.events(c, reply)
	})
}
