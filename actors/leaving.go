package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// leaving finishes what was cut off: drafts that are being sent, of which nobody
// knows whether their rooms have them. It belongs to one activation and runs in
// its queue; the posts run beside, under the draft's own command, so that none is
// made twice. Nothing of it is stored: what is left follows from the state.
type leaving struct {
	a      *activation
	m      *mailboxMachine
	post   func(ctx context.Context, id parley.MessageID) error
	giveUp func(ctx context.Context, id parley.MessageID) error
	asking bool
	waits  bool // a timer is set
	busy   map[parley.MessageID]bool
	rest   backoff[parley.MessageID]
}

// Pace of it.
const (
	leavingPause = time.Second
	leavingMax   = 5 * time.Minute
	leavingTime  = 15 * time.Second // of one attempt
	leavingLimit = time.Hour        // then the author has the draft back
)

func newLeaving(a *activation, m *mailboxMachine, c *Client) *leaving {
	acc := m.state.Owner()
	l := &leaving{a: a, m: m, busy: map[parley.MessageID]bool{}, rest: newBackoff[parley.MessageID](leavingPause, leavingMax)}
	l.post = func(ctx context.Context, id parley.MessageID) error {
		_, err := c.dispatch(ctx, acc, id)
		return err
	}
	l.giveUp = func(ctx context.Context, id parley.MessageID) error {
		_, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.KeepDraft{ID: id}, 0)
		return err
	}
	a.onLoad = append(a.onLoad, l.pump)
	a.onCommit = append(a.onCommit, l.pump)
	return l
}

// pump looks for what is left, if there is anything and no look is under way.
func (l *leaving) pump() {
	if l.a.phase == dead || l.asking || l.waits || l.m.state.Sending() == 0 {
		return
	}
	l.asking = true
	l.a.handle(input{cmd: askSending{}, read: true, reply: func(rep any, err error) {
		l.asking = false
		if list, ok := rep.([]mailbox.Leaving); ok && err == nil {
			l.look(list)
		}
	}})
}

// look starts what is due, and comes back for the rest.
func (l *leaving) look(list []mailbox.Leaving) {
	now := l.a.now()
	wait := leavingMax
	for _, d := range list {
		due := d.Since.Add(l.a.tune.leavingGrace)
		if later := l.rest.notBefore(d.Draft); later.After(due) {
			due = later
		}
		switch {
		case l.busy[d.Draft]:
		case now.Before(due):
			wait = min(wait, due.Sub(now))
		default:
			l.start(d, now)
		}
	}
	if len(list) == 0 {
		return
	}
	l.waits = true
	l.a.later(wait, func() {
		l.waits = false
		l.pump()
	})
}

// start posts one, or gives it back to its author after too long a time: a later
// attempt of theirs has the same command, and hears of a post that was made.
func (l *leaving) start(d mailbox.Leaving, now time.Time) {
	do := l.post
	if now.Sub(d.Since) > leavingLimit {
		do = l.giveUp
	}
	l.busy[d.Draft] = true
	l.a.spawn(func() {
		ctx, cancel := context.WithTimeout(l.a.ctx, leavingTime)
		defer cancel()
		err := do(ctx, d.Draft)
		l.a.post(func() { l.left(d.Draft, err) })
	})
}

// left takes the outcome of an attempt. A refusal is not for here: the draft is
// its author's again.
func (l *leaving) left(id parley.MessageID, err error) {
	if l.a.phase == dead {
		return
	}
	delete(l.busy, id)
	if err == nil || refused(err) {
		l.rest.over(id)
		return
	}
	l.rest.failed(id, l.a.now())
	l.a.log.Info("a draft could not be sent", "mailbox", l.m.state.Owner(), "message", id, "err", err)
}
