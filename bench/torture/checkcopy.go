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
