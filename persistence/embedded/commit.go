package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/persistence"
)

// Commit implements persistence.Store. A context that ends before the batch is
// handed to Pebble refuses it; after that Commit waits for the outcome, unless
// the disk is full, when it could wait for ever.
func (s *Store) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) (err error) {
	defer s.meter.observe("commit", time.Now(), &err)
	if _, err := familyByte(check.Family); err != nil {
		return err
	}
	return s.put(ctx, t, row, &check, cells)
}

// Put implements persistence.Store.
func (s *Store) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) (err error) {
	defer s.meter.observe("put", time.Now(), &err)
	return s.put(ctx, t, row, nil, cells)
}

func (s *Store) put(ctx context.Context, t persistence.Table, row []byte, check *persistence.Check, cells []persistence.Cell) error {
	if err := checkCells(cells); err != nil {
		return err
	}
	return s.change(ctx, t, row, s.reserve, func(b *pebble.Batch, key []byte) error {
		if check != nil {
			if err := s.verify(key, check); err != nil {
				return err
			}
		}
		return s.stage(b, key, cells)
	})
}

// change owns the row from before stage reads until what it staged is durable.
func (s *Store) change(ctx context.Context, t persistence.Table, row []byte, reserve uint64, stage func(*pebble.Batch, []byte) error) error {
	key, err := locate(t, row)
	if err != nil {
		return err
	}
	if err := s.enter(ctx); err != nil {
		return err
	}
	if err := s.medium.failure(); err != nil {
		s.running.Done()
		return err
	}
	unlock, err := s.rows.lock(ctx, string(key), s.medium.failed)
	if err != nil {
		s.running.Done()
		return err
	}
	b := s.db.NewBatch()
	err = stage(b, key)
	if err == nil && b.Len() > maxCommit {
		err = fmt.Errorf("embedded: a commit of %d bytes, allowed are %d", b.Len(), maxCommit)
	}
	if err == nil && !b.Empty() {
		err = s.medium.room(uint64(b.Len()), reserve)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil || b.Empty() {
		unlock()
		s.running.Done()
		return errors.Join(err, b.Close())
	}
	return s.apply(ctx, b, unlock)
}

// apply hands the batch to Pebble, whose pipeline shares one fsync among all
// who wait. An owner that does not learn the outcome keeps the row.
func (s *Store) apply(ctx context.Context, b *pebble.Batch, unlock func()) error {
	done := make(chan error, 1)
	go func() {
		defer s.running.Done()
		s.medium.gather.enter()
		err := s.db.Apply(b, s.mode)
		s.medium.gather.leave()
		if err == nil {
			err = s.medium.failure()
		}
		if err == nil {
			unlock()
			err = b.Close()
		} else {
			err = &persistence.AmbiguousError{Err: err}
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-s.medium.failed:
		return &persistence.AmbiguousError{Err: s.medium.failure()}
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-s.medium.failed:
		return &persistence.AmbiguousError{Err: s.medium.failure()}
	case <-s.medium.isFull():
		return &persistence.AmbiguousError{Err: fmt.Errorf("%w: %w", persistence.ErrNoSpace, context.Cause(ctx))}
	}
}
