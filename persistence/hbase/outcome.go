package hbase

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tsuna/gohbase/pb"

	"github.com/parley-im/parley/persistence"
)

// errRepeated is behind the unknown outcome of a commit that was sent more than once.
var errRepeated = errors.New("hbase: sent again, and the check failed then")

// refusals are the exceptions with which a server says that it wrote nothing and
// never will. Any other may come after the write.
var refusals = []string{
	"org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException",
	"org.apache.hadoop.hbase.exceptions.FailedSanityCheckException",
}

// send runs a mutation to its outcome. gohbase sends again by itself when a
// connection breaks or a region moves. A put that lands twice is the same put; a
// conditional one whose first copy landed changes the cell that it checks, so that
// its second copy fails: a check counts as failed only if it was sent once.
func (s *Store) send(m *mutation) error {
	answer, err := s.client.SendRPC(m)
	if err != nil {
		return m.failed(err)
	}
	response, ok := answer.(*pb.MutateResponse)
	if !ok {
		return &persistence.AmbiguousError{Err: fmt.Errorf("hbase: a mutation answered by %T", answer)}
	}
	if m.condition == nil || response.GetProcessed() {
		return nil
	}
	if m.sent.Load() > 1 {
		return &persistence.AmbiguousError{Err: errRepeated}
	}
	return persistence.ErrCheckFailed
}

// failed tells what an error says of the row.
func (m *mutation) failed(err error) error {
	if ended := context.Cause(m.Context()); ended != nil {
		err = ended
	}
	err = fmt.Errorf("hbase: %s row %x: %w", m.Table(), m.Key(), err)
	if m.sent.Load() == 0 || refused(err) {
		return err
	}
	return &persistence.AmbiguousError{Err: err}
}

func refused(err error) bool {
	for _, class := range refusals {
		if strings.Contains(err.Error(), "HBase Java exception "+class) {
			return true
		}
	}
	return false
}
