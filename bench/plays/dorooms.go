package plays

import (
	"github.com/parley-im/parley"
)

type object = map[string]any

// room draws one, rather one that the client's copy has.
func (p *play) room(c *client) *room {
	r := pick(p, p.rooms)
	for range 3 {
		if r == nil || r.seat(c.owner).in() {
			break
		}
		r = pick(p, p.rooms)
	}
	return r
}

// about makes ready for a command in a room: the client's copy has all, and no
// other room owes anybody anything.
func (p *play) about(c *client, r *room) {
	p.settle(c.owner)
	p.settleOthers(r)
}

// authored takes what the answer to a command in a room brought along. Without a
// revision the copy has not come yet, which is said to be possible.
func (p *play) authored(c *client, a answer) {
	b := c.owner.box
	if a.revision == 0 {
		return
	}
	b.take(len(b.owed))
	if a.revision != b.revision {
		p.fail("the answer is of revision %d, want %d", a.revision, b.revision)
	}
}

// create makes a room with some of the others, perhaps with a first post.
func (p *play) create(c *client) {
	if len(p.rooms) >= 14 {
		p.post(c)
		return
	}
	p.about(c, nil)
	var others []*person
	var to []object
	for _, who := range p.people {
		if who != c.owner && (p.chance(50) || len(to) == 0) {
			others = append(others, who)
			if p.chance(50) {
				to = append(to, object{"account": who.id})
			} else {
				to = append(to, object{"address": who.address})
			}
		}
	}
	subject, open, history := p.word(), p.chance(40), parley.HistoryJoined
	if p.chance(40) {
		history = parley.HistoryAll
	}
	body := object{"subject": subject, "open": open, "history": history, "to": to}
	text := ""
	if p.chance(60) {
		text = p.word()
		body["message"] = object{"text": text}
	}
	if p.chance(5) {
		body["to"] = append(to, object{"address": "nobody@example.org"})
		a := p.send(c, request{method: "POST", path: "/threads", body: body, key: p.key()})
		p.wants(a, 201, refusal{422, "bad_address", "to"})
		return
	}
	rq := request{method: "POST", path: "/threads", body: body, key: p.key()}
	a := p.send(c, rq)
	p.wants(a, 201, done)
	got := into[threadShape](p, a)
	r := p.founded(&room{id: got.ID, subject: subject, open: open, history: history}, c.owner, others, got.Participants, nil)
	if text != "" {
		p.happen(r, c.owner, func(e *event) {
			e.text, e.stamped = text, history == parley.HistoryAll
			e.message = got.Last.ID
		})
	}
	p.authored(c, a)
	if a.revision != 0 {
		p.sameThread(c.owner.box, got)
	}
	p.again(c, rq, a, nil)
}

// founded is the first event of a room. change, if there is one, adds to it.
func (p *play) founded(r *room, maker *person, others []*person, seats []seatShape, change func(*event)) *room {
	p.rooms = append(p.rooms, r)
	subject, open, history := r.subject, r.open, r.history
	p.happen(r, maker, func(e *event) {
		e.notice, e.subject, e.open, e.history = parley.NoticeCreated, &subject, &open, &history
		for i, who := range append([]*person{maker}, others...) {
			role := parley.RoleMember
			if i == 0 {
				role = parley.RoleModerator
			}
			s := r.enter(e, who, role)
			s.ID = p.seatID(seats, who)
			e.touched[i] = s.seatShape
		}
		if e.entering = nil; change != nil {
			change(e)
		}
	})
	return r
}

// seatID reads under which id somebody was let in.
func (p *play) seatID(list []seatShape, who *person) parley.PartID {
	for _, s := range list {
		if s.Account == who.id {
			return s.ID
		}
	}
	p.fail("%s is not among %v", who.name, list)
	return ""
}

// post says something in a room, now and then with what a post may not have.
func (p *play) post(c *client) {
	r := p.room(c)
	if r == nil {
		return
	}
	p.about(c, r)
	e, body, want := p.drawPost(c.owner, r)
	rq := request{method: "POST", path: "/threads/" + string(r.id) + "/messages", body: body, key: p.key()}
	a := p.send(c, rq)
	p.wants(a, 201, want)
	if want != done {
		return
	}
	got := into[messageShape](p, a)
	p.happen(r, c.owner, func(to *event) {
		to.text, to.files, to.replyTo, to.mentions = e.text, e.files, e.replyTo, e.mentions
		to.message, to.stamped = got.ID, r.history == parley.HistoryAll
	})
	p.authored(c, a)
	if a.revision != 0 {
		p.sameMessage(c.owner.box, c.owner.box.find(got.ID), got)
	}
	p.again(c, rq, a, func() refusal {
		if len(c.owner.box.owed) == 0 && c.owner.box.find(got.ID) == nil {
			return gone
		}
		return done
	})
}

// drawPost draws a post, and foresees what is said of it.
func (p *play) drawPost(who *person, r *room) (e event, body object, want refusal) {
	e.text = p.word()
	body = object{"text": e.text}
	me, b := r.seat(who), who.box
	if !me.in() {
		return e, body, notFound
	}
	if p.chance(15) && len(b.uploads) > 0 {
		e.files = []file{pick(p, b.uploads)}
		body["attachments"] = []parley.BlobID{b.blobs[e.files[0].content]}
		if !b.opens(e.files[0]) {
			return e, body, bad("attachments")
		}
	}
	if m := pick(p, b.of(r.id, false)); m != nil && p.chance(20) {
		e.replyTo = m.ID
		body["reply_to"] = m.ID
	}
	if s := pick(p, r.seats); p.chance(20) {
		e.mentions = []parley.PartID{s.ID}
		body["mentions"] = e.mentions
		if !s.in() {
			return e, body, bad("mentions")
		}
	}
	if p.chance(15) {
		seen := parley.Seq(1 + p.rng.IntN(int(r.last())))
		body["roster_version"] = seen
		for _, s := range r.seats {
			if s != me && s.in() && s.entered > seen {
				return e, body, changed
			}
		}
	}
	return e, body, done
}

// upload brings bytes that posts may attach.
func (p *play) upload(c *client) {
	p.settle(c.owner)
	f := file{name: "note.txt", kind: "text/plain", content: p.word()}
	rq := request{method: "POST", path: "/blobs?name=" + f.name, body: []byte(f.content), key: p.key()}
	a := p.send(c, rq)
	p.wants(a, 201, done)
	b := c.owner.box
	got := into[fileShape](p, a)
	equal(p, "an upload", got, fileShape{Blob: got.Blob, Name: f.name, Type: f.kind, Size: int64(len(f.content))})
	for content, id := range b.blobs {
		if id == got.Blob {
			p.fail("%q and %q are both %s", content, f.content, id)
		}
	}
	b.blobs[f.content] = got.Blob
	b.uploads = append(b.uploads, f)
	b.step()
	b.counted()
	p.again(c, rq, a, nil)
}
