package actors

import (
	"context"
	"iter"

	"github.com/parley-im/parley/persistence"
)

// rowsChunk is how many rows one look into a table lists.
const rowsChunk = 1000

// rowsFrom gives the rows of a table from one on, in order.
func rowsFrom(ctx context.Context, s persistence.Store, t persistence.Table, from []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			rows, err := s.Rows(ctx, t, from, rowsChunk)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			if len(rows) < rowsChunk {
				return
			}
			from = append(append([]byte(nil), rows[len(rows)-1]...), 0)
		}
	}
}

// allRows lists a table's rows.
func allRows(ctx context.Context, s persistence.Store, t persistence.Table) ([][]byte, error) {
	var out [][]byte
	for row, err := range rowsFrom(ctx, s, t, nil) {
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}
