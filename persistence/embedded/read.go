package embedded

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/persistence"
)

// Read implements persistence.Store. It waits for a commit on the row that is not durable yet.
func (s *Store) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) (out [][]persistence.Cell, err error) {
	defer s.meter.observe("read", time.Now(), &err)
	key, err := locate(t, row)
	if err != nil {
		return nil, err
	}
	if err := checkRanges(ranges); err != nil {
		return nil, err
	}
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.running.Done()
	it, err := s.look(ctx, key)
	if err != nil {
		return nil, err
	}
	out = make([][]persistence.Cell, len(ranges))
	for i, r := range ranges {
		if out[i], err = readRange(ctx, it, key, r); err != nil {
			break
		}
	}
	if err := errors.Join(err, it.Close()); err != nil {
		return nil, fmt.Errorf("embedded: read row %x: %w", row, err)
	}
	return out, nil
}

// look opens an iterator over the row at a moment when all of it is durable.
func (s *Store) look(ctx context.Context, key []byte) (*pebble.Iterator, error) {
	unlock, err := s.rows.lock(ctx, string(key), s.medium.failed)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: key, UpperBound: afterRow(key)})
}

func readRange(ctx context.Context, it *pebble.Iterator, row []byte, r persistence.Range) ([]persistence.Cell, error) {
	var cells []persistence.Cell
	head := len(row) + 1
	from := cellKey(row, familyBytes[r.Family], r.From)
	for ok := it.SeekPrefixGE(from); ok; ok = it.Next() {
		k := it.Key()
		if k[head-1] != from[head-1] || r.To != nil && bytes.Compare(k[head:], r.To) >= 0 {
			break
		}
		c, err := cellAt(it, r.Family, k[head:])
		if err != nil {
			return nil, err
		}
		if cells = append(cells, c); len(cells) == r.Limit {
			break
		}
		if len(cells)%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return cells, it.Error()
}

// cellAt copies the cell under the iterator, for the caller to own.
func cellAt(it *pebble.Iterator, f persistence.Family, qualifier []byte) (persistence.Cell, error) {
	v, err := it.ValueAndErr()
	if err != nil {
		return persistence.Cell{}, err
	}
	version, value, err := splitValue(v)
	if err != nil {
		return persistence.Cell{}, err
	}
	n := len(qualifier)
	own := make([]byte, n+len(value))
	copy(own, qualifier)
	copy(own[n:], value)
	return persistence.Cell{Family: f, Qualifier: own[:n:n], Version: version, Value: own[n:]}, nil
}

func splitValue(v []byte) (version uint64, value []byte, err error) {
	if len(v) < 8 {
		return 0, nil, fmt.Errorf("embedded: malformed value %x", v)
	}
	return binary.BigEndian.Uint64(v), v[8:], nil
}

// Rows implements persistence.Store. It seeks from row to row.
func (s *Store) Rows(ctx context.Context, t persistence.Table, from []byte, limit int) (rows [][]byte, err error) {
	defer s.meter.observe("rows", time.Now(), &err)
	table, ok := tableBytes[t]
	if !ok {
		return nil, fmt.Errorf("embedded: no table %q", t)
	}
	if limit <= 0 {
		return nil, fmt.Errorf("embedded: rows with limit %d", limit)
	}
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.running.Done()
	keys, err := s.rowKeys(ctx, table, from, limit)
	if err != nil {
		return nil, fmt.Errorf("embedded: rows of %s: %w", t, err)
	}
	rows = make([][]byte, len(keys))
	for i, key := range keys {
		if err := s.settle(ctx, key); err != nil {
			return nil, err
		}
		if rows[i], err = rowOf(key); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (s *Store) rowKeys(ctx context.Context, table byte, from []byte, limit int) ([][]byte, error) {
	it, err := s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: []byte{table}, UpperBound: []byte{table + 1}})
	if err != nil {
		return nil, err
	}
	var keys [][]byte
	for ok := it.SeekGE(rowKey(table, from)); ok && len(keys) < limit && ctx.Err() == nil; {
		key := bytes.Clone(it.Key()[:rowLen(it.Key())])
		keys = append(keys, key)
		ok = it.SeekGE(afterRow(key))
	}
	return keys, errors.Join(context.Cause(ctx), it.Close())
}

// settle waits until a commit on the row that a scan has seen is durable.
func (s *Store) settle(ctx context.Context, key []byte) error {
	if !s.rows.owned(string(key)) {
		return nil
	}
	unlock, err := s.rows.lock(ctx, string(key), s.medium.failed)
	if err == nil {
		unlock()
	}
	return err
}
