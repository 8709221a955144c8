package hbase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"

	"github.com/parley-im/parley/persistence"
)

// plan is how ranges are read: all that hold one cell in one Get of known
// columns, and each of the others in a Get that seeks to its start. One Get with
// a list of filters would do for all, but its servers then look at every cell
// between two ranges, which in a wide row is most of it.
type plan struct {
	ranges []persistence.Range
	exact  map[string][]string // qualifiers by family
	wide   []int               // indices of the ranges with a Get of their own
}

func newPlan(ranges []persistence.Range) plan {
	p := plan{ranges: ranges, exact: make(map[string][]string)}
	for i, r := range ranges {
		switch {
		case r.To != nil && bytes.Compare(r.From, r.To) >= 0: // holds nothing
		case isExact(r):
			f, q := string(r.Family), string(r.From)
			if !slices.Contains(p.exact[f], q) {
				p.exact[f] = append(p.exact[f], q)
			}
		default:
			p.wide = append(p.wide, i)
		}
	}
	return p
}

// isExact tells the ranges that hold one qualifier: it and the next are the bounds.
func isExact(r persistence.Range) bool {
	n := len(r.From)
	return len(r.To) == n+1 && r.To[n] == 0 && bytes.Equal(r.To[:n], r.From)
}

// Read implements persistence.Store. One Get shows one state of the row; where
// the ranges need several, they are read until two readings in a row are equal,
// so that what came back was true at the moment between them.
func (s *Store) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	if err := errors.Join(checkRow(t, row), checkRanges(t, ranges)); err != nil {
		return nil, err
	}
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	p := newPlan(ranges)
	got, err := s.collect(ctx, t, row, p)
	for again := p.gets() > 1; again && err == nil; {
		before := got
		if got, err = s.collect(ctx, t, row, p); err == nil {
			again = !slices.EqualFunc(before, got, sameCells)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("hbase: read %s row %x: %w", t, row, err)
	}
	return got, nil
}

func sameCells(a, b []persistence.Cell) bool {
	return slices.EqualFunc(a, b, func(a, b persistence.Cell) bool {
		return a.Version == b.Version && bytes.Equal(a.Qualifier, b.Qualifier) && bytes.Equal(a.Value, b.Value)
	})
}

// gets is how many Gets the plan takes.
func (p plan) gets() int { return min(len(p.exact), 1) + len(p.wide) }

// get asks for the exact cells of the plan.
func (s *Store) getExact(ctx context.Context, t persistence.Table, row []byte, p plan) (*hrpc.Result, error) {
	return s.get(ctx, t, row, hrpc.Families(p.exact))
}

// getRange asks for one range. The filter seeks to its start and ends at its end.
func (s *Store) getRange(ctx context.Context, t persistence.Table, row []byte, r persistence.Range) (*hrpc.Result, error) {
	options := []func(hrpc.Call) error{
		hrpc.Families(map[string][]string{string(r.Family): nil}),
		hrpc.MaxResultsPerColumnFamily(uint32(min(r.Limit, math.MaxInt32))),
	}
	if len(r.From) > 0 || r.To != nil {
		options = append(options, hrpc.Filters(filter.NewColumnRangeFilter(r.From, r.To, true, false)))
	}
	return s.get(ctx, t, row, options...)
}

func (s *Store) get(ctx context.Context, t persistence.Table, row []byte, options ...func(hrpc.Call) error) (*hrpc.Result, error) {
	get, err := hrpc.NewGet(ctx, s.cfg.tableName(t), row, options...)
	if err != nil {
		return nil, err
	}
	return s.client.Get(get)
}
