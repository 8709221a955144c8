package mailbox_test

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// deliver takes a room's events as long as their chain holds.
func (n *naive) deliver(c mailbox.Deliver) (mailbox.Reply, error) {
	if n.closed {
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	}
	last := parley.Seq(0)
	if th := n.threads[c.Room]; th != nil {
		last = th.Seq
	}
	for i, d := range c.Deliveries {
		if d.Seq <= last {
			continue
		}
		if d.Prev > last {
			break
		}
		n.event(c.Room, d, c.Notices[i], c.Blobs[i])
		last = d.Seq
	}
	return mailbox.Reply{Revision: n.last, Last: last, Thread: c.Room}, nil
}

func (n *naive) event(room parley.ThreadID, d thread.Delivery, notice parley.MessageID, blobs []parley.BlobID) {
	m := &note{order: int64(d.Seq), filed: n.step(), own: d.Actor.Account == n.owner, signal: parley.SignalPost}
	m.Message = parley.Message{
		ID: d.Message, Thread: room, Seq: d.Seq, Author: d.Actor, Channel: parley.ChannelChat,
		At: d.At.UTC(), ReceivedAt: d.At.UTC(), Revision: n.last,
	}
	th := n.threads[room]
	if th == nil {
		th = &talk{Thread: parley.Thread{ID: room, Kind: parley.KindRoom}}
		n.threads[room] = th
	}
	th.Kind = parley.KindRoom // what was a thread of drafts is the room that one of them makes
	if m := n.slip(d.Message); m != nil {
		n.drafts = slices.DeleteFunc(n.drafts, func(have *slip) bool { return have == m })
	}
	if d.Type == thread.Posted {
		n.post(th, m, d, blobs)
	} else {
		m.ID = notice
		n.notice(th, m, d)
	}
	th.Seq, th.Revision = d.Seq, n.last
	n.messages = append(n.messages, m)
	if d.Offshoot != nil {
		n.branch(th, d.Offshoot, m)
	}
}

// post says where a post goes: Inbox, or Archive when muted; one's own is read,
// in Sent, and in Inbox where the conversation is.
func (n *naive) post(th *talk, m *note, d thread.Delivery, blobs []parley.BlobID) {
	maker := m.own
	if c := d.Carried; c != nil { // nobody's own, read by who took it along
		m.own, m.Author, m.At, m.Channel, m.Subject = false, c.Author, c.At.UTC(), c.Channel, c.Subject
	}
	all := n.of(th.ID, false)
	inInbox := slices.ContainsFunc(all, func(m *note) bool { return m.in(parley.Inbox) })
	switch {
	case m.own && !th.Muted && (len(all) == 0 || inInbox):
		m.Folders = []parley.FolderID{parley.Inbox, parley.Sent}
	case m.own:
		m.Folders = []parley.FolderID{parley.Sent}
	case th.Muted:
		m.Folders = []parley.FolderID{parley.Archive}
	default:
		m.Folders = []parley.FolderID{parley.Inbox}
	}
	if maker {
		m.Keywords = []parley.Keyword{parley.Seen}
	} else if d.Carried == nil && d.Actor.Account != "" {
		n.wrote(string(d.Actor.Account), d.At.UnixMicro())
	}
	m.Excerpt, m.Size, m.ReplyTo, m.answers, m.Mentions = d.Text+d.Excerpt, d.TextSize, d.ReplyTo, d.ReplyTo != "", d.Mentions
	for _, p := range th.Participants {
		m.mentioned = m.mentioned || p.Account == n.owner && slices.Contains(d.Mentions, p.ID)
	}
	for i, a := range d.Attachments {
		m.Attachments = append(m.Attachments, parley.Attachment{Blob: blobs[i], Name: a.Name, Type: a.Type, Size: a.Size})
		delete(n.uploads, blobs[i])
		if maker {
			m.Size += a.Size
		}
	}
	th.hidden = false
}

// notice is what happened in the room, and changes the copy's picture of it.
func (n *naive) notice(th *talk, m *note, d thread.Delivery) {
	m.Notice = map[thread.Type]parley.Notice{
		thread.Created: parley.NoticeCreated, thread.Joined: parley.NoticeJoined, thread.Added: parley.NoticeJoined,
		thread.Left: parley.NoticeLeft, thread.Removed: parley.NoticeRemoved, thread.Changed: parley.NoticeChanged,
		thread.Divided: parley.NoticeSplit,
	}[d.Type]
	if d.Carried != nil && m.own {
		n.link(th, n.thread(d.Carried.Thread))
	}
	parts := d.Parts
	for i, p := range parts {
		if i == 0 || d.Type == thread.Created {
			m.Subjects = append(m.Subjects, p.ID)
		}
	}
	if d.Roster != nil {
		parts, th.Participants = d.Roster, nil
	}
	for _, p := range parts {
		th.RosterVersion = d.Seq
		if p.Account == n.owner {
			th.State = p.State
		}
		i := slices.IndexFunc(th.Participants, func(q parley.Participant) bool { return q.ID == p.ID })
		if i < 0 {
			th.Participants = append(th.Participants, p)
		} else {
			th.Participants = append(append(slices.Clone(th.Participants[:i]), p), th.Participants[i+1:]...)
		}
	}
	if d.Subject != nil {
		th.Subject = *d.Subject
	}
	if d.Open != nil {
		th.Open = *d.Open
	}
	if d.History != nil {
		th.History = *d.History
	}
}

// link ties a room to the owner's mail thread that it was made of.
func (n *naive) link(room, mail *talk) {
	if mail != nil && mail.Kind == parley.KindMail {
		room.Linked, mail.Linked = []parley.ThreadID{mail.ID}, set(append(slices.Clone(mail.Linked), room.ID))
		mail.Revision = n.last
	}
}

func (n *naive) wrote(who string, at int64) {
	h := mailbox.PersonHash(who)
	n.contacts[h] = max(n.contacts[h], at)
}
