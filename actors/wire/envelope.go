package wire

import (
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/internal/errmap"
	pb "github.com/parley-im/parley/messages"
)

// Wake is the call of a reminder that is due.
type Wake struct{ Key []byte }

// Ping has a bucket of reminders look what is due.
type Ping struct{}

// ThreadReply answers a command of a room and brings along what its caller's own
// copy still lacks.
type ThreadReply struct {
	Answer     thread.Answer
	Deliveries []thread.Delivery
}

// Request wraps a command or read, a plain struct of package mailbox, thread or
// this one. A deadline that is zero is none.
func Request(cmd any, id string, deadline time.Time, atLeast parley.Revision) (*pb.Request, error) {
	m := &pb.Request{RequestId: id, AtLeast: uint64(atLeast)}
	if !deadline.IsZero() {
		m.DeadlineUnixMicro = deadline.UnixMicro()
	}
	if !setCommand(m, cmd) {
		return nil, fmt.Errorf("wire: no request for a %T", cmd)
	}
	return m, nil
}

func setCommand(m *pb.Request, cmd any) bool {
	switch c := cmd.(type) {
	case Wake:
		m.Command = &pb.Request_Wake{Wake: &pb.Wake{Key: c.Key}}
	case Ping:
		m.Command = &pb.Request_Ping{Ping: &pb.Ping{}}
	case FinishPurge:
		m.Command = &pb.Request_FinishPurge{FinishPurge: &pb.FinishPurge{First: c.First}}
	default:
		return setChange(m, cmd) || setJob(m, cmd) || setAsk(m, cmd) || setRoom(m, cmd) || setDraft(m, cmd)
	}
	return true
}

// Command gives back what Request wrapped.
func Command(m *pb.Request) (any, error) {
	var r reader
	cmd := r.command(m)
	if r.err != nil {
		return nil, &parley.Error{Code: parley.Internal, Op: "wire.command", Err: r.err}
	}
	return cmd, nil
}

func (r *reader) command(m *pb.Request) any {
	switch c := m.GetCommand().(type) {
	case *pb.Request_Wake:
		return Wake{Key: bytesOf(c.Wake.GetKey())}
	case *pb.Request_Ping:
		return Ping{}
	case *pb.Request_FinishPurge:
		return FinishPurge{First: c.FinishPurge.GetFirst()}
	}
	for _, kind := range []func(*pb.Request) any{r.change, r.job, r.ask, r.room, r.draft} {
		if cmd := kind(m); cmd != nil {
			return cmd
		}
	}
	r.fail("a command that this member does not know")
	return nil
}

// Reply wraps an answer, or an error if there is one. No answer at all is one, too.
func Reply(answer any, err error) *pb.Reply {
	m := &pb.Reply{}
	switch {
	case err != nil:
		return failure(err)
	case answer == nil:
		m.Answer = &pb.Reply_Done{Done: &pb.Done{}}
	case isPurged(m, answer):
	case !setAnswer(m, answer) && !setRoomAnswer(m, answer) && !setDraftAnswer(m, answer):
		return failure(fmt.Errorf("wire: no reply for a %T", answer))
	}
	return m
}

func failure(err error) *pb.Reply {
	code, public, field := errmap.Grain(err)
	m := &pb.Failure{Code: code, Public: public, Field: field, Roster: rosterChange(parley.RosterOf(err))}
	return &pb.Reply{Answer: &pb.Reply_Failure{Failure: m}}
}

func rosterChange(c *parley.RosterChange) *pb.RosterChange {
	if c == nil {
		return nil
	}
	return &pb.RosterChange{Version: uint64(c.Version), Added: each(c.Added, participant)}
}

func unrosterChange(c *pb.RosterChange) *parley.RosterChange {
	if c == nil {
		return nil
	}
	return &parley.RosterChange{Version: seq(c.Version), Added: each(c.Added, unparticipant)}
}

// failed is the error that failure took apart.
func failed(m *pb.Failure) error {
	err := errmap.FromGrain("grain", m.GetCode(), m.GetPublic(), m.GetField())
	if e := (*parley.Error)(nil); errors.As(err, &e) {
		e.Roster = unrosterChange(m.GetRoster())
	}
	return err
}

// Answer gives back what Reply wrapped.
func Answer(m *pb.Reply) (any, error) {
	var r reader
	var answer any
	switch a := m.GetAnswer().(type) {
	case *pb.Reply_Failure:
		return nil, failed(a.Failure)
	case *pb.Reply_Done:
		return nil, nil
	case *pb.Reply_Purged:
		answer = purged(a.Purged)
	case *pb.Reply_RoomAnswer:
		answer = r.roomAnswer(a.RoomAnswer)
	case *pb.Reply_RoomReply:
		answer = ThreadReply{
			Answer: r.roomAnswer(a.RoomReply.GetAnswer()), Deliveries: each(a.RoomReply.GetDeliveries(), r.delivery),
		}
	default:
		if answer = undraftAnswer(m); answer == nil {
			answer = r.answer(m)
		}
	}
	if r.err != nil {
		return nil, &parley.Error{Code: parley.Internal, Op: "wire.answer", Err: r.err}
	}
	return answer, nil
}
