package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// owed is an event on its way to a copy.
type owed struct {
	r *room
	e *event
}

// owe puts an event behind what is under way to the copy. Who comes in finds what
// was posted for all to come, as far as the copy lacks it, before the entry.
func (b *box) owe(r *room, e *event) {
	if e.entering == b.owner || e.notice == parley.NoticeCreated {
		for _, old := range r.events[:e.seq-1] {
			if old.notice == "" && old.stamped && old.seq > b.reached(r) {
				b.owed = append(b.owed, owed{r, old})
			}
		}
	}
	b.owed = append(b.owed, owed{r, e})
}

// reached is the last event of a room that the copy has or is owed.
func (b *box) reached(r *room) parley.Seq {
	for i := len(b.owed) - 1; i >= 0; i-- {
		if b.owed[i].r == r {
			return b.owed[i].e.seq
		}
	}
	if t := b.threads[r.id]; t != nil {
		return t.Seq
	}
	return 0
}

// take files the first n of what is owed.
func (b *box) take(n int) {
	for _, o := range b.owed[:n] {
		b.file(o.r, o.e)
	}
	b.owed = slices.Clone(b.owed[n:])
}

// file is one event of a room in the copy: one action.
func (b *box) file(r *room, e *event) {
	t := b.threads[r.id]
	if t == nil {
		t = &talk{threadShape: threadShape{ID: r.id, Kind: parley.KindRoom}}
		b.threads[r.id] = t
	}
	t.Kind = parley.KindRoom // what had only a draft is the room that it makes
	b.filled(e.message)
	if e.of != "" && e.actor.who == b.owner {
		b.link(t, e.of)
	}
	m := &note{order: int64(e.seq), own: e.actor.who == b.owner && e.carried == nil, messageShape: messageShape{
		ID: e.message, Thread: r.id, Kind: "message", Seq: e.seq, Channel: parley.ChannelChat, At: e.at, ReceivedAt: e.at,
		Author: authorShape{Account: e.actor.Account, Participant: e.actor.ID, Name: e.actor.Name},
	}}
	if e.notice != "" {
		m.Kind = "notice"
		b.noticed(t, m, e)
	} else {
		b.posted(t, m, e)
	}
	b.notes = append(b.notes, m)
	delete(b.sorted, r.id)
	t.Seq = e.seq
	b.step()
	m.Revision, t.Revision = b.revision, b.revision
	b.counted()
}

// link ties a room to the mail thread that it was made of, in its maker's copy.
func (b *box) link(room *talk, id parley.ThreadID) {
	if t := b.thread(id); t != nil && t.Kind == parley.KindMail {
		room.Linked = []parley.ThreadID{t.ID}
		t.Linked = set(append(slices.Clone(t.Linked), room.ID))
		t.Revision = b.revision + 1 // of the event that is filed
	}
}

// posted says where a post goes: Inbox, or Archive when muted. One's own is read
// and in Sent, and in Inbox where the conversation is.
func (b *box) posted(t *talk, m *note, e *event) {
	all := b.of(t.ID, false)
	inInbox := slices.ContainsFunc(all, func(m *note) bool { return m.in(parley.Inbox) })
	switch {
	case m.own && !t.Muted && (len(all) == 0 || inInbox):
		m.Folders = []parley.FolderID{parley.Inbox, parley.Sent}
	case m.own:
		m.Folders = []parley.FolderID{parley.Sent}
	case t.Muted:
		m.Folders = []parley.FolderID{parley.Archive}
	default:
		m.Folders = []parley.FolderID{parley.Inbox}
	}
	if e.carried != nil {
		m.Author, m.Subject, m.Channel = e.carried.author, e.carried.subject, parley.ChannelMail
	}
	m.Text, m.Excerpt, m.ReplyTo, m.Mentions, m.Size = e.text, e.text, e.replyTo, e.mentions, int64(len(e.text))
	switch {
	case e.actor.who == b.owner:
		m.Keywords = []parley.Keyword{parley.Seen}
	case e.carried == nil: // the maker's word about an author proves nobody
		b.heardFrom(e.actor.who.address)
	}
	for _, f := range e.files {
		m.files = append(m.files, f)
		b.attached[f.content] = true
		if m.own { // who attaches pays
			m.Size += int64(len(f.content))
		}
	}
	for _, s := range t.Participants {
		m.mentioned = m.mentioned || s.Account == b.owner.id && slices.Contains(e.mentions, s.ID)
	}
	t.hidden = false
}

// noticed is what else happened, and changes the copy's picture of the room.
func (b *box) noticed(t *talk, m *note, e *event) {
	m.Notice = e.notice
	for i, s := range e.touched {
		if i == 0 || e.notice == parley.NoticeCreated {
			m.About = append(m.About, s.ID)
		}
	}
	touched := e.touched
	if e.notice == parley.NoticeCreated || e.entering == b.owner {
		touched, t.Participants = e.roster, nil
	}
	for _, s := range touched {
		t.RosterVersion = e.seq
		if s.Account == b.owner.id {
			t.State = s.State
		}
		if i := slices.IndexFunc(t.Participants, func(q seatShape) bool { return q.ID == s.ID }); i >= 0 {
			t.Participants = slices.Clone(t.Participants)
			t.Participants[i] = s
		} else {
			t.Participants = append(t.Participants, s)
		}
	}
	if e.notice == parley.NoticeJoined && e.entering != b.owner {
		return // the settings were said for who comes in
	}
	if e.subject != nil {
		t.Subject = *e.subject
	}
	if e.open != nil {
		t.Open = *e.open
	}
	if e.history != nil {
		t.History = *e.history
	}
}
