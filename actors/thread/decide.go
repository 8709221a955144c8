package thread

import (
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
)

// Decision is what a command leads to: events to apply and commit as one unit,
// and the answer once they are durable.
type Decision struct {
	Events []Event
	Answer Answer
}

// ErrNeedBlob says that the text is too long to be kept once per participant of
// a large room: store it and decide again with TextBlob.
var ErrNeedBlob = errors.New("thread: the text must be a blob in a room of this size")

// Decide decides a command and changes nothing.
func (s *State) Decide(cmd any, now time.Time) (Decision, error) {
	at := s.clock(now)
	switch c := cmd.(type) {
	case Create:
		return s.once("thread.create", c.Cmd, at, func(t turn) (Decision, error) { return t.create(c) })
	case Post:
		return s.once("thread.post", c.Cmd, at, func(t turn) (Decision, error) { return t.post(c) })
	case Join:
		return s.once("thread.join", c.Cmd, at, func(t turn) (Decision, error) { return t.join(c) })
	case Leave:
		return s.once("thread.leave", c.Cmd, at, func(t turn) (Decision, error) { return t.leave(c) })
	case Add:
		return s.once("thread.add", c.Cmd, at, func(t turn) (Decision, error) { return t.add(c) })
	case Remove:
		return s.once("thread.remove", c.Cmd, at, func(t turn) (Decision, error) { return t.remove(c) })
	case Alter:
		return s.once("thread.alter", c.Cmd, at, func(t turn) (Decision, error) { return t.alter(c) })
	case Split:
		d, err := s.once("thread.split", c.Cmd, at, func(t turn) (Decision, error) { return t.split(c) })
		return s.resplit(d), err
	default:
		return Decision{}, &parley.Error{Code: parley.Internal, Op: "thread.decide", Err: fmt.Errorf("no command: %T", cmd)}
	}
}

// turn is the deciding of one command.
type turn struct {
	*State
	op  string
	cmd parley.Command
	at  time.Time
}

// once answers what was answered before and lets the rest be decided.
func (s *State) once(op string, c parley.Command, at time.Time, decide func(turn) (Decision, error)) (Decision, error) {
	t := turn{State: s, op: op, cmd: c, at: at}
	if c.ID.IsZero() {
		return decide(t)
	}
	if !c.First.IsZero() && at.Sub(c.First) > parley.KeyLife {
		return Decision{}, t.refuse(parley.Expired, "", "The first attempt is too long ago for this key.")
	}
	key := s.keys.byID[c.ID]
	switch {
	case key == nil:
		return decide(t)
	case key.Body != c.Body:
		return Decision{}, t.refuse(parley.KeyMismatch, "", "This key was used for another request.")
	}
	return Decision{Answer: Answer{Seq: key.Seq, Message: key.Message, Part: key.Part, At: key.At, Replayed: true}}, nil
}

func (t turn) refuse(code parley.Code, field, public string) error {
	return &parley.Error{Code: code, Op: t.op, Public: public, Field: field}
}

func (t turn) unknown() error { return t.refuse(parley.NotFound, "", "There is no such thread.") }

func (t turn) event(typ Type, actor parley.Participant) Event {
	e := Event{Seq: t.room.Last + 1, At: t.at, Type: typ, Actor: authorOf(actor)}
	if !t.cmd.ID.IsZero() {
		e.Cmd, e.Body = t.cmd.ID, t.cmd.Body
	}
	return e
}

// decided answers with the room as it is after the events.
func (t turn) decided(events ...Event) (Decision, error) {
	a := t.settings()
	for _, e := range events {
		a.Seq, a.At = e.Seq, e.At
		if e.Message != "" {
			a.Message = e.Message
		}
		if len(e.Parts) > 0 {
			a.Roster, a.Part = e.Seq, subject(e)
		}
		if e.Subject != nil {
			a.Subject = *e.Subject
		}
		if e.Open != nil {
			a.Open = *e.Open
		}
		if e.History != nil {
			a.History = *e.History
		}
	}
	return Decision{Events: events, Answer: a}, nil
}

// fulfilled answers a command with nothing to do: about, if anybody, stands as
// wished. by gave the command; who is not in learns nothing of the room.
func (t turn) fulfilled(by, about *part) (Decision, error) {
	var a Answer
	if by.isIn() {
		a = t.settings()
	}
	a.Seq = by.last().Seq
	if about != nil {
		a.Seq, a.Part = about.last().Seq, about.now()
	}
	return Decision{Answer: a}, nil
}

func (s *State) settings() Answer {
	return Answer{Roster: s.room.Roster, Subject: s.room.Subject, Open: s.room.Open, History: s.room.History}
}
