package actors

import (
	"context"
	"errors"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
)

// An answer that rides in a commit is proven by it: the fence held. What is
// answered without one says how things stand by a state that may be old, if
// another activation has taken the row. For reads 5 s are allowed.
// A refusal, or a command that finds nothing to do, is as binding as a commit: a
// repeat must find its first answer, and what is said to be done must be so.
// It waits for a proof that began after it came.

var errLost = errors.New("another activation owns the row")

// doubted reports whether the answer to a command still lacks its proof. proven
// is the last one that held.
func (in input) doubted(proven int, d decision) bool {
	if in.read || len(d.actions) > 0 || d.next != nil || proven > in.since {
		return false
	}
	switch in.cmd.(type) {
	case barrier, thread.Came, mailbox.Deliver: // say nothing that could be wrong: what was delivered stays so
		return false
	}
	return true
}

// confirm has a command decided again after a look at the fence.
func (a *activation) confirm(in input) {
	a.waiting = append([]input{in}, a.waiting...)
	if a.flying != nil { // the fence is about to change
		a.phase, a.confirming = reading, true
		return
	}
	a.checkFence()
}

// checkFence asks whether the row is still this activation's. No put is under way.
func (a *activation) checkFence() {
	a.phase, a.confirming = reading, false
	a.begun++
	proof, began := a.begun, a.now()
	a.spawn(func() {
		ctx, cancel := context.WithTimeout(a.ctx, a.tune.commitTime)
		defer cancel()
		got, err := a.store.Read(ctx, a.table, a.row, persistence.Exactly(persistence.Log, fenceQualifier))
		a.post(func() {
			if a.phase == dead {
				return
			}
			if err == nil && string(only(got[0])) != string(a.fenceBytes) {
				err = errLost
			}
			if err != nil {
				a.abandon(err)
				return
			}
			a.checkedAt, a.proven = began, proof
			a.phase = ready
			a.drain()
		})
	})
}

// only is the value of a range of one cell, nil if it is absent.
func only(cells []persistence.Cell) []byte {
	if len(cells) == 0 {
		return nil
	}
	return cells[0].Value
}

// owns says whether a fence, read along with pages, is of this activation: pages
// that another one has written do not fit this state. It looks at nothing that
// changes once the row is loaded, since it runs beside the loop.
func (a *activation) owns(fence []byte) bool {
	if string(fence) == string(a.loaded) {
		return true
	}
	f, err := codec.DecodeFence(fence)
	return err == nil && f.Epoch == a.epoch && f.Nonce == a.nonce
}
