package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// batch is what one put carries: actions, bodies, blanked actions, perhaps a
// flush, and the answers that wait for it.
type batch struct {
	cells   map[string]persistence.Cell // by family and qualifier: a later one replaces
	actions int
	last    uint64
	answers []waiter
	failed  error
	flush   bool // carries the projection
	forced  bool // carries it, due or not
	proof   int  // its number among the proofs of the fence
	began   time.Time

	fence      codec.Fence // that it puts, once it is sealed
	fenceBytes []byte

	blanked map[uint64][]byte // actions of the tail, blanked; nil without any
	debts   bool              // blanks actions of segments
	owing   bool              // leaves something to the archiver
	grown   uint64            // bytes that it adds to the tail
	applied uint64            // the last action in the flush
}

// waiter is an answer that waits for a batch.
type waiter struct {
	send    func()
	refuse  func(error)
	request string // that it belongs to
}

// batch is the one that the next put carries.
func (a *activation) batch() *batch {
	if a.pending == nil {
		a.pending = &batch{cells: map[string]persistence.Cell{}}
	}
	return a.pending
}

// add takes a decision's actions, which the machine has already folded in.
func (b *batch) add(a *activation, d decision) {
	first := a.m.last() + 1 - uint64(len(d.actions))
	for i, raw := range d.actions {
		n := first + uint64(i)
		b.put(persistence.Log, actionQualifier(n), raw)
		a.recent.push(n, raw)
		b.last = n
	}
	for n, body := range d.bodies {
		b.put(persistence.Log, bodyQualifier(n), body)
	}
	for _, n := range d.blank {
		b.blank(a, n)
	}
	b.actions += len(d.actions)
	a.sinceFlush += len(d.actions)
}

// blank replaces a logged action by itself without content, and its body by
// nothing. There is no put-and-delete in one commit, so the body's cell stays, empty.
func (b *batch) blank(a *activation, n uint64) {
	raw := a.logged(n)
	blanked, err := a.m.blank(raw)
	if err != nil {
		b.failed = fmt.Errorf("blank action %d: %w", n, err)
		return
	}
	a.recent.replace(n, blanked)
	if n <= a.sealed {
		b.put(persistence.Log, debtQualifier(n), blanked)
		b.debts, b.owing = true, true
		return
	}
	b.put(persistence.Log, actionQualifier(n), blanked)
	b.put(persistence.Log, bodyQualifier(n), nil)
	if b.blanked == nil {
		b.blanked = map[uint64][]byte{}
	}
	b.blanked[n] = blanked
	if a.archive.blanked != nil { // else no job runs that may have read it before
		a.archive.blanked[n] = blanked
	}
}

// grow counts the actions and raw mail among the cells.
func (b *batch) grow() uint64 {
	for _, c := range b.cells {
		if c.Family == persistence.Log && (c.Qualifier[0] == 'a' || c.Qualifier[0] == 'b') {
			b.grown += uint64(len(c.Value))
		}
	}
	return b.grown
}

func (b *batch) put(f persistence.Family, qualifier, value []byte) {
	b.cells[string(f)+string(qualifier)] = persistence.Cell{Family: f, Qualifier: qualifier, Value: value}
}

// release sends the answers of a batch that is durable.
func (b *batch) release() {
	for _, w := range b.answers {
		w.send()
	}
}

// commit starts the put of what is pending, unless one is in flight. One put
// per row at a time, flush included.
func (a *activation) commit() {
	if a.phase == dead || a.flying != nil || a.pending == nil {
		return
	}
	if a.reminder.wanted(a.m.work()) {
		a.arm()
		return
	}
	b := a.pending
	a.pending, a.flying = nil, b
	if b.failed != nil {
		a.abandon(b.failed)
		return
	}
	if b.forced || a.flushDue() {
		if err := a.addFlush(b); err != nil {
			a.abandon(err)
			return
		}
	}
	check, cells := a.seal(b)
	a.begun++
	b.proof, b.began = a.begun, a.now()
	a.meter.put(cells, b)
	a.spawn(func() {
		ctx, cancel := context.WithTimeout(a.ctx, a.tune.commitTime)
		defer cancel()
		start := time.Now()
		err := a.store.Commit(ctx, a.table, a.row, check, cells)
		a.meter.committed(time.Since(start), err)
		a.post(func() { a.landed(b, err) })
	})
}

// seal gives the batch its fence and its versions. The fence's value changes with
// every put, so that what was loaded before a foreign put can never commit after
// it; the first put of an activation is its claim.
func (a *activation) seal(b *batch) (persistence.Check, []persistence.Cell) {
	a.puts++
	grown := b.grow()
	a.tail += grown
	a.archive.grown += grown
	b.fence = codec.Fence{Epoch: a.epoch, Nonce: a.nonce, N: a.puts, Last: max(a.fence.Last, b.last),
		Sealed: a.sealed, Tail: a.tail, Owing: a.owing || b.owing}
	b.fenceBytes = codec.EncodeFence(b.fence)
	b.put(persistence.Log, fenceQualifier, b.fenceBytes)
	version := b.fence.Version()
	cells := make([]persistence.Cell, 0, len(b.cells))
	for _, c := range b.cells {
		c.Version = version
		cells = append(cells, c)
	}
	check := persistence.Check{Family: persistence.Log, Qualifier: fenceQualifier, Want: a.fenceBytes}
	return check, cells
}

// landed runs in the queue when a put has come back.
func (a *activation) landed(b *batch, err error) {
	if a.phase == dead {
		return
	}
	if err != nil {
		if errors.Is(err, persistence.ErrCheckFailed) {
			err = fmt.Errorf("%w: %w", errLost, err)
		}
		a.abandon(err)
		return
	}
	a.flying = nil
	a.fence, a.fenceBytes = b.fence, b.fenceBytes
	a.checkedAt, a.proven = b.began, b.proof
	if b.last > a.committed {
		a.committed = b.last
	}
	a.flushLanded(b)
	a.archiveLanded(b)
	a.sweep(b, b.fence.Version())
	b.release()
	for _, hook := range a.onCommit {
		hook()
	}
	a.archive.look()
	a.commit()
	if a.confirming && a.flying == nil {
		a.checkFence()
	}
}

// fail answers everything that waited for a batch that did not land.
func (b *batch) fail(err error) {
	for _, w := range b.answers {
		w.refuse(err)
	}
}
