package mailbox_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

var files = []string{"plan.txt", "map.txt"}

// tick is a moment later, or the same one.
func (p *play) tick() time.Time {
	p.now = p.now.Add(time.Duration(p.pick(3, "seconds")) * time.Second)
	return p.now
}

func (p *play) room() {
	if len(p.rooms) < 3 {
		parts := append(chosen(p, "with", 2, everybody...), "me")
		if p.some("made by me") {
			slices.Reverse(parts)
		}
		r := newRoom(fmt.Sprint("room ", len(p.rooms)), p.tick(), set(parts)...)
		p.rooms = append(p.rooms, r)
		if p.some("of mail") {
			p.carry(r)
		}
	}
	p.bring()
}

// carry has a room made of a mail thread, with what it takes along. Whoever made
// it may name a thread of this copy; it is linked only where the owner did.
func (p *play) carry(r *room) {
	r.seen[0].Carried = &thread.Carried{Thread: p.anyThread()}
	for range p.pick(4, "carried") {
		r.post(r.parts[0].Name, draw(p, "text", "hello", "you there"), p.tick(), set(chosen(p, "files", 2, files...)), nil, false)
		r.seen[len(r.seen)-1].Carried = &thread.Carried{
			Author: parley.Author{Name: "Dee", Address: "dee@example.net"}, At: p.now.Add(-time.Hour), Channel: parley.ChannelMail, Subject: draw(p, "subject", "", "Plans"),
		}
	}
}

func (p *play) anyRoom() *room {
	if len(p.rooms) == 0 {
		p.rooms = append(p.rooms, newRoom("first", p.tick(), "me", "ana"))
	}
	return p.rooms[p.pick(len(p.rooms), "room")]
}

func (p *play) post() {
	r := p.anyRoom()
	here := r.here()
	if len(here) == 0 {
		return
	}
	text := draw(p, "text", "hello", "you there", "")
	var mentions []string
	if p.some("mention") {
		mentions = []string{draw(p, "whom", here...)}
	}
	r.post(draw(p, "by", here...), text, p.tick(), set(chosen(p, "files", 2, files...)), mentions, p.some("answers"))
	if p.some("at once") {
		p.do(r.bring(len(r.seen)-min(len(r.seen), 2), len(r.seen)))
	}
}

// move takes somebody in or out of a room, the owner of the copy too.
func (p *play) move() {
	r, name := p.anyRoom(), draw(p, "who", append(everybody, "me", "me")...)
	who := person(name)
	switch {
	case !r.in(name):
		r.move(draw(p, "in", thread.Joined, thread.Added), name, who, p.tick())
	case p.some("promote"):
		who.Role = draw(p, "role", parley.RoleModerator, parley.RoleMember)
		subject := draw(p, "subject", "boats", "cars")
		r.happen(thread.Event{Type: thread.Changed, Actor: author(name), Parts: []parley.Participant{who}, Subject: &subject}, p.tick())
	default:
		who.State = parley.StateLeft
		r.move(draw(p, "out", thread.Left, thread.Removed), name, who, p.tick())
	}
}

// divide moves posts of a room, those of before an earlier split too, into another
// one of all who are in.
func (p *play) divide() {
	r := p.anyRoom()
	if here := r.here(); len(here) > 0 && len(r.posts) > 0 && len(p.rooms) < 6 {
		made := newRoom(fmt.Sprint("off ", len(p.rooms)), p.tick(), here...)
		var posts []thread.Moving
		var ids []parley.MessageID
		for range 1 + p.pick(2, "posts") {
			ids = append(ids, draw(p, "post", r.posts...))
		}
		for _, id := range set(ids) {
			posts = append(posts, thread.Moving{Message: id})
		}
		r.happen(thread.Event{Type: thread.Divided, Actor: author(here[0]), Offshoot: &thread.Offshoot{Room: made.id, Subject: "off", Posts: posts}}, p.tick())
		made.posts = append(made.posts, ids...)
		p.rooms = append(p.rooms, made)
	}
	p.bring()
}

// bring delivers a stretch of a room: what is there already, what is next, or
// what leaves a gap.
func (p *play) bring() {
	r := p.anyRoom()
	from := rapid.IntRange(0, len(r.seen)).Draw(p.T, "from")
	if rapid.IntRange(0, 2).Draw(p.T, "gap") > 0 {
		from = 0
	}
	p.do(r.bring(from, rapid.IntRange(from, len(r.seen)).Draw(p.T, "to")))
}

// mail draws from so few names that references meet.
func (p *play) mail() {
	names := []string{"a", "b", "c", "d", "e", "f"}
	l := letter{
		id: draw(p, "id", append(names, "")...), references: set(chosen(p, "references", 2, names...)),
		from: draw(p, "from", "ana@out", "Bo@out", ""), to: chosen(p, "to", 2, "me@here", "cy@out"),
		text: draw(p, "text", "one", "two"), at: p.tick().Add(-time.Duration(p.pick(4, "late")) * time.Minute),
		envelope: draw(p, "envelope", "", "ana@out", "relay@out"),
	}
	if p.some("reply") {
		l.replies = []string{draw(p, "in reply to", names...)}
	}
	l.references = without(l.references, append(l.replies, l.id)...)
	l.replies = without(l.replies, l.id)
	l.index = draw(p, "index", "", "", "x")
	if p.some("file") {
		l.files = []string{"part.txt"}
	}
	if p.some("import") {
		p.imported(&l)
	}
	if rapid.IntRange(0, 9).Draw(p.T, "quota") == 0 {
		l.quota = 500
	}
	p.sent = append(p.sent, l)
	p.keyed(l.command())
}

func (p *play) imported(l *letter) {
	l.import_, l.own, l.old = true, p.some("own"), p.some("old")
	if l.own {
		l.from = "me@here"
	}
	l.folders = chosen(p, "folders", 2, parley.Inbox, parley.Archive, parley.Trash, parley.Spam, parley.Other, parley.Sent, ownFolders[0], ownFolders[1], ownLabels[0], "fld_x")
	l.keywords = chosen(p, "keywords", 3, parley.Seen, parley.Flagged, parley.Draft, "todo")
}

// mailAgain brings a letter once more: by another way, from a second import, or
// the copy of what the owner sent.
func (p *play) mailAgain() {
	if len(p.sent) == 0 {
		return
	}
	l := p.sent[p.pick(len(p.sent), "which")]
	l.envelope, l.at = draw(p, "envelope", l.envelope, l.envelope, "", "relay@out", "list@out"), p.tick()
	if l.import_ && p.some("by mail") {
		l.import_, l.own, l.folders, l.keywords = false, false, nil, nil
	} else if l.import_ {
		l.folders = chosen(p, "folders", 2, parley.Inbox, parley.Archive, parley.Trash, ownFolders[0], ownLabels[0])
	}
	p.keyed(l.command())
}
