package mailbox_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// room plays the thread grain of one room: it numbers events and keeps what one
// copy, the owner's, may see of them.
type room struct {
	id    parley.ThreadID
	seq   parley.Seq
	parts []parley.Participant
	seen  []thread.Delivery // by the owner of the copy
	posts []parley.MessageID
}

// person is somebody in rooms. Those whose name has an @ come from outside.
func person(name string) parley.Participant {
	p := parley.Participant{ID: partID(name), Name: name, Channel: parley.ChannelChat, Role: parley.RoleMember, State: parley.StateIn}
	switch {
	case name == "me":
		p.Account = me
	case slices.Contains([]byte(name), '@'):
		p.Address, p.Channel = name, parley.ChannelMail
	default:
		p.Account = accountID(name)
	}
	return p
}

func author(name string) parley.Author {
	p := person(name)
	return parley.Author{Account: p.Account, Part: p.ID, Name: p.Name}
}

func newRoom(name string, at time.Time, parts ...string) *room {
	r := &room{id: threadID("room", name)}
	all := parley.HistoryAll
	e := thread.Event{Type: thread.Created, Actor: author(parts[0]), Subject: &name, Open: new(bool), History: &all}
	for _, p := range parts {
		e.Parts = append(e.Parts, person(p))
	}
	r.happen(e, at)
	return r
}

func (r *room) in(name string) bool {
	return slices.ContainsFunc(r.parts, func(p parley.Participant) bool { return p.Name == name && p.State == parley.StateIn })
}

// here are those who are in.
func (r *room) here() (names []string) {
	for _, p := range r.parts {
		if p.State == parley.StateIn {
			names = append(names, p.Name)
		}
	}
	return names
}

// happen gives an event its place, and shows it to the owner where the owner is
// in before or after it; who comes in gets the roster with it.
func (r *room) happen(e thread.Event, at time.Time) {
	was := r.in("me")
	r.seq++
	e.Seq, e.At = r.seq, at
	for _, p := range e.Parts {
		r.parts = slices.DeleteFunc(r.parts, func(q parley.Participant) bool { return q.ID == p.ID })
		r.parts = append(r.parts, p)
	}
	if !was && !r.in("me") {
		return
	}
	d := thread.Delivery{Event: e}
	if n := len(r.seen); n > 0 {
		d.Prev = r.seen[n-1].Seq
	}
	if !was {
		for _, p := range r.parts {
			if p.State != parley.StateLeft {
				d.Roster = append(d.Roster, p)
			}
		}
	}
	r.seen = append(r.seen, d)
}

// post adds a post; files name what is attached, mentions name people.
func (r *room) post(by, text string, at time.Time, files, mentions []string, answers bool) parley.MessageID {
	id := messageID(r.id, r.seq+1)
	e := thread.Event{Type: thread.Posted, Actor: author(by), Message: id, Text: text, TextSize: int64(len(text))}
	for _, f := range files {
		e.Attachments = append(e.Attachments, thread.Attachment{Blob: digest(f), Size: int64(len(f)), Name: f, Type: "text/plain"})
	}
	for _, m := range mentions {
		e.Mentions = append(e.Mentions, partID(m))
	}
	if answers && len(r.posts) > 0 {
		e.ReplyTo = r.posts[len(r.posts)/2]
	}
	r.happen(e, at)
	r.posts = append(r.posts, id)
	return id
}

// move takes people in or out.
func (r *room) move(t thread.Type, by string, who parley.Participant, at time.Time) {
	r.happen(thread.Event{Type: t, Actor: author(by), Parts: []parley.Participant{who}}, at)
}

// bring is the command that delivers what the owner sees from one place to another.
func (r *room) bring(from, to int) mailbox.Deliver {
	c := mailbox.Deliver{Room: r.id, Deliveries: r.seen[from:to]}
	for _, d := range c.Deliveries {
		var blobs []parley.BlobID
		for _, a := range d.Attachments {
			blobs = append(blobs, blobID(fmt.Sprintf("%x", a.Blob)))
		}
		c.Blobs = append(c.Blobs, blobs)
		c.Notices = append(c.Notices, messageID("notice", r.id, d.Seq))
	}
	return c
}

// fileID is the owner's name for a file that was attached or uploaded.
func fileID(file string) parley.BlobID { return blobID(fmt.Sprintf("%x", digest(file))) }
