package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// maxRanged bounds how many cells of a ranged page family a load reads.
const maxRanged = 4096

// load reads the row beside the loop: fence, mark and the pages that the machine
// and its first command want, in one operation; then the actions that the
// projection lacks. The claim itself rides in the first commit (batch.seal).
func (a *activation) load(first any) {
	a.phase, a.archive.a = loading, a
	a.begun++
	proof := a.begun
	a.fromLog = map[uint64][]byte{}
	began, start := a.now(), time.Now()
	a.spawn(func() {
		err := a.readRow(first)
		a.meter.load.Observe(time.Since(start).Seconds())
		a.post(func() {
			if a.phase == dead {
				return
			}
			if err != nil {
				a.abandon(fmt.Errorf("load: %w", err))
				return
			}
			a.checkedAt, a.proven = began, proof
			a.committed, a.applied = a.m.last(), a.mark.Applied
			a.phase = ready
			a.meter.loads.Inc()
			for _, f := range a.onLoad {
				f()
			}
			a.archive.loaded()
			a.drain()
		})
	})
}

func (a *activation) readRow(first any) error {
	ctx, cancel := context.WithTimeout(a.ctx, a.tune.commitTime)
	defer cancel()
	pages := append(a.m.base(), a.hintSafely(first)...)
	got, err := a.store.Read(ctx, a.table, a.row, a.loadRanges(pages)...)
	if err != nil {
		return err
	}
	if err := a.readMarks(got[0], got[1]); err != nil {
		return err
	}
	if err := a.takePages(pages, got[2:]); err != nil {
		return err
	}
	if err := a.m.loaded(); err != nil {
		return err
	}
	return a.catchUp(ctx)
}

// loadRanges asks for the pages in both generations, since the mark that tells
// which one counts is only being read; what is absent costs nothing.
func (a *activation) loadRanges(pages []string) []persistence.Range {
	rs := []persistence.Range{persistence.Exactly(persistence.Log, fenceQualifier), persistence.Exactly(persistence.Meta, markQualifier)}
	for _, g := range []byte{firstGeneration, otherGeneration(firstGeneration)} {
		for _, p := range pages {
			rs = append(rs, pageRange(g, p))
		}
		for _, p := range a.m.ranges() {
			rs = append(rs, prefixRange(g, p, maxRanged))
		}
	}
	return rs
}

func (a *activation) readMarks(fence, mark []persistence.Cell) error {
	a.mark = codec.Mark{Generation: firstGeneration}
	var err error
	if len(fence) == 1 {
		a.fenceBytes, a.loaded = fence[0].Value, fence[0].Value
		if a.fence, err = codec.DecodeFence(a.fenceBytes); err != nil {
			return err
		}
	}
	if len(mark) == 1 {
		if a.mark, err = codec.DecodeMark(mark[0].Value); err != nil {
			return err
		}
	}
	if a.mark.Projection > codec.ProjectionVersion || a.mark.Action > codec.ActionVersion {
		return &parley.Error{Code: parley.Unavailable, Op: "actors.load", Public: "this mailbox was written by a newer server"}
	}
	a.epoch, a.nonce, a.puts = a.fence.Epoch+1, a.newNonce(), 0
	a.history.sealed.Store(a.fence.Sealed)
	return nil
}

func (a *activation) takePages(pages []string, got [][]persistence.Cell) error {
	ranges := a.m.ranges()
	if a.mark.Generation != firstGeneration {
		got = got[len(pages)+len(ranges):]
	}
	if err := a.supply(pages, got); err != nil {
		return err
	}
	for i := range ranges {
		cells := got[len(pages)+i]
		if len(cells) == maxRanged {
			return fmt.Errorf("more than %d pages under %q", maxRanged, ranges[i])
		}
		for _, c := range cells {
			if err := a.m.supply(string(c.Qualifier[1:]), c.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// replayChunk is how many actions one read of a replay brings.
const replayChunk = 500

// catchUp folds in the actions that the projection lacks. The fence says how many
// there are, so that a hole is seen.
func (a *activation) catchUp(ctx context.Context) error {
	for raw, err := range a.history.actions(ctx, a.m.last(), a.fence.Last) {
		if err != nil {
			return err
		}
		n := a.m.last() + 1
		if err := a.replay(ctx, raw); err != nil {
			return a.poisoned(n, err) // nil: read-only, and no further
		}
		a.recent.push(n, raw)
		a.sinceFlush++
	}
	return nil
}

// replay folds in one action, reading the pages that it touches.
func (a *activation) replay(ctx context.Context, raw []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	for {
		pages, err := a.m.replay(raw)
		if err != nil || len(pages) == 0 {
			return err
		}
		got, err := a.readPages(ctx, pages)
		if err != nil {
			return &readError{err}
		}
		if err := a.supply(pages, got); err != nil {
			return err
		}
	}
}

type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

// poisoned makes the mailbox read-only as of the action before, and says so
// loudly; a store that cannot be read is no poison.
func (a *activation) poisoned(n uint64, err error) error {
	if r := (*readError)(nil); errors.As(err, &r) {
		return err
	}
	a.log.Error("the log cannot be replayed; read-only until an operator looks", "kind", a.table, "grain", a.id, "action", n, "err", err)
	a.meter.poison.Inc()
	a.readOnly = &parley.Error{Code: parley.Poisoned, Op: "actors.replay", Public: "this mailbox is read-only until the operator has looked at it", Err: err}
	return nil
}
