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

func again(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil || errors.Is(err, persistence.ErrCheckFailed) {
		return false
	}
	time.Sleep(time.Millisecond)
	return true
}

func (s *insist) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) (got [][]persistence.Cell, err error) {
	for range tries {
		if got, err = s.Store.Read(ctx, t, row, ranges...); !again(ctx, err) {
			break
		}
	}
	return got, err
}

func (s *insist) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) (err error) {
	for range tries {
		err = s.Store.Commit(ctx, t, row, check, cells)
		if !again(ctx, err) || persistence.Ambiguous(err) && s.landed(ctx, t, row, cells[0]) {
			break
		}
	}
	if persistence.Ambiguous(err) && s.landed(ctx, t, row, cells[0]) {
		return nil
	}
	return err
}

// landed reports whether c is what the store holds. A commit is whole, so one cell tells of all.
func (s *insist) landed(ctx context.Context, t persistence.Table, row []byte, c persistence.Cell) bool {
	got, err := s.Read(ctx, t, row, persistence.Exactly(c.Family, c.Qualifier))
	return err == nil && len(got[0]) == 1 && got[0][0].Version == c.Version && bytes.Equal(got[0][0].Value, c.Value)
}

func (s *insist) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) (err error) {
	for range tries {
		if err = s.Store.Put(ctx, t, row, cells); !again(ctx, err) {
			break
		}
	}
	return err
}

func (s *insist) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) (err error) {
	for range tries {
		if err = s.Store.Erase(ctx, t, row, dead...); !again(ctx, err) {
			break
		}
	}
	return err
}

func (s *insist) Rows(ctx context.Context, t persistence.Table, from []byte, limit int) (rows [][]byte, err error) {
	for range tries {
		if rows, err = s.Store.Rows(ctx, t, from, limit); !again(ctx, err) {
			break
		}
	}
	return rows, err
}
