package hbase

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/persistence"
)

// Erase implements persistence.Store: one mutation that marks the versions as
// deleted; a compaction removes them. Until a major one a put below the mark
// stays hidden.
func (s *Store) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) error {
	if err := checkRow(t, row); err != nil {
		return err
	}
	upTo := make(map[name]uint64, len(dead))
	for _, d := range dead {
		if err := checkFamily(t, d.Family); err != nil {
			return err
		}
		n := name{d.Family, string(d.Qualifier)}
		upTo[n] = max(upTo[n], min(d.UpTo, persistence.MaxVersion))
	}
	for n, version := range upTo {
		if version == 0 { // no cell has it
			delete(upTo, n)
		}
	}
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if len(upTo) == 0 {
		return nil
	}
	m, err := s.newErase(ctx, t, row, upTo)
	if err != nil {
		return fmt.Errorf("hbase: erase: %w", err)
	}
	return s.send(m)
}
