package embedded

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/persistence"
)

// Erase implements persistence.Store. It may use most of the reserve, since it is what makes space.
func (s *Store) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) (err error) {
	defer s.meter.observe("erase", time.Now(), &err)
	for _, d := range dead {
		if _, err := familyByte(d.Family); err != nil {
			return err
		}
	}
	if len(dead) == 0 {
		return nil
	}
	return s.change(ctx, t, row, s.reserve/4, func(b *pebble.Batch, key []byte) error {
		it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: key, UpperBound: afterRow(key)})
		if err != nil {
			return err
		}
		err = stageErase(b, it, key, dead)
		if cerr := it.Close(); err == nil {
			err = cerr
		}
		return err
	})
}

func stageErase(b *pebble.Batch, it *pebble.Iterator, key []byte, dead []persistence.Dead) error {
	gone := make(map[string]bool, len(dead))
	for _, d := range dead {
		k := cellKey(key, familyBytes[d.Family], d.Qualifier)
		if gone[string(k)] || !it.SeekPrefixGE(k) || !bytes.Equal(it.Key(), k) {
			continue
		}
		v, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		version, _, err := splitValue(v)
		if err != nil {
			return err
		}
		if version > d.UpTo {
			continue
		}
		gone[string(k)] = true
		if err := b.Delete(k, nil); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return err
	}
	return dropEmptyRow(b, it, key, gone)
}

// dropEmptyRow removes the high-water record with the last cell. A version that
// is put later then compares with nothing, as there is nothing to compare with.
func dropEmptyRow(b *pebble.Batch, it *pebble.Iterator, key []byte, gone map[string]bool) error {
	if len(gone) == 0 {
		return nil
	}
	mark := cellKey(key, highWater, nil)
	for ok := it.SeekPrefixGE(key); ok; ok = it.Next() {
		if k := it.Key(); !bytes.Equal(k, mark) && !gone[string(k)] {
			return it.Error()
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("embedded: look for the last cell: %w", err)
	}
	return b.Delete(mark, nil)
}
