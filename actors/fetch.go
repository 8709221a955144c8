package actors

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/persistence"
)

// fetch reads pages beside the loop; the command that lacks them and all later
// ones wait in order, then it is decided again.
func (a *activation) fetch(pages []string) {
	a.phase = reading
	a.meter.fetch(len(pages))
	a.spawn(func() {
		got, err := a.readPages(a.ctx, pages)
		a.post(func() { a.fetched(pages, got, err) })
	})
}

// beside does a command's work beside the loop; later commands wait in order.
func (a *activation) beside(in input, work func(context.Context) (any, error)) {
	a.phase = reading
	a.spawn(func() {
		ctx, cancel := context.WithTimeout(a.ctx, a.tune.commitTime)
		defer cancel()
		cmd, err := safely(func() (any, error) { return work(ctx) })
		a.post(func() {
			if a.phase == dead {
				in.reply(nil, a.unavailable())
				return
			}
			a.phase = ready
			if err != nil {
				a.answer(in, func() { in.reply(nil, err) })
			} else {
				in.cmd = cmd
				a.waiting = append([]input{in}, a.waiting...)
			}
			a.drain()
		})
	})
}

func (a *activation) readPages(ctx context.Context, pages []string) ([][]persistence.Cell, error) {
	ctx, cancel := context.WithTimeout(ctx, a.tune.commitTime)
	defer cancel()
	ranges := []persistence.Range{persistence.Exactly(persistence.Log, fenceQualifier)}
	for _, p := range pages {
		ranges = append(ranges, pageRange(a.mark.Generation, p))
	}
	got, err := a.store.Read(ctx, a.table, a.row, ranges...)
	if err != nil {
		return nil, err
	}
	if !a.owns(only(got[0])) {
		return nil, errLost
	}
	return got[1:], nil
}

func (a *activation) fetched(pages []string, got [][]persistence.Cell, err error) {
	if a.phase == dead {
		return
	}
	if err == nil {
		err = a.supply(pages, got)
	}
	if err != nil {
		a.abandon(fmt.Errorf("read pages: %w", err))
		return
	}
	a.phase = ready
	a.drain()
}

func (a *activation) supply(pages []string, got [][]persistence.Cell) error {
	for i, p := range pages {
		var value []byte
		if len(got[i]) == 1 {
			value = got[i][0].Value
		}
		if err := a.m.supply(p, value); err != nil {
			return fmt.Errorf("page %q: %w", p, err)
		}
	}
	return nil
}

// fetchActions reads logged actions that a decision wants to blank.
func (a *activation) fetchActions(ns []uint64) {
	a.phase = reading
	a.spawn(func() {
		want := make([]logCell, len(ns))
		for i, n := range ns {
			want[i] = logCell{'a', n}
		}
		got, err := a.history.cells(a.ctx, want)
		a.post(func() { a.fetchedActions(ns, got, err) })
	})
}

func (a *activation) fetchedActions(ns []uint64, got map[logCell][]byte, err error) {
	if a.phase == dead {
		return
	}
	for _, n := range ns {
		raw := got[logCell{'a', n}]
		if raw == nil && err == nil {
			err = fmt.Errorf("action %d is missing from the log", n)
		}
		a.fromLog[n] = raw
	}
	if err != nil {
		a.abandon(fmt.Errorf("read actions: %w", err))
		return
	}
	a.phase = ready
	a.drain()
	clear(a.fromLog)
}

// logged returns an action's stored form, from what was decided here or was just read.
func (a *activation) logged(n uint64) []byte {
	if raw := a.recent.get(n); raw != nil {
		return raw
	}
	return a.fromLog[n]
}
