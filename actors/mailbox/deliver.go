package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// deliver takes a room's events in the order of their chain. What is already
// here is passed over; at a gap it stops, and the answer asks for what is missing.
func (d *decider) deliver(c Deliver) error {
	if err := d.open(); err != nil {
		return err
	}
	th := d.thread(c.Room)
	last := parley.Seq(0)
	if th != nil {
		last = th.Seq
	}
	for i, del := range c.Deliveries {
		if del.Seq <= last {
			continue
		}
		if del.Prev > last || len(d.out.Actions) >= MaxTouched {
			break
		}
		var blobs []parley.BlobID
		if i < len(c.Blobs) {
			blobs = c.Blobs[i]
		}
		id := del.Message
		if id == "" && i < len(c.Notices) {
			id = c.Notices[i]
		}
		if !id.Valid() || !c.Room.Valid() {
			return errID
		}
		f := d.fileEvent(c.Room, id, del, blobs)
		if f.Message.Own {
			d.adopt(f)
		}
		d.add(Action{Filed: f})
		last = del.Seq
	}
	d.out.Reply.Last, d.out.Reply.Thread = last, c.Room
	return nil
}

// fileEvent turns a delivery into what this copy keeps of it.
func (d *decider) fileEvent(room parley.ThreadID, id parley.MessageID, del thread.Delivery, blobs []parley.BlobID) *Filed {
	e := del.Event
	m := Message{
		ID: id, Thread: room, Seq: e.Seq, Prev: del.Prev, Author: e.Actor, Channel: parley.ChannelChat,
		Own: e.Actor.Account == d.s.owner, At: e.At.UnixMicro(), Received: e.At.UnixMicro(), Signal: parley.SignalPost,
	}
	f := &Filed{Room: d.roomSet(room, del)}
	if e.Type != thread.Posted {
		m.Notice, m.About = noticeOf(e.Type), about(e)
		f.Message = m
		return f
	}
	f.Text = e.Text
	m.Size = max(int64(len(e.Text)), e.TextSize) // of the text, which is here or in a blob
	m.Body = Body{InAction: e.TextBlob.IsZero(), Blob: e.TextBlob}
	if e.Text == "" {
		m.Excerpt = e.Excerpt
	}
	m.ReplyTo, m.Answers, m.Mentions = e.ReplyTo, e.ReplyTo != "", e.Mentions
	m.Mentioned = d.mentioned(room, del)
	for i, a := range e.Attachments {
		if i < len(blobs) {
			pa := parley.Attachment{Blob: blobs[i], Name: a.Name, Type: a.Type, Size: a.Size, Inline: a.Inline, CID: a.CID}
			m.Attachments = append(m.Attachments, Attachment{Attachment: pa, Digest: a.Blob})
			if m.Own { // large parts in rooms are charged to the author
				m.Size += a.Size
			}
		}
	}
	m.Folders, m.Keywords = d.place(room, m.Own)
	if e.Carried != nil {
		d.carry(room, &m, e)
	} else if e.Actor.Account != "" && !m.Own {
		f.Contact = PersonHash(string(e.Actor.Account))
	}
	f.Message = m
	return f
}

// carry shows a message that the room's maker took along from a mail thread as
// what it was. The maker has read it; it makes nobody a contact.
func (d *decider) carry(room parley.ThreadID, m *Message, e thread.Event) {
	m.Author, m.At, m.Channel, m.Subject = e.Carried.Author, e.Carried.At.UnixMicro(), e.Carried.Channel, e.Carried.Subject
	maker := m.Own
	m.Own = false
	if m.Folders, m.Keywords = d.place(room, false); maker {
		m.Keywords = insert(m.Keywords, parley.Seen)
	}
}

// place says where a room's message goes: Inbox, unless the thread is muted. Own
// messages are in Sent and read, and stay beside the others where those are in Inbox.
func (d *decider) place(room parley.ThreadID, own bool) ([]parley.FolderID, []parley.Keyword) {
	th := d.thread(room)
	muted := th != nil && th.Muted
	switch {
	case own && !muted && (th == nil || th.Messages == 0 || th.folder(parley.Inbox).Total > 0):
		return []parley.FolderID{parley.Inbox, parley.Sent}, []parley.Keyword{parley.Seen}
	case own:
		return []parley.FolderID{parley.Sent}, []parley.Keyword{parley.Seen}
	case muted:
		return []parley.FolderID{parley.Archive}, nil
	default:
		return []parley.FolderID{parley.Inbox}, nil
	}
}

func (d *decider) roomSet(room parley.ThreadID, del thread.Delivery) *RoomSet {
	e := del.Event
	if e.Type == thread.Posted {
		return nil
	}
	r := &RoomSet{Subject: e.Subject, Open: e.Open, History: e.History, Parts: e.Parts, Offshoot: d.heldOf(room, e.Offshoot)}
	if del.Roster != nil {
		r.Parts, r.Whole = del.Roster, true
	}
	if e.Carried != nil && e.Actor.Account == d.s.owner {
		r.Linked = e.Carried.Thread // in nobody else's copy
	}
	for _, p := range r.Parts {
		if p.Account == d.s.owner {
			r.State = p.State
		}
	}
	return r
}

// mentioned reports whether the owner's participant is named.
func (d *decider) mentioned(room parley.ThreadID, del thread.Delivery) bool {
	if len(del.Mentions) == 0 {
		return false
	}
	ro, _ := d.get(rosterKey(room)).(*Roster)
	return ro != nil && slices.ContainsFunc(ro.Parts, func(p parley.Participant) bool {
		return p.Account == d.s.owner && slices.Contains(del.Mentions, p.ID)
	})
}

func noticeOf(t thread.Type) parley.Notice {
	switch t {
	case thread.Created:
		return parley.NoticeCreated
	case thread.Joined, thread.Added:
		return parley.NoticeJoined
	case thread.Left:
		return parley.NoticeLeft
	case thread.Removed:
		return parley.NoticeRemoved
	case thread.Divided:
		return parley.NoticeSplit
	default:
		return parley.NoticeChanged
	}
}

// about is whom a notice is about: the first of the participants it touches, or
// all whom the room began with.
func about(e thread.Event) []parley.PartID {
	parts := e.Parts
	if e.Type != thread.Created {
		parts = parts[:min(1, len(parts))]
	}
	out := make([]parley.PartID, 0, len(parts))
	for _, p := range parts {
		out = append(out, p.ID)
	}
	return out
}
