package storetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/parley-im/parley/persistence"
)

// NewPair gives two stores as one: each operation goes to both and its answers
// are compared. The answers of one are what the caller gets. It holds writers
// apart, so that both stores see all changes in one order.
func NewPair(t testing.TB, one, other persistence.Store) persistence.Store {
	return &pair{t: t, one: one, other: other}
}

type pair struct {
	t          testing.TB
	one, other persistence.Store
	mu         sync.RWMutex // held by writers; shared by readers
}

// outcome sorts errors into those that a caller tells apart.
func outcome(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, persistence.ErrCheckFailed):
		return "check failed"
	case persistence.Ambiguous(err):
		return "unknown"
	}
	return "refused"
}

// agree compares two answers.
func (p *pair) agree(op string, t persistence.Table, row []byte, err, otherErr error) bool {
	if got, want := outcome(err), outcome(otherErr); got != want {
		p.t.Errorf("%s of %s row %x: %s (%v) and %s (%v)", op, t, row, got, err, want, otherErr)
		return false
	}
	return err == nil
}

// write goes to both stores, also when its context ends between the two.
func (p *pair) write(ctx context.Context, op string, t persistence.Table, row []byte, do func(context.Context, persistence.Store) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	ctx = context.WithoutCancel(ctx)
	err := do(ctx, p.one)
	p.agree(op, t, row, err, do(ctx, p.other))
	return err
}

// Read implements persistence.Store.
func (p *pair) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	got, err := p.one.Read(ctx, t, row, ranges...)
	want, otherErr := p.other.Read(ctx, t, row, ranges...)
	if ctx.Err() != nil || !p.agree("read", t, row, err, otherErr) {
		return got, err
	}
	for i, r := range ranges {
		if !slices.EqualFunc(got[i], want[i], sameCell) {
			p.t.Errorf("%s row %x range %s [%x, %x) limit %d:\n got %s\nwant %s", t, row, r.Family, r.From, r.To, r.Limit, show(got[i]), show(want[i]))
		}
	}
	return got, err
}

// Commit implements persistence.Store.
func (p *pair) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	return p.write(ctx, "commit", t, row, func(ctx context.Context, s persistence.Store) error { return s.Commit(ctx, t, row, check, cells) })
}

// Put implements persistence.Store.
func (p *pair) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) error {
	return p.write(ctx, "put", t, row, func(ctx context.Context, s persistence.Store) error { return s.Put(ctx, t, row, cells) })
}

// Erase implements persistence.Store.
func (p *pair) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) error {
	return p.write(ctx, "erase", t, row, func(ctx context.Context, s persistence.Store) error { return s.Erase(ctx, t, row, dead...) })
}

// Rows implements persistence.Store.
func (p *pair) Rows(ctx context.Context, t persistence.Table, from []byte, limit int) ([][]byte, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	got, err := p.one.Rows(ctx, t, from, limit)
	want, otherErr := p.other.Rows(ctx, t, from, limit)
	if ctx.Err() == nil && p.agree("rows", t, from, err, otherErr) && !slices.EqualFunc(got, want, slices.Equal[[]byte]) {
		p.t.Errorf("rows of %s from %x, limit %d:\n got %x\nwant %x", t, from, limit, got, want)
	}
	return got, err
}

// Close closes both.
func (p *pair) Close() error {
	return errors.Join(p.one.Close(), p.other.Close())
}
