package actors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// A segment is a row of the archive: actions of one mailbox or room that left the
// tail of its log, and the raw mail beside them, under the qualifiers that they had
// there. It is named by the digest of its cells and never changed. The manifest,
// cells of the owner's row, says which segments count; whatever else is there is a
// stray. What a purge takes out of a segment before it is written anew is a debt,
// a cell of the owner's row as well.

// headQualifier is the cell of a segment that is written last and erased first:
// with it, the segment is whole.
var headQualifier = []byte("h")

// namedQualifier is the manifest's cell for the segment that ends with last, so
// that the first such cell from an action on names the segment that holds it.
func namedQualifier(last uint64) []byte { return numbered('s', last) }

// debtQualifier is the cell that stands for an action of a segment, blanked.
func debtQualifier(n uint64) []byte { return numbered('d', n) }

// segmentRow is the key of a segment: its owner's row, then its name.
func segmentRow(owner []byte, name [sha256.Size]byte) []byte {
	return append(bytes.Clone(owner), name[:]...)
}

// number is the action number in a qualifier of the log or of a segment.
func number(qualifier []byte) uint64 { return binary.BigEndian.Uint64(qualifier[1:]) }

// segment is one as it is written and read whole.
type segment struct {
	codec.Segment
	cells []persistence.Cell // without the head, in qualifier order
}

// newSegment names cells of a log as a segment.
func newSegment(first, last uint64, cells []persistence.Cell) segment {
	slices.SortFunc(cells, func(a, b persistence.Cell) int { return bytes.Compare(a.Qualifier, b.Qualifier) })
	s := segment{codec.Segment{First: first, Last: last}, cells}
	h := sha256.New()
	for i := range cells {
		cells[i].Family = persistence.Arch
		for _, part := range [][]byte{cells[i].Qualifier, cells[i].Value} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
			h.Write(part)
		}
		s.Bytes += uint64(len(cells[i].Value))
	}
	h.Sum(s.Name[:0])
	return s
}

// segmentPiece is how much of a segment one put carries: the commits of others
// share their sync with it.
const segmentPiece = 256 << 10

// putSegment writes a segment, its head last. No version may be used again for the
// same owner, since what was erased hides what is put under its version.
func putSegment(ctx context.Context, store persistence.Store, owner []byte, s segment, version uint64) error {
	row := segmentRow(owner, s.Name)
	var piece []persistence.Cell
	size := 0
	for _, c := range s.cells {
		c.Version = version
		piece = append(piece, c)
		if size += len(c.Value); size < segmentPiece {
			continue
		}
		if err := store.Put(ctx, persistence.Archive, row, piece); err != nil {
			return err
		}
		piece, size = nil, 0
	}
	if len(piece) > 0 {
		if err := store.Put(ctx, persistence.Archive, row, piece); err != nil {
			return err
		}
	}
	head := persistence.Cell{Family: persistence.Arch, Qualifier: headQualifier, Version: version, Value: codec.EncodeSegment(s.Segment)}
	return store.Put(ctx, persistence.Archive, row, []persistence.Cell{head})
}

// readSegment reads a segment whole and holds it to its name.
func readSegment(ctx context.Context, store persistence.Store, owner []byte, named codec.Segment) (segment, error) {
	var cells []persistence.Cell
	whole := false
	err := each(ctx, store, persistence.Archive, segmentRow(owner, named.Name), persistence.Range{Family: persistence.Arch}, func(c persistence.Cell) error {
		if bytes.Equal(c.Qualifier, headQualifier) {
			whole = true
		} else {
			cells = append(cells, c)
		}
		return nil
	})
	if err != nil {
		return segment{}, err
	}
	s := newSegment(named.First, named.Last, cells)
	switch {
	case !whole:
		return s, fmt.Errorf("segment of actions %d to %d is not there: %w", named.First, named.Last, errNoSegment)
	case s.Name != named.Name:
		return s, fmt.Errorf("segment of actions %d to %d is damaged", named.First, named.Last)
	}
	return s, nil
}

// eraseSegment removes a segment that nobody names, as far as it was not put by
// an activation later than epoch: that one may be about to name it.
func eraseSegment(ctx context.Context, store persistence.Store, row []byte, epoch uint32) error {
	head := persistence.Exactly(persistence.Arch, headQualifier)
	for _, r := range []persistence.Range{head, {Family: persistence.Arch}} {
		var dead []persistence.Dead
		err := each(ctx, store, persistence.Archive, row, r, func(c persistence.Cell) error {
			if c.Version>>32 <= uint64(epoch) {
				dead = append(dead, persistence.Dead{Family: c.Family, Qualifier: c.Qualifier, UpTo: c.Version})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for part := range slices.Chunk(dead, eraseChunk) {
			if err := store.Erase(ctx, persistence.Archive, row, part...); err != nil {
				return err
			}
		}
	}
	return nil
}

// eraseChunk is how many cells one erase takes.
const eraseChunk = 500
