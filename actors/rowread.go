package actors

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// rowImage is a whole row as stored, for audits and rebuilds.
type rowImage struct {
	fence      codec.Fence
	fenceBytes []byte
	mark       codec.Mark
	actions    [][]byte          // from the first
	pages      map[string][]byte // of the mark's generation
	stale      []persistence.Cell
	bodies     map[uint64]int // length of each body by action number
	segments   []codec.Segment
}

// imageChunk is how many cells one read of an image brings.
const imageChunk = 1000

// readImage reads a row in pieces. The fence is read before and after: a row
// that was written meanwhile is read again.
func readImage(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) (*rowImage, error) {
	for range 20 {
		im, err := readOnce(ctx, s, t, row)
		if err != nil || im != nil {
			return im, err
		}
	}
	return nil, fmt.Errorf("the row is written faster than it can be read")
}

func readOnce(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) (*rowImage, error) {
	im := &rowImage{mark: codec.Mark{Generation: firstGeneration}, pages: map[string][]byte{}, bodies: map[uint64]int{}}
	head, err := s.Read(ctx, t, row, persistence.Exactly(persistence.Log, fenceQualifier), persistence.Exactly(persistence.Meta, markQualifier))
	if err != nil {
		return nil, err
	}
	if len(head[0]) == 1 {
		im.fenceBytes = head[0][0].Value
		if im.fence, err = codec.DecodeFence(im.fenceBytes); err != nil {
			return nil, err
		}
	}
	if len(head[1]) == 1 {
		if im.mark, err = codec.DecodeMark(head[1][0].Value); err != nil {
			return nil, err
		}
	}
	failed := im.readLog(ctx, s, t, row)
	if failed == nil {
		failed = im.readPages(ctx, s, t, row)
	}
	again, err := s.Read(ctx, t, row, persistence.Exactly(persistence.Log, fenceQualifier))
	if err != nil {
		return nil, err
	}
	if len(again[0]) == 1 != (im.fenceBytes != nil) || len(again[0]) == 1 && string(again[0][0].Value) != string(im.fenceBytes) {
		return nil, nil // what was missing may have moved
	}
	return im, failed
}

func each(ctx context.Context, s persistence.Store, t persistence.Table, row []byte, r persistence.Range, f func(persistence.Cell) error) error {
	r.Limit = imageChunk
	for {
		got, err := s.Read(ctx, t, row, r)
		if err != nil {
			return err
		}
		for _, c := range got[0] {
			if err := f(c); err != nil {
				return err
			}
		}
		if len(got[0]) < r.Limit {
			return nil
		}
		r.From = append(append([]byte(nil), got[0][len(got[0])-1].Qualifier...), 0)
	}
}

func (im *rowImage) readPages(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) error {
	for _, g := range []byte{firstGeneration, otherGeneration(firstGeneration)} {
		r := persistence.Range{Family: persistence.Meta, From: []byte{g}, To: []byte{g + 1}}
		err := each(ctx, s, t, row, r, func(c persistence.Cell) error {
			if g != im.mark.Generation {
				im.stale = append(im.stale, c)
			} else if len(c.Value) > 0 {
				im.pages[string(c.Qualifier[1:])] = c.Value
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
