package hbase

import (
	"context"
	"sync/atomic"

	"github.com/tsuna/gohbase/hrpc"
	"github.com/tsuna/gohbase/pb"
	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley/persistence"
)

// mutation is one call that changes a row. gohbase's own calls give all cells of
// one the same timestamp, so this one fills in the columns itself; and it counts
// how often it was made ready for the wire, which tells a refusal before sending
// from an unknown outcome, and a failed check from a repeated one.
type mutation struct {
	*hrpc.Mutate // routing, region, result; its own columns are empty
	columns      []*pb.MutationProto_ColumnValue
	condition    *pb.Condition
	sent         atomic.Int32
}

// ToProto is called each time gohbase sends the call, in the region's turn.
func (m *mutation) ToProto() proto.Message {
	m.sent.Add(1)
	request := m.Mutate.ToProto().(*pb.MutateRequest)
	request.Mutation.ColumnValue = m.columns
	request.Condition = m.condition
	return request
}

// CellBlocksEnabled is no, since a condition cannot go with cell blocks.
func (m *mutation) CellBlocksEnabled() bool { return false }

// options of every mutation. One that was batched with others would come back
// without the outcome of its condition.
func (s *Store) options() []func(hrpc.Call) error {
	all := []func(hrpc.Call) error{hrpc.SkipBatch()}
	if s.cfg.Fsync {
		all = append(all, hrpc.Durability(hrpc.FsyncWal))
	}
	return all
}

func (s *Store) newPut(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) (*mutation, error) {
	put, err := hrpc.NewPut(ctx, s.cfg.tableName(t), row, nil, s.options()...)
	if err != nil {
		return nil, err
	}
	m := &mutation{Mutate: put}
	for _, c := range cells {
		m.add(c.Family, c.Qualifier, c.Version, encodeValue(c.Value), nil)
	}
	return m, nil
}

func (s *Store) newErase(ctx context.Context, t persistence.Table, row []byte, dead map[name]uint64) (*mutation, error) {
	del, err := hrpc.NewDel(ctx, s.cfg.tableName(t), row, nil, s.options()...)
	if err != nil {
		return nil, err
	}
	m := &mutation{Mutate: del}
	for n, upTo := range dead {
		m.add(n.family, []byte(n.qualifier), upTo, nil, pb.MutationProto_DELETE_MULTIPLE_VERSIONS.Enum())
	}
	return m, nil
}

// add puts a cell under its family.
func (m *mutation) add(f persistence.Family, qualifier []byte, version uint64, value []byte, del *pb.MutationProto_DeleteType) {
	cell := &pb.MutationProto_ColumnValue_QualifierValue{
		Qualifier: append([]byte{}, qualifier...), Value: value, Timestamp: &version, DeleteType: del,
	}
	for _, c := range m.columns {
		if string(c.Family) == string(f) {
			c.QualifierValue = append(c.QualifierValue, cell)
			return
		}
	}
	m.columns = append(m.columns, &pb.MutationProto_ColumnValue{
		Family: []byte(f), QualifierValue: []*pb.MutationProto_ColumnValue_QualifierValue{cell},
	})
}
