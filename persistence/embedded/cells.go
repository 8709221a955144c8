package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/persistence"
)

// verify compares the checked cell with what the commit expects.
func (s *Store) verify(key []byte, check *persistence.Check) error {
	_, value, found, err := s.get(cellKey(key, familyBytes[check.Family], check.Qualifier))
	if err != nil {
		return err
	}
	if found != (check.Want != nil) || !bytes.Equal(value, check.Want) {
		return persistence.ErrCheckFailed
	}
	return nil
}

// stage adds the cells that are not older than what is stored. Only cells
// below the row's high-water version can be, so the common commit looks at no cell.
func (s *Store) stage(b *pebble.Batch, key []byte, cells []persistence.Cell) error {
	mark := cellKey(key, highWater, nil)
	high, _, _, err := s.get(mark)
	if err != nil {
		return err
	}
	top := high
	for _, c := range cells {
		k := cellKey(key, familyBytes[c.Family], c.Qualifier)
		if c.Version < high {
			stored, _, _, err := s.get(k)
			if err != nil {
				return err
			}
			if stored > c.Version {
				continue
			}
		}
		if err := set(b, k, c.Version, c.Value); err != nil {
			return err
		}
		top = max(top, c.Version)
	}
	if top > high {
		return set(b, mark, top, nil)
	}
	return nil
}

func set(b *pebble.Batch, key []byte, version uint64, value []byte) error {
	op := b.SetDeferred(len(key), 8+len(value))
	copy(op.Key, key)
	binary.BigEndian.PutUint64(op.Value, version)
	copy(op.Value[8:], value)
	return op.Finish()
}

// get finds one key; a missing one has version 0, which no cell has.
func (s *Store) get(key []byte) (version uint64, value []byte, found bool, err error) {
	v, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil, false, nil
	}
	if err != nil {
		return 0, nil, false, err
	}
	version, value, err = splitValue(v)
	return version, bytes.Clone(value), true, errors.Join(err, closer.Close())
}
