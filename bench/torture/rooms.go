package torture

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
)

// Room is a room's own sequence, as stored.
type Room struct {
	ID     parley.ThreadID
	Events []thread.Event
}

// rowsAtOnce and cellsAtOnce are the steps in which the checks read a store.
const (
	rowsAtOnce  = 100
	cellsAtOnce = 500
)

// ReadRooms reads the sequences of all rooms, and holds them to be without holes.
func ReadRooms(ctx context.Context, s persistence.Store) (map[parley.ThreadID]*Room, error) {
	rooms := map[parley.ThreadID]*Room{}
	err := eachRow(ctx, s, persistence.Thread, func(row []byte) error {
		r := &Room{ID: parley.ThreadID(row[2:])}
		rooms[r.ID] = r
		return r.read(ctx, s, row)
	})
	return rooms, err
}

func (r *Room) read(ctx context.Context, s persistence.Store, row []byte) error {
	return eachLogged(ctx, s, persistence.Thread, row, func(c persistence.Cell) error {
		e, err := codec.DecodeEvent(c.Value)
		if err != nil {
			return err
		}
		want := uint64(len(r.Events) + 1)
		if actionOf(c) != want || uint64(e.Seq) != want {
			return fmt.Errorf("room %s: event %d where %d belongs", r.ID, e.Seq, want)
		}
		r.Events = append(r.Events, e)
		return nil
	})
}

// actionOf is the number of the action in a cell.
func actionOf(c persistence.Cell) uint64 { return binary.BigEndian.Uint64(c.Qualifier[1:]) }

func eachRow(ctx context.Context, s persistence.Store, t persistence.Table, f func(row []byte) error) error {
	var from []byte
	for {
		rows, err := s.Rows(ctx, t, from, rowsAtOnce)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := f(row); err != nil {
				return err
			}
		}
		if len(rows) < rowsAtOnce {
			return nil
		}
		from = append(append([]byte(nil), rows[len(rows)-1]...), 0)
	}
}

func eachCell(ctx context.Context, s persistence.Store, t persistence.Table, row []byte, family persistence.Family, f func(persistence.Cell) error) error {
	r := persistence.Range{Family: family, Limit: cellsAtOnce}
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
		if len(got[0]) < cellsAtOnce {
			return nil
		}
		r.From = append(append([]byte(nil), got[0][len(got[0])-1].Qualifier...), 0)
	}
}
