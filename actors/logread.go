package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// logReader reads the log of one row, tail and segments alike. It is safe for
// concurrent use and may run while actions are sealed, purged and erased: what is
// not where it looked has moved, and is looked for again.
type logReader struct {
	store persistence.Store
	table persistence.Table
	row   []byte
	// sealed is the last action known to be in a segment. It may be behind, and
	// says only where to look first.
	sealed atomic.Uint64
}

func newLogReader(s persistence.Store, t persistence.Table, row []byte) *logReader {
	return &logReader{store: s, table: t, row: row}
}

// openLog reads of the row how far its log goes, and how far it is sealed: for
// readers that hold no activation.
func openLog(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) (r *logReader, last uint64, err error) {
	r = newLogReader(s, t, row)
	got, err := s.Read(ctx, t, row, persistence.Exactly(persistence.Log, fenceQualifier))
	if err != nil || len(got[0]) == 0 {
		return r, 0, err
	}
	fence, err := codec.DecodeFence(got[0][0].Value)
	r.sealed.Store(fence.Sealed)
	return r, fence.Last, err
}

// logReadTime bounds a read.
const logReadTime = 30 * time.Second

// moves bounds how often a read starts over because its segment was replaced.
const moves = 10

var errNoSegment = errors.New("no such segment")

// span reads actions after from up to and including to, at most limit.
func (r *logReader) span(ctx context.Context, from, to uint64, limit int) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, logReadTime)
	defer cancel()
	var out [][]byte
	for from < to && len(out) < limit {
		part, err := r.run(ctx, from+1, to, limit-len(out))
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
		from += uint64(len(part))
	}
	return out, nil
}

// actions gives those after from up to and including to, in order.
func (r *logReader) actions(ctx context.Context, from, to uint64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for from < to {
			raws, err := r.span(ctx, from, to, replayChunk)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, raw := range raws {
				if from++; !yield(raw, nil) {
					return
				}
			}
		}
	}
}

// run reads actions from n on, as many as stand in one place.
func (r *logReader) run(ctx context.Context, n, to uint64, limit int) ([][]byte, error) {
	if n > r.sealed.Load() {
		rng := persistence.Range{Family: persistence.Log, From: actionQualifier(n), To: actionQualifier(to + 1), Limit: limit}
		got, err := r.store.Read(ctx, r.table, r.row, rng)
		if err != nil {
			return nil, err
		}
		if run := unbroken(got[0], n); len(run) > 0 {
			return run, nil
		}
	}
	for range moves {
		run, err := r.sealedRun(ctx, n, min(to, n+uint64(limit)-1))
		if !errors.Is(err, errNoSegment) {
			return run, err
		}
	}
	return nil, fmt.Errorf("the segment of action %d is not there", n)
}

// sealedRun reads actions n to to, as far as their segment holds them.
func (r *logReader) sealedRun(ctx context.Context, n, to uint64) ([][]byte, error) {
	debts := persistence.Range{Family: persistence.Log, From: debtQualifier(n), To: debtQualifier(to + 1), Limit: int(to-n) + 1}
	got, err := r.store.Read(ctx, r.table, r.row, holding(n), debts)
	if err != nil {
		return nil, err
	}
	named, err := firstNamed(got[0])
	if err != nil || named.First > n || named.Last < n {
		return nil, errors.Join(err, fmt.Errorf("action %d is missing from the log", n))
	}
	actions := persistence.Range{Family: persistence.Arch, From: actionQualifier(n), To: actionQualifier(min(to, named.Last) + 1), Limit: int(to-n) + 1}
	cells, err := r.fromSegment(ctx, named, actions)
	if err != nil {
		return nil, err
	}
	run := unbroken(cells[0], n)
	if len(run) == 0 || len(run) < len(cells[0]) {
		return nil, fmt.Errorf("action %d is missing from its segment", n+uint64(len(run)))
	}
	for _, d := range got[1] {
		if at := number(d.Qualifier) - n; len(d.Value) > 0 && at < uint64(len(run)) {
			run[at] = d.Value
		}
	}
	return run, nil
}

// fromSegment reads ranges of a segment, if it is whole.
func (r *logReader) fromSegment(ctx context.Context, named codec.Segment, rs ...persistence.Range) ([][]persistence.Cell, error) {
	rs = append([]persistence.Range{persistence.Exactly(persistence.Arch, headQualifier)}, rs...)
	got, err := r.store.Read(ctx, persistence.Archive, segmentRow(r.row, named.Name), rs...)
	if err != nil {
		return nil, err
	}
	if len(got[0]) == 0 {
		return nil, errNoSegment
	}
	return got[1:], nil
}

// holding is the range of the manifest's cell for the segment that holds an action.
func holding(n uint64) persistence.Range {
	return persistence.Range{Family: persistence.Log, From: namedQualifier(n), To: []byte{'s' + 1}, Limit: 1}
}

// firstNamed decodes the first cell of the manifest, the zero segment if there is none.
func firstNamed(cells []persistence.Cell) (codec.Segment, error) {
	if len(cells) == 0 {
		return codec.Segment{}, nil
	}
	return codec.DecodeSegment(cells[0].Value)
}

// unbroken is the values of cells that follow on from number n without a gap.
func unbroken(cells []persistence.Cell, n uint64) [][]byte {
	var out [][]byte
	for _, c := range cells {
		if number(c.Qualifier) != n+uint64(len(out)) {
			break
		}
		out = append(out, c.Value)
	}
	return out
}

// logCell names a cell of the log: an action or the raw mail beside it.
type logCell struct {
	kind byte // 'a' or 'b'
	n    uint64
}

// cells reads single cells, nil for those that are not there: a body that was
// purged, or never was.
func (r *logReader) cells(ctx context.Context, want []logCell) (map[logCell][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, logReadTime)
	defer cancel()
	out := make(map[logCell][]byte, len(want))
	want = slices.Clone(want)
	slices.SortFunc(want, func(a, b logCell) int { return cmp.Compare(a.n, b.n) })
	left, err := r.fromTail(ctx, want, out)
	for range moves {
		if err != nil || len(left) == 0 {
			return out, err
		}
		left, err = r.fromArchive(ctx, left, out)
	}
	return nil, fmt.Errorf("the segment of action %d is not there", left[0].n)
}

// fromTail takes what stands in the tail and returns the rest, in order.
func (r *logReader) fromTail(ctx context.Context, want []logCell, out map[logCell][]byte) (left []logCell, err error) {
	var ranges []persistence.Range
	var asked []logCell
	sealed := r.sealed.Load()
	for _, c := range want {
		if c.n <= sealed {
			left = append(left, c)
			continue
		}
		asked = append(asked, c)
		ranges = append(ranges, persistence.Exactly(persistence.Log, numbered(c.kind, c.n)))
	}
	if len(ranges) == 0 {
		return left, nil
	}
	got, err := r.store.Read(ctx, r.table, r.row, ranges...)
	if err != nil {
		return nil, err
	}
	for i, c := range asked {
		if len(got[i]) == 1 {
			out[c] = got[i][0].Value
		} else {
			left = append(left, c)
		}
	}
	return left, nil
}
