package torture

import (
	"bytes"
	"crypto/sha256"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

func digest(b []byte) parley.Digest { return sha256.Sum256(b) }

func short(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// shelf is one thread of a copy with its messages, oldest first.
type shelf struct {
	thread   parley.Thread
	messages []parley.Message
	hidden   bool // a room without messages that no list shows
}

// copyOf holds somebody's copy of a room to the room: every event that they may
// see is in, in order, and nothing else. It returns nil when there is no copy.
func (c *check) copyOf(who int, id parley.ThreadID) *shelf {
	me := c.People[who]
	r := c.rooms[id]
	if r == nil {
		r = &Room{ID: id}
	}
	v := r.viewOf(me.Account)
	t, _, err := c.door.Thread(c.ctx, me.Account, id, 0)
	switch {
	case parley.CodeOf(err) == parley.NotFound && len(v.events) == 0:
		return nil
	case err != nil:
		c.problem("%s's copy of room %s with %d events to see: %v", me.Name, id, len(v.events), err)
		return nil
	case len(v.events) == 0:
		c.problem("%s has a copy of room %s and was never in", me.Name, id)
		return nil
	}
	s := &shelf{thread: t, messages: c.messages(who, id)}
	c.sameRoom(who, t, v)
	c.samePosts(who, s, v)
	return s
}

// reads holds everything that was shown of rooms while they played: each read is
// the beginning of what is in the copy in the end, as far as its thread said, since
// nothing undurable is ever shown (design, invariant 1).
func (c *check) reads() {
	views := map[parley.ThreadID]map[int]view{}
	for _, o := range c.H.Ops() {
		r := c.rooms[o.Room]
		if o.Kind != Read || o.Outcome != Done || o.SawAs.Kind != parley.KindRoom {
			continue
		}
		if r == nil {
			c.problem("%v showed a room that is not there", o)
			continue
		}
		if views[o.Room] == nil {
			views[o.Room] = map[int]view{}
		}
		v, known := views[o.Room][o.Who]
		if !known {
			v = r.viewOf(c.People[o.Who].Account)
			views[o.Room][o.Who] = v
		}
		c.shown(o, v)
	}
}

func (c *check) shown(o *Op, v view) {
	left := o.Saw
	for _, e := range v.posts() {
		if len(left) > 0 && left[0].ID == e.Message {
			if said := c.asked[e.Cmd]; said != nil && (left[0].Text != said.Text || left[0].Seq != e.Seq) {
				c.problem("%v showed %v as event %d %q", o, said, left[0].Seq, short(left[0].Text))
			}
			left = left[1:]
			continue
		}
		if e.Seq <= o.SawAs.Seq && !c.players[o.Who].mayLack(o.Room, e.Message) {
			c.problem("%v at event %d did not show event %d", o, o.SawAs.Seq, e.Seq)
		}
	}
	if len(left) > 0 {
		c.problem("%v showed event %d %q, which is not there, not in this place, or not for %s", o, left[0].Seq, short(left[0].Text), c.People[o.Who].Name)
	}
}

// messages lists a thread forwards and backwards, in pages.
func (c *check) messages(who int, id parley.ThreadID) []parley.Message {
	me := c.People[who]
	pages := func(p parley.Page, on func(*parley.Page, parley.Listing[parley.Message]) bool) (all [][]parley.Message) {
		for {
			l, err := c.door.Messages(c.ctx, me.Account, id, "", p, 0)
			if err != nil {
				c.problem("%s cannot list %s: %v", me.Name, id, err)
				return all
			}
			all = append(all, l.Items)
			if !on(&p, l) {
				return all
			}
		}
	}
	var forth, back []parley.Message
	for _, page := range pages(parley.Page{Limit: 11}, func(p *parley.Page, l parley.Listing[parley.Message]) bool {
		p.After = l.Next
		return l.Next != ""
	}) {
		forth = append(forth, page...)
	}
	for _, page := range pages(parley.Page{Limit: 13, End: true}, func(p *parley.Page, l parley.Listing[parley.Message]) bool {
		p.End, p.Before = false, l.Prev
		return l.Prev != ""
	}) {
		back = append(append([]parley.Message(nil), page...), back...)
	}
	if len(forth) != len(back) {
		c.problem("%s lists %s with %d messages forwards and %d backwards", me.Name, id, len(forth), len(back))
		return forth
	}
	for i := range forth {
		if forth[i].ID != back[i].ID {
			c.problem("%s lists %s in another order backwards", me.Name, id)
			break
		}
	}
	return forth
}

// sameRoom holds the copy's picture of the room to the room as of its last event.
func (c *check) sameRoom(who int, t parley.Thread, v view) {
	me := c.People[who].Name
	last := v.events[len(v.events)-1].Seq
	state := parley.StateLeft
	if v.seat.in {
		state = parley.StateIn
	} else if v.seat.invited {
		state = parley.StateInvited
	}
	if t.Seq != last || t.Subject != v.subject || t.State != state {
		c.problem("%s's copy of %s is at %d, %q, %s; want %d, %q, %s", me, t.ID, t.Seq, t.Subject, t.State, last, v.subject, state)
	}
	there := 0
	for _, p := range t.Participants {
		if p.State == parley.StateLeft {
			continue
		}
		there++
		if !v.there[p.ID] {
			c.problem("%s's copy of %s has %s as %s, who was not there", me, t.ID, p.Name, p.State)
		}
	}
	if there != len(v.there) {
		c.problem("%s's copy of %s has %d people, want %d", me, t.ID, there, len(v.there))
	}
	if y := c.players[who]; !y.mutes(t.ID)[t.Muted] {
		c.problem("%s's copy of %s: muted is %v", me, t.ID, t.Muted)
	}
}

// samePosts walks copy and view side by side. What its owner may have deleted for
// good may be missing.
func (c *check) samePosts(who int, s *shelf, v view) {
	me := c.People[who]
	left := s.messages
	for _, e := range v.posts() {
		o := c.asked[e.Cmd]
		if o == nil {
			continue // reported with the room
		}
		if len(left) > 0 && left[0].ID == e.Message {
			c.samePost(who, &left[0], e, o)
			left = left[1:]
			continue
		}
		if !c.players[who].mayLack(s.thread.ID, e.Message) {
			c.problem("%s's copy of %s lacks event %d: %v", me.Name, s.thread.ID, e.Seq, o)
		}
	}
	for _, m := range left {
		c.problem("%s's copy of %s holds event %d %q where it may not or a second time", me.Name, s.thread.ID, m.Seq, short(m.Text))
	}
}

func (c *check) samePost(who int, m *parley.Message, e *thread.Event, o *Op) {
	me := c.People[who]
	size := int64(len(o.Text))
	if len(m.Attachments) != len(o.Files) {
		c.problem("%s's copy of %v has %d attachments", me.Name, o, len(m.Attachments))
		return
	}
	for i, at := range m.Attachments {
		c.sameBytes(who, at, o.Files[i].Raw)
		if e.Actor.Account == me.Account {
			size += at.Size
		}
	}
	if m.Seq != e.Seq || m.Text != o.Text || m.Author.Account != e.Actor.Account || m.ReplyTo != e.ReplyTo || m.Size != size {
		c.problem("%s's copy of %v is event %d by %s in answer to %q with %d bytes (want %d): %q", me.Name, o, m.Seq, m.Author.Account, m.ReplyTo, m.Size, size, short(m.Text))
	}
	c.stands(who, m)
}

// stands holds folders and keywords to what the owner asked for.
func (c *check) stands(who int, m *parley.Message) {
	if err := c.players[who].stood(m); err != nil {
		c.problem("%s's copy of %s (%q) %v", c.People[who].Name, m.ID, short(m.Text), err)
	}
}

func (c *check) sameBytes(who int, at parley.Attachment, want []byte) {
	b, err := c.door.OpenBlob(c.ctx, c.People[who].Account, at.Blob)
	if err != nil {
		c.problem("%s cannot open %s: %v", c.People[who].Name, at.Blob, err)
		return
	}
	defer b.Close()
	got, err := io.ReadAll(io.NewSectionReader(b, 0, b.Attachment.Size))
	if err != nil || !bytes.Equal(got, want) || at.Size != int64(len(want)) {
		c.problem("%s opens %s and finds %d bytes, want %d: %v", c.People[who].Name, at.Blob, len(got), len(want), err)
	}
}
