package actors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// payDebts writes the first segment that holds purged content anew, without it.
// The manifest then names the new one, and the debts go, in one commit; the old
// one is a stray from then on.
func (ar *archiver) payDebts(ctx context.Context, version uint64) (func(), error) {
	a := ar.a
	old, debts, err := ar.owed(ctx)
	if err != nil {
		return nil, fmt.Errorf("read debts: %w", err)
	}
	if len(debts) == 0 {
		return nil, nil
	}
	s, err := readSegment(ctx, a.store, a.row, old)
	if err != nil {
		return nil, err
	}
	s = newSegment(s.First, s.Last, withoutContent(s.cells, debts))
	if err := putSegment(ctx, a.store, a.row, s, version); err != nil {
		return nil, fmt.Errorf("put a segment: %w", err)
	}
	return func() { ar.replace(old, s, debts) }, nil
}

// owed finds the first segment with debts, and these. Cells of debts that were paid
// are erased on the way, as far as the put that emptied them left that undone.
func (ar *archiver) owed(ctx context.Context) (of codec.Segment, debts map[uint64][]byte, err error) {
	debts = map[uint64][]byte{}
	r := persistence.Range{Family: persistence.Log, From: debtQualifier(0), To: []byte{'d' + 1}, Limit: tailChunk}
	for {
		got, err := ar.a.store.Read(ctx, ar.a.table, ar.a.row, r)
		if err != nil {
			return of, nil, err
		}
		cells := got[0]
		if err := ar.erase(ctx, slices.DeleteFunc(slices.Clone(cells), isDebt)); err != nil {
			return of, nil, err
		}
		for _, c := range cells {
			if !isDebt(c) {
				continue
			}
			n := number(c.Qualifier)
			if len(debts) == 0 {
				if of, err = ar.holder(ctx, n); err != nil {
					return of, nil, err
				}
			}
			if n > of.Last {
				return of, debts, nil
			}
			debts[n] = c.Value
		}
		if len(cells) < r.Limit {
			return of, debts, nil
		}
		r.From = append(cells[len(cells)-1].Qualifier, 0)
	}
}

func isDebt(c persistence.Cell) bool { return len(c.Value) > 0 }

// holder finds the segment that holds an action.
func (ar *archiver) holder(ctx context.Context, n uint64) (codec.Segment, error) {
	got, err := ar.a.store.Read(ctx, ar.a.table, ar.a.row, holding(n))
	if err != nil {
		return codec.Segment{}, err
	}
	s, err := firstNamed(got[0])
	if err == nil && (n < s.First || n > s.Last) {
		err = fmt.Errorf("no segment holds action %d", n)
	}
	return s, err
}

// withoutContent puts blanked actions into their places and drops their raw mail.
func withoutContent(cells []persistence.Cell, blanked map[uint64][]byte) []persistence.Cell {
	out := make([]persistence.Cell, 0, len(cells))
	for _, c := range cells {
		raw, is := blanked[number(c.Qualifier)]
		switch {
		case !is:
		case c.Qualifier[0] == 'a':
			c.Value = raw
		default:
			continue
		}
		out = append(out, c)
	}
	return out
}

// replace has the manifest name a segment in place of another.
func (ar *archiver) replace(old codec.Segment, s segment, debts map[uint64][]byte) {
	cells := []persistence.Cell{nameCell(s.Segment)}
	for n := range debts {
		cells = append(cells, persistence.Cell{Qualifier: debtQualifier(n)}) // an empty cell reads as none
	}
	ar.commit(cells, func() {
		ar.debts, ar.strays = true, true // there may be more
		ar.done.Segments++
		ar.done.Actions += uint64(len(debts))
		ar.done.Bytes += old.Bytes - min(old.Bytes, s.Bytes)
	})
}

// eraseStrays erases the segments of this row that the manifest does not name.
func (ar *archiver) eraseStrays(ctx context.Context, _ uint64) (func(), error) {
	a := ar.a
	rows, err := segmentRows(ctx, a.store, a.row)
	if err != nil || len(rows) == 0 {
		return nil, seeking("list segments", err)
	}
	named := map[string]bool{}
	err = eachNamed(ctx, a.store, a.table, a.row, func(s codec.Segment) error {
		named[string(s.Name[:])] = true
		return nil
	})
	if err != nil {
		return nil, seeking("read the manifest", err)
	}
	for _, row := range rows {
		if named[string(row[len(a.row):])] {
			continue
		}
		if err := eraseSegment(ctx, a.store, row, a.epoch); err != nil {
			return nil, seeking("erase a stray segment", err)
		}
	}
	return nil, nil
}

// segmentRows lists the segments that the archive has of an owner, named or not.
func segmentRows(ctx context.Context, s persistence.Store, owner []byte) ([][]byte, error) {
	var out [][]byte
	for row, err := range rowsFrom(ctx, s, persistence.Archive, owner) {
		if err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(row, owner) || len(row) != len(owner)+sha256.Size {
			break
		}
		out = append(out, row)
	}
	return out, nil
}

// eachNamed gives the segments of the manifest in order.
func eachNamed(ctx context.Context, s persistence.Store, t persistence.Table, row []byte, f func(codec.Segment) error) error {
	r := persistence.Range{Family: persistence.Log, From: namedQualifier(0), To: []byte{'s' + 1}}
	return each(ctx, s, t, row, r, func(c persistence.Cell) error {
		named, err := codec.DecodeSegment(c.Value)
		if err != nil {
			return err
		}
		return f(named)
	})
}

// seeking says what a job was about when it failed.
func seeking(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
