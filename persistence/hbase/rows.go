package hbase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"

	"github.com/parley-im/parley/persistence"
)

// rowsAtOnce bounds how many row keys one answer of a scan brings.
const rowsAtOnce = 1000

// Rows implements persistence.Store. Of each row the scan brings the key of one
// cell, without its value.
func (s *Store) Rows(ctx context.Context, t persistence.Table, from []byte, limit int) ([][]byte, error) {
	if families[t] == nil {
		return nil, fmt.Errorf("hbase: no table %q", t)
	}
	if limit <= 0 {
		return nil, fmt.Errorf("hbase: rows with limit %d", limit)
	}
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	rows, err := s.scan(ctx, t, from, limit)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("hbase: rows of %s: %w", t, err)
	}
	return rows, nil
}

func (s *Store) scan(ctx context.Context, t persistence.Table, from []byte, limit int) (rows [][]byte, err error) {
	scan, err := hrpc.NewScanRange(ctx, s.cfg.tableName(t), from, nil,
		hrpc.NumberOfRows(uint32(min(limit, rowsAtOnce))),
		hrpc.Filters(filter.NewList(filter.MustPassAll, filter.NewFirstKeyOnlyFilter(), filter.NewKeyOnlyFilter(false))))
	if err != nil {
		return nil, err
	}
	scanner := s.client.Scan(scan)
	for len(rows) < limit {
		result, err := scanner.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil // the scanner has closed itself
		}
		if err != nil {
			return nil, err
		}
		if len(result.Cells) > 0 {
			rows = append(rows, bytes.Clone(result.Cells[0].Row))
		}
	}
	scanner.Close()
	return rows, nil
}
