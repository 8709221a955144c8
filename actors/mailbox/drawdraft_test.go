package mailbox_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// draft begins one, in a thread that is here or for one to be made.
func (p *play) draft() {
	p.n++
	p.tick()
	c := mailbox.WriteDraft{Cmd: p.key(), ID: messageID("draft", p.n), New: true, NewThread: threadID("draft", p.n)}
	if p.some("alone") || len(p.naive.threads) == 0 {
		c.Kind = draw(p, "kind", parley.KindRoom, parley.KindRoom, parley.KindMail)
	} else {
		c.Thread = p.anyThread()
	}
	p.fill(&c)
	p.keyed(c)
}

// fill changes a few things.
func (p *play) fill(c *mailbox.WriteDraft) {
	if c.New || p.some("text") {
		c.Text = &mailbox.DraftText{Text: draw(p, "words", "one", "two", "three", "")}
	}
	if c.Thread == "" && p.some("to") {
		c.To = &[]parley.Recipient{{Account: accountID("ana")}, {Address: "cy@out"}}
		c.Subject = new(draw(p, "subject", "boats", "cars"))
	}
	if p.some("files") {
		list := []mailbox.Attachment{}
		for _, f := range set(chosen(p, "attach", 2, files...)) {
			at := parley.Attachment{Blob: fileID(f), Name: f, Type: "text/plain", Size: int64(len(f))}
			list = append(list, mailbox.Attachment{Attachment: at, Digest: digest(f)})
		}
		c.Attachments = &list
	}
	if p.some("reply") && len(p.naive.messages) > 0 {
		c.ReplyTo = new(p.anyMessage())
	}
	if p.some("head") {
		c.Mentions, c.Roster = &[]parley.PartID{partID("ana")}, new(parley.Seq(p.pick(3, "roster")))
	}
	if rapid.IntRange(0, 9).Draw(p.T, "quota") == 0 {
		c.Quota = 20
	}
}

// anyDraft is one that is here, or was sent.
func (p *play) anyDraft() (id parley.MessageID, r parley.Revision) {
	if len(p.naive.drafts) == 0 || rapid.IntRange(0, 9).Draw(p.T, "no draft") == 0 {
		if len(p.naive.messages) == 0 {
			return messageID("no draft"), 1
		}
		return p.anyMessage(), 1
	}
	m := p.naive.drafts[p.pick(len(p.naive.drafts), "draft")]
	return m.ID, m.Revision
}

func (p *play) edit() {
	id, r := p.anyDraft()
	p.tick()
	c := mailbox.WriteDraft{Cmd: p.key(), ID: id, IfMatch: p.ifMatch(r)}
	p.fill(&c)
	p.keyed(c)
}

func (p *play) discard() {
	id, r := p.anyDraft()
	p.keyed(mailbox.DiscardDraft{Cmd: p.key(), ID: id, IfMatch: p.ifMatch(r)})
}

// send sends one; the room takes it at once, later, or never.
func (p *play) send() {
	id, r := p.anyDraft()
	p.tick()
	p.keyed(mailbox.SendDraft{Cmd: p.key(), ID: id, IfMatch: p.ifMatch(r)})
	m := p.naive.slip(id)
	if m == nil || m.Sending.IsZero() {
		return
	}
	said := rapid.IntRange(0, 3).Draw(p.T, "said") > 0 && p.say(m)
	if !said || rapid.IntRange(0, 5).Draw(p.T, "kept") == 0 { // an answer may be late
		p.do(mailbox.KeepDraft{ID: id})
	}
}

// say is what the room does with a draft that is sent.
func (p *play) say(m *slip) bool {
	var in *room
	for _, r := range p.rooms {
		if r.id == m.Thread {
			in = r
		}
	}
	if in == nil && m.Alone {
		in = newRoom(fmt.Sprint("made of ", m.ID), p.now, "me", "ana")
		in.id = m.Thread
		p.rooms = append(p.rooms, in)
	}
	if in == nil || !in.in("me") || in.has(m.ID) {
		return false
	}
	e := thread.Event{Type: thread.Posted, Actor: author("me"), Message: m.ID, Text: m.Excerpt, TextSize: m.text, ReplyTo: m.ReplyTo}
	for _, a := range m.Attachments {
		e.Attachments = append(e.Attachments, thread.Attachment{Blob: digest(a.Name), Size: a.Size, Name: a.Name, Type: a.Type})
	}
	in.happen(e, p.now)
	if p.some("at once") {
		p.do(in.bring(0, len(in.seen)))
	}
	return true
}

func (r *room) has(id parley.MessageID) bool {
	for _, d := range r.seen {
		if d.Message == id {
			return true
		}
	}
	return false
}

// drafts compares a list of drafts, and each draft in it.
func (l *lookout) drafts(id parley.ThreadID) {
	l.t.Helper()
	var want []parley.MessageID
	for _, m := range l.n.draftsOf(id) {
		want = append(want, m.ID)
		var got *mailbox.Message
		err := l.read(func() (err error) { got, err = l.s.Draft(m.ID); return err })
		if err != nil {
			l.t.Fatalf("draft %s: %v", m.ID, err)
		}
		l.is("draft "+string(m.ID), got.PublicDraft(), nil, m.DraftMessage)
		l.is("why draft "+string(m.ID), got.Explanation().Signal, nil, parley.SignalDraft)
	}
	around(l, "drafts of "+string(id), want, func(p parley.Page) ([]parley.MessageID, string, string, error) {
		var got mailbox.MessagePage
		err := l.read(func() (err error) {
			got, err = l.s.Drafts(parley.DraftQuery{Thread: id, Page: p})
			return err
		})
		if err == nil && got.Total != int64(len(want)) {
			err = fmt.Errorf("a total of %d", got.Total)
		}
		var ids []parley.MessageID
		for _, m := range got.Items {
			ids = append(ids, m.ID)
		}
		return ids, got.Next, got.Prev, err
	})
	l.leaving()
}

// leaving compares what is being sent.
func (l *lookout) leaving() {
	l.t.Helper()
	want := map[parley.MessageID]bool{}
	for _, m := range l.n.drafts {
		if !m.Sending.IsZero() {
			want[m.ID] = true
		}
	}
	var got []mailbox.Leaving
	err := l.read(func() (err error) { got, err = l.s.Leaving(); return err })
	if err != nil || len(got) != min(len(want), 16) {
		l.t.Fatalf("being sent: got %v, %v, want %v", got, err, want)
	}
	for i, m := range got {
		if !want[m.Draft] || i > 0 && m.Since.Before(got[i-1].Since) {
			l.t.Fatalf("being sent: got %v, want %v", got, want)
		}
	}
}
