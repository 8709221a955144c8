package embedded

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/persistence"
)

// Compact rewrites the row's part of the store, so that values which were
// erased or replaced before are in no live table any more. The files that held
// them are removed soon after, when no read uses them; the log that carried them
// is used again and overwritten in its turn.
func (s *Store) Compact(ctx context.Context, t persistence.Table, row []byte) error {
	key, err := locate(t, row)
	if err != nil {
		return err
	}
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.running.Done()
	if err := s.medium.failure(); err != nil {
		return err
	}
	if err := s.db.Compact(ctx, key, afterRow(key), false); err != nil {
		return fmt.Errorf("embedded: compact row %x: %w", row, err)
	}
	return s.medium.failure()
}
