package actors

import (
	"context"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// maxDirtyPages bounds what a flush carries.
const maxDirtyPages = 1000

// flushDue says whether the next put carries the projection along: when enough
// was changed, or the last flush is old. The first put of an activation always
// does, since most rows are woken for one message, and a flush of its own would
// cost a whole put more; those that follow it soon would write the same blocks
// again and again.
func (a *activation) flushDue() bool {
	old := a.now().Sub(a.lastFlush) >= a.tune.flushAge
	long := a.tail > 3*a.tune.segment && a.sinceFlush >= a.tune.flushActions/10 // only what is flushed can be sealed
	return a.m.dirty() > 0 && (old || long || a.sinceFlush >= a.tune.flushActions || a.m.dirty() >= maxDirtyPages)
}

// addFlush puts the changed pages as of the last action decided, and the mark
// that says so, into the batch.
func (a *activation) addFlush(b *batch) error {
	pages, err := a.m.flush()
	if err != nil {
		return err
	}
	for key, value := range pages {
		q := pageQualifier(a.mark.Generation, key)
		if value == nil { // there is no put-and-delete: an empty cell reads as absent
			value = []byte{}
		}
		b.put(persistence.Meta, q, value)
	}
	a.mark.Applied, a.mark.Projection, a.mark.Action = a.m.last(), codec.ProjectionVersion, codec.ActionVersion
	b.put(persistence.Meta, markQualifier, codec.EncodeMark(a.mark))
	b.flush, b.applied = true, a.mark.Applied
	a.meter.flushes.Inc()
	a.meter.flushed.Add(float64(len(pages)))
	a.sinceFlush, a.lastFlush = 0, a.now()
	return nil
}

// flushLanded lets the machine trim its memory.
func (a *activation) flushLanded(b *batch) {
	if b.flush {
		a.m.flushed(a.tune.pageBudget)
	}
}

// sweep erases the cells that a put left empty. They read as absent either way,
// so nothing depends on it: it keeps the row small.
func (a *activation) sweep(b *batch, version uint64) {
	var dead []persistence.Dead
	for _, c := range b.cells {
		if len(c.Value) == 0 {
			dead = append(dead, persistence.Dead{Family: c.Family, Qualifier: c.Qualifier, UpTo: version})
		}
	}
	if len(dead) == 0 {
		return
	}
	a.spawn(func() {
		ctx, cancel := context.WithTimeout(a.ctx, a.tune.commitTime)
		defer cancel()
		if err := a.store.Erase(ctx, a.table, a.row, dead...); err != nil && ctx.Err() == nil {
			a.log.Info("empty cells stay for now", "kind", a.table, "grain", a.id, "err", err)
		}
	})
}

// settle flushes what is dirty, and stores that nothing is owed any more, when nothing else does: at idle and before the
// activation ends. It reports whether there is nothing left to flush.
func (a *activation) settle() bool {
	if a.phase != ready || a.m.dirty() == 0 && a.owing == a.fence.Owing {
		return true
	}
	if a.pending == nil && a.flying == nil {
		a.batch().forced = true
		a.commit()
	}
	return false
}
