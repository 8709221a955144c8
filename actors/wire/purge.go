package wire

import pb "github.com/parley-im/parley/messages"

// FinishPurge has a mailbox go on with what its purges left to do. The first of
// several has it look everywhere.
type FinishPurge struct{ First bool }

// Purged says what was done since a mailbox last said that nothing is left: segments of the log that
// were written anew, actions blanked in them, and by how much they are smaller.
type Purged struct {
	Segments, Actions, Bytes uint64
	Left                     bool // there is more to do
}

func isPurged(m *pb.Reply, answer any) bool {
	p, is := answer.(Purged)
	if is {
		m.Answer = &pb.Reply_Purged{Purged: &pb.Purged{Segments: p.Segments, Actions: p.Actions, Bytes: p.Bytes, Left: p.Left}}
	}
	return is
}

func purged(m *pb.Purged) Purged {
	return Purged{Segments: m.GetSegments(), Actions: m.GetActions(), Bytes: m.GetBytes(), Left: m.GetLeft()}
}
