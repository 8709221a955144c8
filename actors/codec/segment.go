package codec

import (
	"crypto/sha256"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley/persistence/record"
)

// Segment names a sealed part of a log: the cell of the manifest, and the head of
// the segment's own row.
type Segment struct {
	First, Last uint64            // actions, both included
	Name        [sha256.Size]byte // digest of its cells
	Bytes       uint64            // of their values
}

// EncodeSegment gives the cell of a segment.
func EncodeSegment(s Segment) []byte {
	return plain(&record.Segment{First: s.First, Last: s.Last, Name: s.Name[:], Bytes: s.Bytes})
}

// DecodeSegment reads what EncodeSegment wrote.
func DecodeSegment(b []byte) (Segment, error) {
	var m record.Segment
	if err := proto.Unmarshal(b, &m); err != nil {
		return Segment{}, fmt.Errorf("codec: segment: %w", err)
	}
	if len(m.Name) != sha256.Size || m.First == 0 || m.Last < m.First {
		return Segment{}, fmt.Errorf("codec: segment of %d to %d under %x", m.First, m.Last, m.Name)
	}
	return Segment{First: m.First, Last: m.Last, Name: [sha256.Size]byte(m.Name), Bytes: m.Bytes}, nil
}
