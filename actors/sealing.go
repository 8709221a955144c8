package actors

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// Sealing takes the oldest actions out of the tail: their segment is put, then
// named by the manifest in a fenced commit, then the tail is erased. Before the
// commit nobody knows the segment; after it nobody looks into the tail for them.

// sealDue says whether the tail has grown to two segments, of which one goes. Only
// what the stored pages have folded in is ever sealed.
func (ar *archiver) sealDue() bool {
	a := ar.a
	return ar.owned && a.tail > 2*a.tune.segment && a.applied > a.sealed && a.applied != ar.tried
}

// tailChunk is how many actions one read of the tail brings, with their raw mail.
const tailChunk = 100

// tailPart is the oldest part of a tail, and how much is behind it.
type tailPart struct {
	last  uint64
	cells []persistence.Cell
	bytes uint64 // of the cells
	rest  uint64 // bytes of what follows; about, where it is long
}

// seal puts the oldest actions into a segment.
func (ar *archiver) seal(ctx context.Context, version uint64) (func(), error) {
	a := ar.a
	part, err := ar.oldest(ctx, ar.view)
	if err != nil {
		return nil, fmt.Errorf("read the tail: %w", err)
	}
	if part.bytes < a.tune.segment/2 || part.bytes+part.rest <= a.tune.segment {
		return func() { ar.recount(part.bytes + part.rest); ar.ended(nil) }, nil
	}
	s := newSegment(ar.view.sealed+1, part.last, part.cells)
	if err := putSegment(ctx, a.store, a.row, s, version); err != nil {
		return nil, fmt.Errorf("put a segment: %w", err)
	}
	return func() { ar.name(s, part.rest) }, nil
}

// view is the log as a job found it at its begin.
type view struct{ sealed, applied, committed, tail uint64 }

// oldest reads what goes into a segment, and no more once that is full or enough
// stays: the size of the rest then follows from that of the tail, which purges leave
// too large. A tail without a full segment is counted to its end, which mends it.
func (ar *archiver) oldest(ctx context.Context, s view) (tailPart, error) {
	part := tailPart{last: s.sealed}
	for n := s.sealed + 1; n <= s.committed; n += tailChunk {
		if size := ar.a.tune.segment; part.rest > 0 && (part.bytes >= size || part.rest > size) {
			part.rest = max(part.rest, s.tail-min(s.tail, part.bytes))
			break
		}
		end := min(n+tailChunk, s.committed+1)
		got, err := ar.a.store.Read(ctx, ar.a.table, ar.a.row,
			persistence.Range{Family: persistence.Log, From: actionQualifier(n), To: actionQualifier(end), Limit: tailChunk},
			persistence.Range{Family: persistence.Log, From: bodyQualifier(n), To: bodyQualifier(end), Limit: tailChunk})
		if err != nil {
			return part, err
		}
		if err := part.take(n, end, s.applied, ar.a.tune.segment, got[0], got[1]); err != nil {
			return part, err
		}
	}
	return part, nil
}

// take adds actions n to end-1 and their bodies, up to the size of a segment and
// to what is applied.
func (p *tailPart) take(n, end, applied, size uint64, actions, bodies []persistence.Cell) error {
	if len(unbroken(actions, n)) != int(end-n) {
		return fmt.Errorf("an action between %d and %d is missing from the log", n, end-1)
	}
	for _, c := range actions {
		cells := []persistence.Cell{c}
		if len(bodies) > 0 && number(bodies[0].Qualifier) == number(c.Qualifier) {
			cells, bodies = append(cells, bodies[0]), bodies[1:]
		}
		p.add(cells, p.rest == 0 && p.bytes < size && number(c.Qualifier) <= applied)
	}
	return nil
}

func (p *tailPart) add(cells []persistence.Cell, goes bool) {
	for _, c := range cells {
		switch {
		case !goes:
			p.rest += uint64(len(c.Value)) + 1 // 1: that something stays
			continue
		case len(c.Value) > 0: // empty: a body that was purged
			p.cells = append(p.cells, persistence.Cell{Qualifier: c.Qualifier, Value: c.Value})
		}
		p.bytes += uint64(len(c.Value))
		p.last = number(c.Qualifier)
	}
}

// name has the manifest name a segment. What was blanked in the tail meanwhile is
// not blank in it, and becomes a debt.
func (ar *archiver) name(s segment, rest uint64) {
	cells := []persistence.Cell{nameCell(s.Segment)}
	for _, n := range slices.Sorted(maps.Keys(ar.blanked)) {
		if n <= s.Last {
			cells = append(cells, persistence.Cell{Qualifier: debtQualifier(n), Value: ar.blanked[n]})
		}
	}
	ar.recount(rest)
	ar.a.sealed = s.Last
	ar.commit(cells, func() { ar.dead, ar.debts = true, ar.debts || len(cells) > 1 })
}

// recount takes the size of the tail as it was read, and what came since.
func (ar *archiver) recount(bytes uint64) { ar.a.tail = bytes + ar.grown }

// nameCell is the cell of the manifest for a segment.
func nameCell(s codec.Segment) persistence.Cell {
	return persistence.Cell{Qualifier: namedQualifier(s.Last), Value: codec.EncodeSegment(s)}
}

// eraseDead erases sealed actions from the tail, up to the versions that are there:
// nothing is put under their numbers any more.
func (ar *archiver) eraseDead(ctx context.Context, _ uint64) (func(), error) {
	a := ar.a
	for _, kind := range []byte{'a', 'b'} {
		r := persistence.Range{Family: persistence.Log, From: numbered(kind, ar.erased+1), To: numbered(kind, ar.view.sealed+1), Limit: tailChunk}
		for {
			got, err := a.store.Read(ctx, a.table, a.row, r)
			if err != nil {
				return nil, fmt.Errorf("read the dead: %w", err)
			}
			if len(got[0]) == 0 {
				break
			}
			if err := ar.erase(ctx, got[0]); err != nil {
				return nil, fmt.Errorf("erase the dead: %w", err)
			}
			r.From = append(got[0][len(got[0])-1].Qualifier, 0)
		}
	}
	return func() { ar.erased = ar.view.sealed; ar.ended(nil) }, nil
}

func (ar *archiver) erase(ctx context.Context, cells []persistence.Cell) error {
	if len(cells) == 0 {
		return nil
	}
	dead := make([]persistence.Dead, len(cells))
	for i, c := range cells {
		dead[i] = persistence.Dead{Family: c.Family, Qualifier: c.Qualifier, UpTo: c.Version}
	}
	return ar.a.store.Erase(ctx, ar.a.table, ar.a.row, dead...)
}
