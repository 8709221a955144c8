package bench

import (
	"context"
	"sync/atomic"

	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// ledger counts what is asked of a store, and which of the cells it gave were
// blocks of a tree.
type ledger struct {
	*faulty.Store
	ranges, blocks atomic.Int64
	reads          atomic.Pointer[func(persistence.Table, persistence.Cell)]
}

// entry is the state of a ledger at one moment, or the difference of two.
type entry struct {
	faulty.Counts
	Ranges int64 // column ranges asked for, those that hold nothing included
	Blocks int64 // blocks of trees among the cells read
}

func newLedger(inner persistence.Store) *ledger { return &ledger{Store: faulty.New(inner, nil)} }

// Read implements persistence.Store.
func (l *ledger) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	l.ranges.Add(int64(len(ranges)))
	got, err := l.Store.Read(ctx, t, row, ranges...)
	tell := l.reads.Load()
	for _, cells := range got {
		for _, c := range cells {
			if isBlock(c) {
				l.blocks.Add(1)
			}
			if tell != nil {
				(*tell)(t, c)
			}
		}
	}
	return got, err
}

// onRead has f told of each cell that is read, by the reader's goroutine; nil ends it.
func (l *ledger) onRead(f func(persistence.Table, persistence.Cell)) {
	if f == nil {
		l.reads.Store(nil)
		return
	}
	l.reads.Store(&f)
}

// isBlock knows a tree's block by its qualifier: generation, then the type of page.
func isBlock(c persistence.Cell) bool {
	return c.Family == persistence.Meta && len(c.Qualifier) > 1 && c.Qualifier[1] == 'i'
}

func (l *ledger) now() entry { return entry{l.Counts(), l.ranges.Load(), l.blocks.Load()} }

func (e entry) since(was entry) entry {
	return entry{e.Counts.Since(was.Counts), e.Ranges - was.Ranges, e.Blocks - was.Blocks}
}
