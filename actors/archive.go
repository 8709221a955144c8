package actors

import (
	"context"
	"maps"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/persistence"
)

// archiver is what an activation does about the archive, one job at a time beside
// the loop: it seals the oldest actions of the tail into segments, and erases what
// is dead. Each job leaves the row readable at every step, and what it leaves
// undone the fence says (Owing), so that the next activation goes on.
type archiver struct {
	a      *activation
	busy   bool // a job is under way, until its commit has landed
	halted bool // the activation is about to end: no further job
	paused bool // a job failed a while ago

	collecting bool   // debts wait for a while
	runs       uint32 // jobs begun: the lower half of the versions of segments

	// Whether there may be: cells of sealed actions in the tail, actions in segments
	// that were purged, segments that nobody names. Cleared when a job begins that
	// looks for all of them, set again if it fails.
	dead, debts, strays bool

	owned   bool              // a commit of this activation has landed, so that its epoch is its own
	swept   bool              // strays of earlier activations were looked for
	tried   uint64            // what was applied when the last attempt to seal began
	erased  uint64            // the tail holds nothing up to here
	view    view              // of the job under way
	blanked map[uint64][]byte // actions blanked in the tail since the job began; nil without one
	grown   uint64            // bytes that went into the tail since then
	done    wire.Purged       // since that was last reported
	waiting []func(error)     // for the next end of a job
}

// loaded takes over from the activation before.
func (ar *archiver) loaded() {
	owing := ar.a.fence.Owing
	ar.a.sealed, ar.a.tail, ar.a.owing = ar.a.fence.Sealed, ar.a.fence.Tail, owing
	ar.dead, ar.debts, ar.strays = owing, owing, owing
	ar.look()
}

// look begins the next job, if there is one.
func (ar *archiver) look() {
	a := ar.a
	if ar.busy || ar.halted || ar.paused || a.phase == dead || a.phase == loading || a.readOnly != nil {
		return
	}
	switch {
	case ar.owes() && !ar.owned:
		ar.busy = true
		a.claim(func(err error) { ar.ended(err) })
	case ar.dead:
		ar.dead = false
		ar.begin(&ar.dead, ar.eraseDead)
	case ar.debts:
		ar.debts = false
		ar.begin(&ar.debts, ar.payDebts)
	case ar.strays || ar.sealDue() && !ar.swept:
		ar.strays, ar.swept = false, true
		ar.begin(&ar.strays, ar.eraseStrays)
	case ar.sealDue():
		ar.tried = a.applied
		ar.begin(nil, ar.seal)
	default:
		a.owing = ar.collecting
	}
}

// collect lets debts wait for others: each segment is then written anew once for
// many of them.
func (ar *archiver) collect() {
	if ar.collecting {
		return
	}
	ar.collecting = true
	ar.a.later(debtPause, func() {
		ar.collecting, ar.debts = false, true
		ar.look()
	})
}

func (ar *archiver) owes() bool { return ar.dead || ar.debts || ar.strays }

// archiveLanded takes what a commit leaves to the archiver. It runs before the
// answers go out, so that no read that follows one looks in an old place.
func (a *activation) archiveLanded(b *batch) {
	a.history.sealed.Store(a.fence.Sealed)
	a.archive.owned = true
	if b.debts {
		a.archive.collect()
	}
	a.owing = a.owing || b.owing
	if b.flush {
		a.applied = b.applied
	}
}

// begin runs a job beside the loop, and what it gives in the queue. A job that
// fails is done again after a pause; again says so.
func (ar *archiver) begin(again *bool, job func(context.Context, uint64) (func(), error)) {
	a := ar.a
	ar.busy, ar.grown, ar.blanked = true, 0, map[uint64][]byte{}
	for _, b := range []*batch{a.flying, a.pending} { // what the job may read without what they change
		if b != nil {
			maps.Copy(ar.blanked, b.blanked)
			ar.grown += b.grown
		}
	}
	ar.view = view{a.sealed, a.applied, a.committed, a.tail - min(a.tail, ar.grown)}
	ar.runs++
	version := uint64(a.epoch)<<32 | uint64(ar.runs)
	a.spawn(func() {
		ctx, cancel := context.WithTimeout(a.ctx, archiveTime)
		defer cancel()
		then, err := job(ctx, version)
		a.post(func() {
			if again != nil && err != nil {
				*again = true
			}
			if err != nil || then == nil || a.phase == dead {
				ar.ended(err)
				return
			}
			then()
		})
	})
}

// archiveTime bounds a job; archivePause is between a failed one and the next;
// debtPause is how long what was purged waits for more.
const (
	debtPause    = time.Minute
	archiveTime  = 5 * time.Minute
	archivePause = 10 * time.Second
)

// ended is the end of a job.
func (ar *archiver) ended(err error) {
	a := ar.a
	ar.busy, ar.blanked = false, nil
	waiting := ar.waiting
	ar.waiting = nil
	for _, w := range waiting {
		w(err)
	}
	switch {
	case a.phase == dead:
	case err == nil:
		ar.look()
	case a.ctx.Err() == nil:
		ar.strays, ar.paused, ar.tried = true, true, 0
		a.log.Info("the archive has to wait", "kind", a.table, "grain", a.id, "err", err)
		a.later(archivePause, func() { ar.paused = false; ar.look() })
	}
}

// commit has cells ride in the next put of the row; landed runs when it has landed.
func (ar *archiver) commit(cells []persistence.Cell, landed func()) {
	a := ar.a
	b := a.batch()
	for _, c := range cells {
		b.put(persistence.Log, c.Qualifier, c.Value)
	}
	b.owing = true
	b.answers = append(b.answers, waiter{send: func() { landed(); ar.ended(nil) }, refuse: ar.ended})
	a.commit()
}

// finish answers when a job has ended, having begun one if there is a reason. The
// first call has what was purged leave the pages, too, and all jobs look.
func (ar *archiver) finish(first bool, reply func(any, error)) {
	a := ar.a
	if !first || a.fenceBytes == nil {
		ar.goOn(reply)
		return
	}
	if a.pending != nil {
		a.pending.forced = true
	}
	a.claim(func(err error) {
		if err != nil {
			reply(nil, err)
			return
		}
		ar.dead, ar.debts, ar.strays = true, true, true
		ar.goOn(reply)
	})
}

func (ar *archiver) goOn(reply func(any, error)) {
	answer := func(err error) {
		done := ar.done
		if done.Left = ar.owes(); !done.Left && err == nil {
			ar.done = wire.Purged{}
		}
		reply(done, err)
	}
	ar.paused = false
	ar.look()
	switch {
	case ar.busy:
		ar.waiting = append(ar.waiting, func(err error) { answer(parley.Wrap(parley.Unavailable, "actors.purge", err)) })
	case ar.owes():
		answer(ar.a.unavailable())
	default:
		answer(nil)
	}
}
