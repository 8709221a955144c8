package actors

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// transfers runs a mailbox's imports and exports beside its loop, one at a time,
// in line. It belongs to one activation and runs in its queue. What was done comes
// back in parts, as commands; what is left follows from the state, so that after a
// crash the next activation goes on: an import from the part that was not
// committed, an export from its beginning, since half a blob is none.
type transfers struct {
	a       *activation
	m       *mailboxMachine
	run     func(ctx context.Context, j mailbox.Job, part handIn) error
	running parley.JobID
	cancel  context.CancelFunc
	asking  bool
	waits   bool // a timer is set
	ended   bool // the mailbox drains: what is left waits for its next activation
	fails   int  // in a row, of the job that is first
}

// handIn gives a part to the mailbox, and comes back when it is committed.
type handIn func(ctx context.Context, p mailbox.TransferPart) error

// Patience with a transfer that fails by no fault of its own.
const (
	transferMax   = 5 * time.Minute
	transferFails = 20 // in a row, about an hour; then it is given up
)

func newTransfers(a *activation, m *mailboxMachine, c *Client) *transfers {
	t := &transfers{a: a, m: m}
	t.run = func(ctx context.Context, j mailbox.Job, part handIn) error {
		return c.transfer(ctx, m.state.Owner(), j, part)
	}
	a.onLoad = append(a.onLoad, t.pump)
	a.onCommit = append(a.onCommit, t.pump)
	return t
}

// pump ends what was canceled, and begins what is first in line.
func (t *transfers) pump() {
	if t.a.phase == dead || t.ended || t.a.readOnly != nil {
		return
	}
	line := t.m.state.Transfers()
	if t.running != "" {
		if !slices.Contains(line, t.running) {
			t.cancel()
		}
		return
	}
	if len(line) == 0 || t.asking || t.waits {
		return
	}
	t.asking = true
	t.a.handle(input{cmd: askTransfer{line[0]}, read: true, reply: func(rep any, err error) {
		t.asking = false
		if j, ok := rep.(*mailbox.Job); ok && err == nil && !j.State.Over() {
			t.start(*j)
		}
	}})
}

// askTransfer is the read with which a mailbox finds what to run; it never leaves
// the grain.
type askTransfer struct{ id parley.JobID }

func (t *transfers) start(j mailbox.Job) {
	if t.a.phase == dead || t.ended || t.running != "" {
		return
	}
	ctx, cancel := context.WithCancel(t.a.ctx)
	t.running, t.cancel = j.ID, cancel
	t.a.spawn(func() {
		_, err := safely(func() (any, error) { return nil, t.run(ctx, j, t.handIn(j.Kind)) })
		cancel()
		t.a.post(func() { t.stopped(j, err) })
	})
}

// handIn runs beside. An import that came further begins to count its failures
// anew; an export does not, since it starts from nothing each time.
func (t *transfers) handIn(k parley.JobKind) handIn {
	return func(ctx context.Context, p mailbox.TransferPart) error {
		done := make(chan error, 1)
		t.a.post(func() {
			t.a.handle(input{cmd: p, reply: func(_ any, err error) { done <- err }})
		})
		select {
		case err := <-done:
			if err == nil && k == parley.JobImport && p.From < p.To {
				t.a.post(func() { t.fails = 0 })
			}
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// stopped takes the end of a run. What fails by its own fault is over; what could
// not be done now is tried again.
func (t *transfers) stopped(j mailbox.Job, err error) {
	t.running = ""
	switch {
	case t.a.phase == dead || t.ended:
	case err == nil || errors.Is(err, context.Canceled) || parley.CodeOf(err) == parley.Gone:
		t.fails = 0
		t.pump()
	case parley.CodeOf(err) == parley.Stale: // another run of it was ahead
		t.pump()
	case failedForGood(err) || t.fails >= transferFails:
		t.fails = 0
		t.giveUp(j, err)
	default:
		t.fails++
		t.a.log.Info("an import or export goes on later", "mailbox", t.m.state.Owner(), "job", j.ID, "err", err)
		t.again(doubled(t.a.tune.transferPause, t.fails, transferMax))
	}
}

func (t *transfers) again(wait time.Duration) {
	t.waits = true
	t.a.later(wait, func() {
		t.waits = false
		t.pump()
	})
}

// giveUp ends a job with a word that its owner can read.
func (t *transfers) giveUp(j mailbox.Job, err error) {
	why, _ := parley.PublicOf(err)
	if why == "" {
		why = "this could not be processed"
	}
	t.a.log.Warn("an import or export failed", "mailbox", t.m.state.Owner(), "job", j.ID, "err", err)
	t.a.handle(input{cmd: mailbox.EndTransfer{Job: j.ID, Error: why}, reply: func(_ any, err error) {
		if err != nil && t.a.phase != dead {
			t.again(transferMax)
		}
	}})
}

// failedForGood tells what another attempt would not mend.
func failedForGood(err error) bool {
	switch parley.CodeOf(err) {
	case parley.BadContent, parley.TooLarge, parley.NotFound, parley.OverQuota, parley.BadRequest, parley.Conflict, parley.RateLimited:
		return errors.As(err, new(*parley.Error))
	}
	return false
}

func (t *transfers) busy() bool { return t.running != "" || t.waits && !t.ended }

// stop lets go of what runs.
func (t *transfers) stop() {
	t.ended = true
	if t.running != "" {
		t.cancel()
	}
}
