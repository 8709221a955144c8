// Package faulty makes a Store fail as networks and machines do, and counts what is asked of it.
//
// It promises that an operation that it refuses has not happened, that an
// unknown outcome is an AmbiguousError and either has happened whole or has not,
// and that counts are exact. It leaves to the plan what fails, and to the Store
// inside everything else.
package faulty

import (
	"context"
	"errors"

	"github.com/parley-im/parley/persistence"
)

// ErrInjected is behind every failure made here.
var ErrInjected = errors.New("faulty: injected")

// Kind is a kind of operation.
type Kind uint8

// The kinds.
const (
	Read Kind = iota
	Commit
	Put
	Erase
	Rows
	numKinds
)

func (k Kind) String() string { return [...]string{"read", "commit", "put", "erase", "rows"}[k] }

// IsWrite tells the kinds whose outcome can be unknown.
func (k Kind) IsWrite() bool { return k == Commit || k == Put || k == Erase }

// Op is an operation about to run.
type Op struct {
	Kind  Kind
	Table persistence.Table
	Row   []byte // of Rows: from
	Nth   int    // of its kind, from 1
}

// Outcome is what becomes of an operation.
type Outcome uint8

// The outcomes. For reads and scans the three failures are one: an error.
const (
	Pass        Outcome = iota // as the store inside does it
	Refuse                     // a clear failure, nothing done
	LoseAnswer                 // done, but nobody knows
	LoseRequest                // not done, and nobody knows
	IgnoreCheck                // a planted fault: a commit's check counts as true
)

// Store wraps a Store. All methods are safe for concurrent use, if the plan is.
type Store struct {
	inner persistence.Store
	plan  Plan
	tally tally
}

var _ persistence.Store = (*Store)(nil)

// New wraps inner. A nil plan lets everything pass, for the counts alone.
func New(inner persistence.Store, plan Plan) *Store {
	if plan == nil {
		plan = func(Op) Outcome { return Pass }
	}
	return &Store{inner: inner, plan: plan}
}

// begin counts the operation and asks the plan. What could not even be sent is refused first.
func (s *Store) begin(ctx context.Context, k Kind, t persistence.Table, row []byte) (Outcome, error) {
	if ctx.Err() != nil {
		return Refuse, context.Cause(ctx)
	}
	o := s.plan(Op{Kind: k, Table: t, Row: row, Nth: s.tally.add(k)})
	if o == Refuse || !k.IsWrite() && (o == LoseAnswer || o == LoseRequest) {
		return Refuse, ErrInjected
	}
	return o, nil
}

// write runs a write to its outcome. A failed check is an answer and can be lost
// too; what the store inside refuses by itself was never sent.
func (s *Store) write(ctx context.Context, k Kind, t persistence.Table, row []byte, do func(Outcome) error) error {
	o, err := s.begin(ctx, k, t, row)
	if err != nil {
		return err
	}
	if o == LoseRequest {
		return &persistence.AmbiguousError{Err: ErrInjected}
	}
	err = do(o)
	if o == LoseAnswer && (err == nil || errors.Is(err, persistence.ErrCheckFailed)) {
		return &persistence.AmbiguousError{Err: ErrInjected}
	}
	return err
}

// Read implements persistence.Store.
func (s *Store) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	if _, err := s.begin(ctx, Read, t, row); err != nil {
		return nil, err
	}
	got, err := s.inner.Read(ctx, t, row, ranges...)
	for _, cells := range got {
		s.tally.read(cells)
	}
	return got, err
}

// Commit implements persistence.Store.
func (s *Store) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	return s.write(ctx, Commit, t, row, func(o Outcome) error {
		s.tally.put(cells)
		if o == IgnoreCheck {
			return s.inner.Put(ctx, t, row, cells)
		}
		return s.inner.Commit(ctx, t, row, check, cells)
	})
}

// Put implements persistence.Store.
func (s *Store) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) error {
	return s.write(ctx, Put, t, row, func(Outcome) error {
		s.tally.put(cells)
		return s.inner.Put(ctx, t, row, cells)
	})
}

// Erase implements persistence.Store.
func (s *Store) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) error {
	return s.write(ctx, Erase, t, row, func(Outcome) error {
		s.tally.erase(dead)
		return s.inner.Erase(ctx, t, row, dead...)
	})
}

// Rows implements persistence.Store.
func (s *Store) Rows(ctx context.Context, t persistence.Table, from []byte, limit int) ([][]byte, error) {
	if _, err := s.begin(ctx, Rows, t, from); err != nil {
		return nil, err
	}
	return s.inner.Rows(ctx, t, from, limit)
}

// Compact passes on what the store inside can do, and neither fails nor counts.
func (s *Store) Compact(ctx context.Context, t persistence.Table, prefix []byte) error {
	if c, can := s.inner.(persistence.Compacter); can {
		return c.Compact(ctx, t, prefix)
	}
	return errors.ErrUnsupported
}

// Close closes the store inside; it never fails by itself.
func (s *Store) Close() error { return s.inner.Close() }
