package storetest

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/parley-im/parley/persistence"
)

// insist makes of an unreliable store one that a subtest can count on, as long
// as one goroutine at a time changes a row or each puts a value of its own:
// what failed is tried again, and a commit of unknown outcome is looked up.
type insist struct{ persistence.Store }

const tries = 20

// until runs op until it succeeds or fails for good. Of many failures a clear
// one is the answer: a store that refuses does so each time.
func until(ctx context.Context, op func() error) (err error) {
	var clear error
	for range tries {
		err = op()
		if err == nil || ctx.Err() != nil || errors.Is(err, persistence.ErrCheckFailed) {
			return err
		}
		if !persistence.Ambiguous(err) {
			clear = err
		}
		time.Sleep(time.Millisecond) // a store that is really away is not hammered
	}
	if clear != nil {
		return clear
	}
	return err
}

func (s *insist) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) (got [][]persistence.Cell, err error) {
	err = until(ctx, func() error { got, err = s.Store.Read(ctx, t, row, ranges...); return err })
	return got, err
}

func (s *insist) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	return until(ctx, func() error {
		err := s.Store.Commit(ctx, t, row, check, cells)
		if persistence.Ambiguous(err) && s.landed(ctx, t, row, cells[0]) {
			return nil
		}
		return err
	})
}

// landed reports whether c is what the store holds. A commit is whole, so one cell tells of all.
func (s *insist) landed(ctx context.Context, t persistence.Table, row []byte, c persistence.Cell) bool {
	got, err := s.Read(ctx, t, row, persistence.Exactly(c.Family, c.Qualifier))
	return err == nil && len(got[0]) == 1 && got[0][0].Version == c.Version && bytes.Equal(got[0][0].Value, c.Value)
}

func (s *insist) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) error {
	return until(ctx, func() error { return s.Store.Put(ctx, t, row, cells) })
}

func (s *insist) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) error {
	return until(ctx, func() error { return s.Store.Erase(ctx, t, row, dead...) })
}

func (s *insist) Rows(ctx context.Context, t persistence.Table, from []byte, limit int) (rows [][]byte, err error) {
	err = until(ctx, func() error { rows, err = s.Store.Rows(ctx, t, from, limit); return err })
	return rows, err
}
