package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

func reparse(c mailbox.Reparse) *pb.Reparse {
	return &pb.Reparse{Preview: c.Preview, Readings: each(c.Readings, func(r mailbox.Reading) *pb.Reading {
		return &pb.Reading{Message: copyMessage(r.Message), Nodes: hashes(r.Nodes), Signals: list[string](r.Signals), Evidence: r.Evidence}
	})}
}

func (r *reader) reparse(c *pb.Reparse) mailbox.Reparse {
	return mailbox.Reparse{Preview: c.GetPreview(), Readings: each(c.GetReadings(), func(m *pb.Reading) mailbox.Reading {
		out := mailbox.Reading{
			Message: r.copyMessage(m.GetMessage()), Nodes: r.hashes(m.GetNodes()), Signals: list[parley.Signal](m.GetSignals()),
			Evidence: list[string](m.GetEvidence()),
		}
		if len(out.Signals) != len(out.Nodes) || len(out.Evidence) != len(out.Nodes) {
			r.fail("a reading with %d names, %d signals", len(out.Nodes), len(out.Signals))
		}
		return out
	})}
}

func reread(m mailbox.Reread) *pb.Reread {
	return &pb.Reread{Message: string(m.Message), Differences: each(m.Differences, func(d mailbox.Difference) *pb.Difference {
		return &pb.Difference{Field: d.Field, Was: d.Was, Now: d.Now}
	})}
}

func unreread(m *pb.Reread) mailbox.Reread {
	return mailbox.Reread{Message: parley.MessageID(m.GetMessage()), Differences: each(m.GetDifferences(), func(d *pb.Difference) mailbox.Difference {
		return mailbox.Difference{Field: d.GetField(), Was: d.GetWas(), Now: d.GetNow()}
	})}
}
