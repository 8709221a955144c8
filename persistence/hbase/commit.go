package hbase

import (
	"context"
	"errors"
	"fmt"

	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/pb"

	"github.com/parley-im/parley/persistence"
)

// Commit implements persistence.Store: one CheckAndPut, which holds the row from
// the look at the checked cell until all cells are in the log.
func (s *Store) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	if err := errors.Join(checkRow(t, row), checkFamily(t, check.Family), checkCells(t, cells)); err != nil {
		return err
	}
	condition, err := holds(row, check)
	if err != nil {
		return err
	}
	return s.put(ctx, t, row, condition, cells)
}

// Put implements persistence.Store.
func (s *Store) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) error {
	if err := errors.Join(checkRow(t, row), checkCells(t, cells)); err != nil {
		return err
	}
	return s.put(ctx, t, row, nil, cells)
}

func (s *Store) put(ctx context.Context, t persistence.Table, row []byte, condition *pb.Condition, cells []persistence.Cell) error {
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	m, err := s.newPut(ctx, t, row, cells)
	if err != nil {
		return fmt.Errorf("hbase: put: %w", err)
	}
	m.condition = condition
	return s.send(m)
}

// holds is the condition that the newest version of a cell has a value. An empty
// one, which no stored value is, stands for a cell that is absent.
func holds(row []byte, check persistence.Check) (*pb.Condition, error) {
	want := []byte{}
	if check.Want != nil {
		want = encodeValue(check.Want)
	}
	comparator, err := filter.NewBinaryComparator(filter.NewByteArrayComparable(want)).ConstructPBComparator()
	if err != nil {
		return nil, fmt.Errorf("hbase: condition: %w", err)
	}
	return &pb.Condition{
		Row: row, Family: []byte(check.Family), Qualifier: append([]byte{}, check.Qualifier...),
		CompareType: pb.CompareType_EQUAL.Enum(), Comparator: comparator,
	}, nil
}
