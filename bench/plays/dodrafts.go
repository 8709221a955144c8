package plays

import (
	"fmt"

	"github.com/parley-im/parley"
)

// draftThread draws what a draft is for: a room, rather; or mail, or a thread that
// has only drafts; nil is a room to be made.
func (p *play) draftThread(b *box) *talk {
	switch n := p.rng.IntN(100); {
	case n < 25 && len(p.rooms) < 20:
		return nil
	case n < 32:
		return pick(p, b.mails())
	}
	for range 4 {
		if t := p.talk(b); t != nil && t.Kind == parley.KindRoom {
			return t
		}
	}
	return nil
}

// draftTo draws whom a new room is for, now and then somebody outside, who can be
// written to and not sent to.
func (p *play) draftTo(who *person) []object {
	to := []object{}
	for _, other := range p.people {
		if other != who && p.chance(40) {
			to = append(to, object{"account": other.id})
		}
	}
	if p.chance(8) {
		to = append(to, object{"address": correspondents[0]})
	}
	return to
}

// compose draws what a draft says, and puts it down in s; body is what a request
// says of it.
func (p *play) compose(who *person, s *slip, body object) (want refusal) {
	b := who.box
	if p.chance(80) {
		s.Text = p.word()
		body["text"] = s.Text
	}
	if f := pick(p, b.uploads); p.chance(15) && f != (file{}) {
		s.files = []file{f}
		body["attachments"] = []parley.BlobID{b.blobs[f.content]}
		if !b.opens(f) {
			want = bad("attachments")
		}
	}
	if s.NewThread {
		if p.chance(50) {
			s.Subject = p.word()
			body["subject"] = s.Subject
		}
		if p.chance(60) {
			s.To = p.draftTo(who)
			body["to"] = s.To
		}
		return want
	}
	if m := pick(p, b.of(s.Thread, false)); p.chance(20) && m != nil {
		s.ReplyTo = m.ID
		body["reply_to"] = m.ID
	}
	if seat := pick(p, b.threads[s.Thread].Participants); p.chance(15) && seat.ID != "" {
		s.Mentions = []parley.PartID{seat.ID}
		body["mentions"] = s.Mentions
	}
	if last := int(b.threads[s.Thread].Seq); p.chance(35) && last > 0 {
		s.RosterVersion = parley.Seq(1 + p.rng.IntN(last))
		body["roster_version"] = s.RosterVersion
	}
	return want
}

func (p *play) beginDraft(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	if len(b.drafts) >= 12 {
		p.sendDraft(c)
		return
	}
	s, body := &slip{draftShape: draftShape{Kind: parley.KindRoom, NewThread: true}}, object{}
	if t := p.draftThread(b); t != nil {
		s.Thread, s.Kind, s.NewThread = t.ID, t.Kind, false
		body["thread"] = t.ID
	} else if p.chance(10) {
		s.Kind = parley.KindMail
		body["kind"] = s.Kind
	}
	want := p.compose(c.owner, s, body)
	if want == done && !s.NewThread && b.unmade(s.Thread) {
		want = bad("thread")
	}
	rq := request{method: "POST", path: "/drafts", body: body, key: p.key()}
	a := p.send(c, rq)
	if p.wants(a, 201, want); want != done {
		return
	}
	got := into[draftShape](p, a)
	if s.ID = got.ID; s.NewThread {
		s.Thread = got.Thread
	}
	if b.slip(s.ID) != nil || b.find(s.ID) != nil || s.NewThread && b.threads[s.Thread] != nil {
		p.fail("%s in %s is not new", s.ID, s.Thread)
	}
	b.wrote(s)
	p.at(b, a)
	equal(p, "a new draft", got, b.shape(s))
	p.again(c, rq, a, func() refusal {
		if b.slip(s.ID) == nil {
			return gone
		}
		return done
	})
}

// changeDraft changes one, or what was one.
func (p *play) changeDraft(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	s := pick(p, b.drafts)
	if s == nil {
		p.beginDraft(c)
		return
	}
	next, body := *s, object{}
	want := p.compose(c.owner, &next, body)
	if len(body) == 0 {
		return
	}
	rq := request{method: "PATCH", path: "/drafts/" + string(s.ID), body: body}
	if _, no := p.terms(&rq, s.Revision); want == done {
		want = no
	}
	a := p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	*s = next
	b.wrote(s)
	p.at(b, a)
	equal(p, "a changed draft", into[draftShape](p, a), b.shape(s))
	p.again(c, rq, a, func() refusal {
		if b.slip(s.ID) == nil {
			return gone
		}
		return done
	})
}

func (p *play) discardDraft(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	s := pick(p, b.drafts)
	if s == nil {
		return
	}
	rq := request{method: "DELETE", path: "/drafts/" + string(s.ID)}
	_, want := p.terms(&rq, s.Revision)
	a := p.send(c, rq)
	if p.wants(a, 204, want); want != done {
		return
	}
	b.discard(s)
	p.at(b, a)
	p.again(c, rq, a, nil)
	if p.chance(20) {
		p.wants(p.send(c, request{method: "GET", path: "/drafts/" + string(s.ID)}), 200, notFound)
	}
}

// readDrafts reads a page of them, of all or of a thread, and one by itself: as a
// draft, and as the message that it is.
func (p *play) readDrafts(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	limit, of := 1+p.rng.IntN(6), parley.ThreadID("")
	path := fmt.Sprintf("/drafts?limit=%d", limit)
	if s := pick(p, b.drafts); s != nil && p.chance(40) {
		of = s.Thread
		path += "&thread=" + string(of)
	}
	a := p.send(c, request{method: "GET", path: path})
	p.wants(a, 200, done)
	got, all := into[listShape[draftShape]](p, a), b.slips(of)
	want := []draftShape{}
	for _, s := range all[:min(limit, len(all))] {
		want = append(want, b.shape(s))
	}
	equal(p, "drafts", got.Data, want)
	if (got.Next != nil) != (len(all) > limit) {
		p.fail("of %d drafts there are more after a page of %d: %v", len(all), limit, got.Next != nil)
	}
	s := pick(p, b.drafts)
	if s == nil {
		return
	}
	a = p.send(c, request{method: "GET", path: "/drafts/" + string(s.ID)})
	p.wants(a, 200, done)
	equal(p, "a draft", into[draftShape](p, a), b.shape(s))
	if a.tag != tag(s.Revision) {
		p.fail("ETag is %s, want %s", a.tag, tag(s.Revision))
	}
	p.asMessage(c, s)
}

// asMessage reads a draft as a message, which is changed and deleted as a draft only.
func (p *play) asMessage(c *client, s *slip) {
	path := "/messages/" + string(s.ID)
	a := p.send(c, request{method: "GET", path: path})
	p.wants(a, 200, done)
	got := into[messageShape](p, a)
	want := messageShape{ID: s.ID, Thread: s.Thread, Text: s.Text, Folders: []parley.FolderID{parley.Drafts}, Keywords: []parley.Keyword{parley.Draft, parley.Seen}, Revision: s.Revision}
	equal(p, "a draft as a message", messageShape{ID: got.ID, Thread: got.Thread, Text: got.Text, Folders: got.Folders, Keywords: got.Keywords, Revision: got.Revision}, want)
	p.wants(p.send(c, request{method: "PATCH", path: path, body: object{"flagged": true}}), 200, bad(""))
	p.wants(p.send(c, request{method: "DELETE", path: path}), 204, bad(""))
}
