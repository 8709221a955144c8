package codec

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley/persistence/record"
)

// The versions that a mark names. A member that knows only lower ones must not
// claim the row. Raise ActionVersion with every field or kind that an action or
// event gains, ProjectionVersion with every change of what the fold makes of them.
const (
	ProjectionVersion uint32 = 1
	ActionVersion     uint32 = 1
)

// Fence is what every commit of a row checks and writes anew: which activation
// owns the row, and how far it has come.
type Fence struct {
	Epoch uint32
	Nonce uint64 // random: two activations that claim one epoch differ
	N     uint32 // counts the puts of the activation
	Last  uint64 // last action of the row

	Sealed uint64 // last action that is in a segment; the tail begins behind it
	Tail   uint64 // bytes of actions and raw mail in the tail, about
	Owing  bool   // something is left to erase, in the tail or in the archive
}

// Version is that of the cells beside it in its put: no later put has a smaller one.
func (f Fence) Version() uint64 { return uint64(f.Epoch)<<32 | uint64(f.N) }

// Mark says which pages hold, up to which action, and what versions made them.
type Mark struct {
	Generation byte
	Applied    uint64
	Projection uint32
	Action     uint32 // highest version of an action in the row
}

// EncodeFence gives the cell of a fence.
func EncodeFence(f Fence) []byte {
	return plain(&record.Fence{
		Epoch: f.Epoch, Nonce: f.Nonce, N: f.N, Last: f.Last, Sealed: f.Sealed, Tail: f.Tail, Owing: f.Owing,
	})
}

// DecodeFence reads what EncodeFence wrote.
func DecodeFence(b []byte) (Fence, error) {
	var m record.Fence
	if err := proto.Unmarshal(b, &m); err != nil {
		return Fence{}, fmt.Errorf("codec: fence: %w", err)
	}
	return Fence{
		Epoch: m.Epoch, Nonce: m.Nonce, N: m.N, Last: m.Last, Sealed: m.Sealed, Tail: m.Tail, Owing: m.Owing,
	}, nil
}

// EncodeMark gives the cell of a mark.
func EncodeMark(k Mark) []byte {
	return plain(&record.Mark{
		Generation: uint32(k.Generation), Applied: k.Applied, Projection: k.Projection, Action: k.Action,
	})
}

// DecodeMark reads what EncodeMark wrote.
func DecodeMark(b []byte) (Mark, error) {
	var m record.Mark
	if err := proto.Unmarshal(b, &m); err != nil {
		return Mark{}, fmt.Errorf("codec: mark: %w", err)
	}
	if m.Generation > 255 {
		return Mark{}, fmt.Errorf("codec: mark: generation %d", m.Generation)
	}
	return Mark{
		Generation: byte(m.Generation), Applied: m.Applied, Projection: m.Projection, Action: m.Action,
	}, nil
}

// plain encodes numbers alone, which cannot fail.
func plain(m proto.Message) []byte {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("codec: %T of numbers: %v", m, err))
	}
	return b
}
