package actors

import (
	"context"
	"errors"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// manifestChunk is how many segments one look into the manifest finds at most.
const manifestChunk = 64

// fromArchive takes what stands in segments and returns what has to be looked for
// again. What no segment holds is nowhere.
func (r *logReader) fromArchive(ctx context.Context, want []logCell, out map[logCell][]byte) (left []logCell, err error) {
	named, want, err := r.named(ctx, want, out)
	if err != nil {
		return nil, err
	}
	for _, s := range named {
		var mine []logCell
		var later []logCell
		for _, c := range want {
			switch {
			case c.n > s.Last:
				later = append(later, c)
			case c.n >= s.First:
				mine = append(mine, c)
			}
		}
		want = later
		missed, err := r.pick(ctx, s, mine, out)
		if err != nil {
			return nil, err
		}
		left = append(left, missed...)
	}
	if len(named) == manifestChunk {
		left = append(left, want...)
	}
	return left, nil
}

// pick reads cells of one segment; all of them come back if it has been replaced.
func (r *logReader) pick(ctx context.Context, s codec.Segment, want []logCell, out map[logCell][]byte) (missed []logCell, err error) {
	if len(want) == 0 {
		return nil, nil
	}
	ranges := make([]persistence.Range, len(want))
	for i, c := range want {
		ranges[i] = persistence.Exactly(persistence.Arch, numbered(c.kind, c.n))
	}
	got, err := r.fromSegment(ctx, s, ranges...)
	if errors.Is(err, errNoSegment) {
		return want, nil
	}
	if err != nil {
		return nil, err
	}
	for i, c := range want {
		out[c] = only(got[i])
	}
	return nil, nil
}

// named looks into the manifest from the first of the cells on, and takes those
// that a debt stands for: an action is blank, raw mail gone. It returns the others.
func (r *logReader) named(ctx context.Context, want []logCell, out map[logCell][]byte) (segments []codec.Segment, left []logCell, err error) {
	first, last := want[0].n, want[len(want)-1].n
	ranges := []persistence.Range{
		{Family: persistence.Log, From: namedQualifier(first), To: namedQualifier(last), Limit: manifestChunk}, holding(last),
	}
	for _, c := range want {
		ranges = append(ranges, persistence.Exactly(persistence.Log, debtQualifier(c.n)))
	}
	got, err := r.store.Read(ctx, r.table, r.row, ranges...)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range want {
		if debt := only(got[2+i]); len(debt) == 0 {
			left = append(left, c)
		} else if c.kind == 'a' {
			out[c] = debt
		}
	}
	cells := got[0]
	if len(cells) < manifestChunk {
		cells = append(cells, got[1]...)
	}
	for _, c := range cells[:min(len(cells), manifestChunk)] {
		s, err := codec.DecodeSegment(c.Value)
		if err != nil {
			return nil, nil, err
		}
		segments = append(segments, s)
	}
	return segments, left, nil
}
