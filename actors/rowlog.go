package actors

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// readLog reads the whole log: the segments in the order of the manifest, with what
// debts stand for, then the tail. What is left of sealed actions in the tail does
// not count.
func (im *rowImage) readLog(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) error {
	if err := im.readSegments(ctx, s, t, row); err != nil {
		return err
	}
	if err := im.readDebts(ctx, s, t, row); err != nil {
		return err
	}
	from := uint64(len(im.actions) + 1)
	err := each(ctx, s, t, row, persistence.Range{Family: persistence.Log, From: actionQualifier(from), To: []byte("b")}, im.action)
	if err != nil {
		return err
	}
	return each(ctx, s, t, row, persistence.Range{Family: persistence.Log, From: bodyQualifier(from), To: []byte("c")}, im.body)
}

// action takes the next action of the log.
func (im *rowImage) action(c persistence.Cell) error {
	if want := uint64(len(im.actions) + 1); string(c.Qualifier) != string(actionQualifier(want)) {
		return fmt.Errorf("action %d is missing from the log", want)
	}
	im.actions = append(im.actions, c.Value)
	return nil
}

func (im *rowImage) body(c persistence.Cell) error {
	im.bodies[number(c.Qualifier)] = len(c.Value)
	return nil
}

func (im *rowImage) readSegments(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) error {
	err := eachNamed(ctx, s, t, row, func(named codec.Segment) error {
		if want := uint64(len(im.actions) + 1); named.First != want {
			return fmt.Errorf("the manifest goes on with action %d, not %d", named.First, want)
		}
		im.segments = append(im.segments, named)
		seg, err := readSegment(ctx, s, row, named)
		if err != nil {
			return err
		}
		for _, c := range seg.cells {
			take := im.body
			if c.Qualifier[0] == 'a' {
				take = im.action
			}
			if err := take(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && im.fence.Sealed != uint64(len(im.actions)) {
		err = fmt.Errorf("the fence says that %d actions are sealed, the manifest has %d", im.fence.Sealed, len(im.actions))
	}
	return err
}

func (im *rowImage) readDebts(ctx context.Context, s persistence.Store, t persistence.Table, row []byte) error {
	r := persistence.Range{Family: persistence.Log, From: debtQualifier(0), To: []byte{'d' + 1}}
	return each(ctx, s, t, row, r, func(c persistence.Cell) error {
		n := number(c.Qualifier)
		switch {
		case len(c.Value) == 0:
		case n == 0 || n > uint64(len(im.actions)):
			return fmt.Errorf("a debt stands for action %d, which is not sealed", n)
		default:
			im.actions[n-1] = c.Value
			delete(im.bodies, n)
		}
		return nil
	})
}
