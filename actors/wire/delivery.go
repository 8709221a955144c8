package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	pb "github.com/parley-im/parley/messages"
)

func delivery(d thread.Delivery) *pb.Delivery {
	m := &pb.Delivery{Event: roomEvent(d.Event), Prev: uint64(d.Prev), Peers: list[string](d.Peers)}
	if d.Roster != nil {
		m.Roster = &pb.Roster{Parts: each(d.Roster, participant)}
	}
	return m
}

func (r *reader) delivery(m *pb.Delivery) thread.Delivery {
	d := thread.Delivery{Event: r.roomEvent(m.GetEvent()), Prev: seq(m.GetPrev()), Peers: list[parley.AccountID](m.GetPeers())}
	if m.GetRoster() != nil {
		d.Roster = append([]parley.Participant{}, each(m.GetRoster().GetParts(), unparticipant)...)
	}
	return d
}

func roomEvent(e thread.Event) *pb.RoomEvent {
	return &pb.RoomEvent{
		Seq: uint64(e.Seq), At: micros(e.At), Type: uint32(e.Type), Actor: author(e.Actor),
		Cmd: commandID(e.Cmd), Body: digest(e.Body),
		Message: string(e.Message), Text: e.Text, TextBlob: digest(e.TextBlob), TextSize: e.TextSize, Excerpt: e.Excerpt,
		Attachments: each(e.Attachments, roomAttachment), ReplyTo: string(e.ReplyTo), Mentions: list[string](e.Mentions),
		HistoryAll: e.HistoryAll, Parts: each(e.Parts, participant), Gone: e.Gone,
		Subject: e.Subject, Open: e.Open, History: optional(e.History, spell[string, parley.History]),
		Carried:  carried(e.Carried),
		Offshoot: offshoot(e.Offshoot),
	}
}

func (r *reader) roomEvent(e *pb.RoomEvent) thread.Event {
	if e == nil {
		e = &pb.RoomEvent{}
	}
	return thread.Event{
		Seq: seq(e.Seq), At: moment(e.At), Type: r.eventType(e.Type), Actor: unauthor(e.Actor),
		Cmd: r.commandID(e.Cmd), Body: r.digest(e.Body),
		Message: parley.MessageID(e.Message), Text: e.Text, TextBlob: r.digest(e.TextBlob), TextSize: e.TextSize,
		Excerpt: e.Excerpt, Attachments: each(e.Attachments, r.roomAttachment), ReplyTo: parley.MessageID(e.ReplyTo),
		Mentions: list[parley.PartID](e.Mentions), HistoryAll: e.HistoryAll, Parts: each(e.Parts, unparticipant),
		Gone: e.Gone, Subject: e.Subject, Open: e.Open, History: optional(e.History, spell[parley.History, string]),
		Carried:  uncarried(e.Carried),
		Offshoot: unoffshoot(e.Offshoot),
	}
}

func offshoot(o *thread.Offshoot) *pb.Offshoot {
	if o == nil {
		return nil
	}
	return &pb.Offshoot{Room: string(o.Room), Subject: o.Subject, Posts: each(o.Posts, moving)}
}

func unoffshoot(o *pb.Offshoot) *thread.Offshoot {
	if o == nil {
		return nil
	}
	return &thread.Offshoot{Room: parley.ThreadID(o.GetRoom()), Subject: o.GetSubject(), Posts: each(o.GetPosts(), unmoving)}
}

func moving(m thread.Moving) *pb.Moving {
	return &pb.Moving{Message: string(m.Message), Seq: uint64(m.Seq)}
}

func unmoving(m *pb.Moving) thread.Moving {
	return thread.Moving{Message: parley.MessageID(m.GetMessage()), Seq: seq(m.GetSeq())}
}

// eventType refuses what a later version knows: a copy would file it wrongly.
func (r *reader) eventType(n uint32) thread.Type {
	if n < uint32(thread.Created) || n > uint32(thread.Divided) {
		r.fail("an event of type %d", n)
	}
	return thread.Type(n)
}

func carried(c *thread.Carried) *pb.Carried {
	if c == nil {
		return nil
	}
	return &pb.Carried{
		Thread: string(c.Thread), Author: author(c.Author), At: micros(c.At), Channel: string(c.Channel), Subject: c.Subject,
	}
}

func uncarried(c *pb.Carried) *thread.Carried {
	if c == nil {
		return nil
	}
	return &thread.Carried{
		Thread: parley.ThreadID(c.Thread), Author: unauthor(c.Author), At: moment(c.At), Channel: parley.Channel(c.Channel),
		Subject: c.Subject,
	}
}

func roomAttachment(a thread.Attachment) *pb.RoomAttachment {
	return &pb.RoomAttachment{
		Blob: digest(a.Blob), Size: a.Size, Name: a.Name, Type: a.Type, Inline: a.Inline, Cid: a.CID,
	}
}

func (r *reader) roomAttachment(a *pb.RoomAttachment) thread.Attachment {
	return thread.Attachment{
		Blob: r.digest(a.GetBlob()), Size: a.GetSize(), Name: a.GetName(), Type: a.GetType(),
		Inline: a.GetInline(), CID: a.GetCid(),
	}
}

// setRoomAnswer wraps the answers of a room.
func setRoomAnswer(m *pb.Reply, answer any) bool {
	switch a := answer.(type) {
	case thread.Answer:
		m.Answer = &pb.Reply_RoomAnswer{RoomAnswer: roomAnswer(a)}
	case ThreadReply:
		m.Answer = &pb.Reply_RoomReply{RoomReply: &pb.RoomReply{
			Answer: roomAnswer(a.Answer), Deliveries: each(a.Deliveries, delivery),
		}}
	default:
		return false
	}
	return true
}

func roomAnswer(a thread.Answer) *pb.RoomAnswer {
	return &pb.RoomAnswer{
		Seq: uint64(a.Seq), Message: string(a.Message), Part: participant(a.Part), Replayed: a.Replayed,
		Roster: uint64(a.Roster), Subject: a.Subject, Open: a.Open, History: string(a.History),
		Participants: each(a.Participants, participant), At: micros(a.At),
	}
}

func (r *reader) roomAnswer(a *pb.RoomAnswer) thread.Answer {
	if a == nil {
		return thread.Answer{}
	}
	return thread.Answer{
		Seq: seq(a.Seq), Message: parley.MessageID(a.Message), Part: unparticipant(a.Part), Replayed: a.Replayed,
		Roster: seq(a.Roster), Subject: a.Subject, Open: a.Open, History: parley.History(a.History),
		Participants: each(a.Participants, unparticipant), At: moment(a.At),
	}
}
