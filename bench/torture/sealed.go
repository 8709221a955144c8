package torture

import (
	"bytes"
	"context"
	"fmt"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// eachLogged gives the cells of a row's log that hold actions, in order: those of
// the segments that its manifest names, and then the tail.
func eachLogged(ctx context.Context, s persistence.Store, t persistence.Table, row []byte, f func(persistence.Cell) error) error {
	var named []codec.Segment
	var tail []persistence.Cell
	err := eachCell(ctx, s, t, row, persistence.Log, func(c persistence.Cell) error {
		switch c.Qualifier[0] {
		case 'a':
			tail = append(tail, c)
		case 's':
			seg, err := codec.DecodeSegment(c.Value)
			named = append(named, seg)
			return err
		}
		return nil
	})
	for _, seg := range named {
		tail = after(tail, seg.Last) // what is left of it will be erased
		if err == nil {
			err = eachCell(ctx, s, persistence.Archive, append(bytes.Clone(row), seg.Name[:]...), persistence.Arch, func(c persistence.Cell) error {
				if c.Qualifier[0] != 'a' {
					return nil
				}
				return f(c)
			})
		}
	}
	for i := 0; err == nil && i < len(tail); i++ {
		err = f(tail[i])
	}
	return err
}

// after leaves out the cells up to an action.
func after(cells []persistence.Cell, n uint64) []persistence.Cell {
	for len(cells) > 0 && actionOf(cells[0]) <= n {
		cells = cells[1:]
	}
	return cells
}

// eachStored gives all cells that the store has of an account: of its row, and of
// the segments of its log, named or not.
func eachStored(ctx context.Context, s persistence.Store, row []byte, f func(persistence.Family, persistence.Cell) error) error {
	for _, family := range []persistence.Family{persistence.Log, persistence.Meta, persistence.Search} {
		if err := eachCell(ctx, s, persistence.Mailbox, row, family, func(c persistence.Cell) error { return f(family, c) }); err != nil {
			return err
		}
	}
	return eachRow(ctx, s, persistence.Archive, func(segment []byte) error {
		if !bytes.HasPrefix(segment, row) {
			return nil
		}
		err := eachCell(ctx, s, persistence.Archive, segment, persistence.Arch, func(c persistence.Cell) error { return f(persistence.Arch, c) })
		if err != nil {
			return fmt.Errorf("segment %x: %w", segment[len(row):], err)
		}
		return nil
	})
}
