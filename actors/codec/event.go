package codec

import (
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence/record"
)

// EncodeEvent gives the cell of a room's event.
func EncodeEvent(e *thread.Event) ([]byte, error) {
	var w writer
	if !known(e.Type) {
		return nil, fmt.Errorf("codec: event %d is of type %d", e.Seq, e.Type)
	}
	b, err := w.marshal(w.event(e))
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	return b, nil
}

// DecodeEvent reads what EncodeEvent wrote; of a type that this version does not
// know it is ErrUnknownAction.
func DecodeEvent(b []byte) (thread.Event, error) {
	var r reader
	m := &record.Event{}
	r.unmarshal(b, m)
	e := r.event(m)
	if r.err != nil {
		return thread.Event{}, fmt.Errorf("event %d: %w", m.Seq, r.err)
	}
	return e, nil
}

// The numbers of the types are those of the enum in package record.
func known(t thread.Type) bool { return thread.Created <= t && t <= thread.Divided }

func (w *writer) event(e *thread.Event) *record.Event {
	return &record.Event{
		Seq: uint64(e.Seq), At: micros(e.At), Type: record.EventType(e.Type), Actor: author(e.Actor),
		Cmd: hash(e.Cmd), Body: digest(e.Body),
		Message: message(e.Message), Text: e.Text, TextBlob: digest(e.TextBlob), TextSize: e.TextSize, Excerpt: e.Excerpt,
		Attachments: each(e.Attachments, roomAttachment), ReplyTo: message(e.ReplyTo), Mentions: each(e.Mentions, part),
		HistoryAll: e.HistoryAll, Parts: each(e.Parts, w.listed), Gone: e.Gone,
		Subject: e.Subject, Open: e.Open, History: w.newHistory(e.History), Carried: optional(e.Carried, w.carried),
		Offshoot: optional(e.Offshoot, offshoot),
	}
}

func (r *reader) event(m *record.Event) thread.Event {
	if m.Type < 0 || m.Type > 255 || !known(thread.Type(m.Type)) {
		r.unknown()
	}
	return thread.Event{
		Seq: parley.Seq(m.Seq), At: moment(m.At), Type: thread.Type(m.Type), Actor: r.author(m.Actor),
		Cmd: unhash[parley.CommandID](r, m.Cmd), Body: r.digest(m.Body),
		Message: r.message(m.Message), Text: m.Text, TextBlob: r.digest(m.TextBlob), TextSize: m.TextSize, Excerpt: m.Excerpt,
		Attachments: each(m.Attachments, r.roomAttachment), ReplyTo: r.message(m.ReplyTo), Mentions: each(m.Mentions, r.part),
		HistoryAll: m.HistoryAll, Parts: each(m.Parts, r.participant), Gone: m.Gone,
		Subject: m.Subject, Open: m.Open, History: r.newHistory(m.History), Carried: optional(m.Carried, r.carried),
		Offshoot: optional(m.Offshoot, r.offshoot),
	}
}

func (w *writer) carried(c *thread.Carried) *record.Carried {
	return &record.Carried{
		Thread: threadID(c.Thread), Author: author(c.Author), At: micros(c.At),
		Channel: number[record.Channel](w, channels, c.Channel), Subject: c.Subject,
	}
}

func (r *reader) carried(c *record.Carried) *thread.Carried {
	return &thread.Carried{
		Thread: r.threadID(c.Thread), Author: r.author(c.Author), At: moment(c.At), Channel: word(r, channels, c.Channel),
		Subject: c.Subject,
	}
}

func offshoot(o *thread.Offshoot) *record.Offshoot {
	return &record.Offshoot{Room: threadID(o.Room), Subject: o.Subject, Posts: each(o.Posts, moving)}
}

func (r *reader) offshoot(o *record.Offshoot) *thread.Offshoot {
	return &thread.Offshoot{Room: r.threadID(o.GetRoom()), Subject: o.GetSubject(), Posts: each(o.GetPosts(), r.moving)}
}

func moving(m thread.Moving) *record.Moving {
	return &record.Moving{Message: message(m.Message), Seq: uint64(m.Seq)}
}

func (r *reader) moving(m *record.Moving) thread.Moving {
	return thread.Moving{Message: r.message(m.GetMessage()), Seq: parley.Seq(m.GetSeq())}
}

func founding(f thread.Founding) *record.Founding {
	return &record.Founding{Seq: uint64(f.Seq), Room: threadID(f.Room), By: part(f.By), Subject: f.Subject,
		Granted: each(f.Granted, func(n parley.Seq) uint64 { return uint64(n) })}
}

func (r *reader) founding(f *record.Founding) thread.Founding {
	return thread.Founding{Seq: parley.Seq(f.GetSeq()), Room: r.threadID(f.GetRoom()), By: r.part(f.GetBy()), Subject: f.GetSubject(),
		Granted: each(f.GetGranted(), func(n uint64) parley.Seq { return parley.Seq(n) })}
}

func roomAttachment(a thread.Attachment) *record.RoomAttachment {
	return &record.RoomAttachment{
		Blob: digest(a.Blob), Size: a.Size, Name: a.Name, Type: a.Type, Inline: a.Inline, Cid: a.CID,
	}
}

func (r *reader) roomAttachment(a *record.RoomAttachment) thread.Attachment {
	return thread.Attachment{
		Blob: r.digest(a.GetBlob()), Size: a.GetSize(), Name: a.GetName(), Type: a.GetType(),
		Inline: a.GetInline(), CID: a.GetCid(),
	}
}
