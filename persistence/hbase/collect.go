package hbase

import (
	"context"

	"github.com/tsuna/gohbase/hrpc"
	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley/persistence"
)

// maxParallel bounds how many Gets of one Read are on their way at once.
const maxParallel = 8

// collect sends the Gets of a plan once, side by side, and sorts the cells into
// the ranges that asked for them.
func (s *Store) collect(ctx context.Context, t persistence.Table, row []byte, p plan) ([][]persistence.Cell, error) {
	out := make([][]persistence.Cell, len(p.ranges))
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(maxParallel)
	if len(p.exact) > 0 {
		all.Go(func() error {
			result, err := s.getExact(ctx, t, row, p)
			if err != nil {
				return err
			}
			return p.share(result, out)
		})
	}
	for _, i := range p.wide {
		all.Go(func() (err error) {
			result, err := s.getRange(ctx, t, row, p.ranges[i])
			if err == nil {
				out[i], err = cells(result)
			}
			return err
		})
	}
	return out, all.Wait()
}

// share gives each exact range its cell, a copy of its own to each.
func (p plan) share(result *hrpc.Result, out [][]persistence.Cell) error {
	found := make(map[name]*hrpc.Cell, len(result.Cells))
	for _, c := range result.Cells {
		found[name{persistence.Family(c.Family), string(c.Qualifier)}] = c
	}
	for i, r := range p.ranges {
		if !isExact(r) {
			continue
		}
		if c := found[name{r.Family, string(r.From)}]; c != nil {
			cell, err := cellOf(c)
			if err != nil {
				return err
			}
			out[i] = []persistence.Cell{cell}
		}
	}
	return nil
}

func cells(result *hrpc.Result) ([]persistence.Cell, error) {
	var all []persistence.Cell
	for _, c := range result.Cells {
		cell, err := cellOf(c)
		if err != nil {
			return nil, err
		}
		all = append(all, cell)
	}
	return all, nil
}

// cellOf copies a cell out of the answer, for the caller to own.
func cellOf(c *hrpc.Cell) (persistence.Cell, error) {
	value, err := decodeValue(c.Value)
	if err != nil {
		return persistence.Cell{}, err
	}
	own := make([]byte, len(c.Qualifier))
	copy(own, c.Qualifier)
	return persistence.Cell{Family: persistence.Family(c.Family), Qualifier: own, Version: *c.Timestamp, Value: value}, nil
}
