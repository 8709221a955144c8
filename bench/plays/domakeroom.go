package plays

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
)

// previewShape is what a room would be, before it is made.
type previewShape struct {
	Subject      string          `json:"subject"`
	Participants []newcomerShape `json:"participants"`
	Outside      []authorShape   `json:"outside"`
	Messages     []carriedShape  `json:"messages"`
	Earlier      int             `json:"earlier"`
}

type newcomerShape struct {
	Account parley.AccountID `json:"account"`
	Name    string           `json:"name"`
	Role    parley.Role      `json:"role"`
}

type carriedShape struct {
	ID          parley.MessageID `json:"id"`
	Author      authorShape      `json:"author"`
	At          time.Time        `json:"at"`
	Subject     string           `json:"subject"`
	Text        string           `json:"text"`
	Attachments []string         `json:"attachments"`
}

// carries lists what a room takes along: messages of the mail thread that are
// named, or all but what was thrown away.
func (b *box) carries(t *talk, named []parley.MessageID) (out []*note) {
	for _, m := range b.of(t.ID, false) {
		if slices.Contains(named, m.ID) || len(named) == 0 && !m.in(parley.Spam) && !m.in(parley.Trash) {
			out = append(out, m)
		}
	}
	return out
}

// makeRoom makes a room of a mail thread, or asks what it would be.
func (p *play) makeRoom(c *client) {
	p.about(c, nil)
	b := c.owner.box
	t := p.mailTalk(b)
	if t == nil || len(p.rooms) >= 18 {
		return
	}
	r, body := &room{subject: b.view(t).Subject, history: parley.HistoryJoined}, object{}
	var others []*person
	to := []object{}
	for _, who := range p.people {
		if who != c.owner && (p.chance(50) || len(to) == 0) {
			others = append(others, who)
			to = append(to, object{"address": who.address})
		}
	}
	body["to"] = to
	if p.chance(40) {
		r.history = parley.HistoryAll
		body["history"] = r.history
	}
	if p.chance(30) {
		r.subject = p.word()
		body["subject"] = r.subject
	}
	var named []parley.MessageID
	for _, m := range b.of(t.ID, false) {
		if p.chance(15) {
			named = append(named, m.ID)
		}
	}
	if len(named) > 0 {
		body["messages"] = named
	}
	want := done
	switch {
	case t.Kind != parley.KindMail:
		want = bad("thread")
	case p.chance(3):
		body["messages"], want = append(named, p.nobodys()), refusal{404, "not_found", "messages"}
	}
	taken := b.carries(t, named)
	rq := request{method: "POST", path: "/threads/" + string(t.ID) + "/make_room", body: body, key: p.key()}
	if p.chance(40) {
		rq.path += "?preview=true"
		a := p.send(c, rq)
		if p.wants(a, 200, want); want == done {
			p.previewed(c.owner, t, r, others, taken, into[previewShape](p, a))
		}
		return
	}
	a := p.send(c, rq)
	if p.wants(a, 201, want); want == done {
		p.roomOfMail(c, t, r, others, taken, rq, a)
	}
}

// previewed holds a preview to who would read what.
func (p *play) previewed(maker *person, t *talk, r *room, others []*person, taken []*note, got previewShape) {
	want := previewShape{Subject: r.subject, Outside: append([]authorShape{}, maker.box.view(t).Authors...), Messages: []carriedShape{},
		Earlier: len(maker.box.of(t.ID, false)) - len(taken)}
	for i, who := range append([]*person{maker}, others...) {
		role := parley.RoleMember
		if i == 0 {
			role = parley.RoleModerator
		}
		want.Participants = append(want.Participants, newcomerShape{who.id, who.name, role})
	}
	for i, m := range taken {
		want.Messages = append(want.Messages, carriedShape{ID: m.ID, Author: m.Author, Subject: m.Subject, Text: m.Text, Attachments: []string{}})
		if i < len(got.Messages) { // a mail without a Date has one that is a guess
			want.Messages[i].At = got.Messages[i].At
		}
	}
	for i := range got.Messages {
		got.Messages[i].Text = strings.TrimSpace(got.Messages[i].Text)
	}
	equal(p, "a preview", got, want)
}

// roomOfMail begins with what it took along, right behind its first event.
func (p *play) roomOfMail(c *client, t *talk, r *room, others []*person, taken []*note, rq request, a answer) {
	b, got := c.owner.box, into[threadShape](p, a)
	r.id = got.ID
	page := p.come(c, fmt.Sprintf("/threads/%s/messages?limit=200&at_least=%d", r.id, int(b.revision)+1+len(taken)))
	p.wants(page, 200, done)
	all := into[listShape[messageShape]](p, page).Data
	if len(all) != len(taken) {
		p.fail("the room has %d messages of the mail, want %d", len(all), len(taken))
	}
	p.founded(r, c.owner, others, got.Participants, func(e *event) { e.of = t.ID })
	for i, m := range taken {
		p.happen(r, c.owner, func(e *event) {
			e.text, e.stamped, e.message = m.Text, r.history == parley.HistoryAll, all[i].ID
			e.carried = &carried{author: authorShape{Name: m.Author.Name, Address: m.Author.Address}, subject: m.Subject}
		})
	}
	p.authored(c, a)
	if p.settle(c.owner); a.revision != 0 {
		p.sameThread(b, got)
	}
	p.sameThread(b, into[threadShape](p, p.send(c, request{method: "GET", path: "/threads/" + string(t.ID)})))
	p.again(c, rq, a, nil)
}
