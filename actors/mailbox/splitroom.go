package mailbox

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// heldOf leaves of the posts that go those that this copy has in the room. One that
// an earlier split took is in that one's room and stays there, in every copy alike.
func (d *decider) heldOf(room parley.ThreadID, o *thread.Offshoot) *thread.Offshoot {
	if o == nil {
		return nil
	}
	out := &thread.Offshoot{Room: o.Room, Subject: o.Subject}
	for _, p := range o.Posts {
		if m := d.message(p.Message); m != nil && m.Thread == room && m.Notice == "" && !m.draft() {
			out.Posts = append(out.Posts, p)
		}
	}
	return out
}

// branch moves what this copy holds of the posts that a moderator split off to the
// room that was made for them, which may have come here before or comes later.
// Folders and keywords stay as they are.
func (t *tx) branch(from *Thread, o *thread.Offshoot, at int64) {
	was := t.thread(o.Room)
	into := t.editThread(o.Room)
	if was == nil {
		*into = Thread{ID: o.Room, Kind: parley.KindRoom, Subject: o.Subject, State: parley.StateIn, History: parley.HistoryJoined, LastAt: at, SplitAt: at}
	}
	for _, p := range o.Posts {
		if m := t.editMessage(p.Message); m != nil && m.Thread == from.ID {
			t.transfer(m, from, into)
		}
	}
	from.Linked, into.Linked = insert(from.Linked, into.ID), insert(into.Linked, from.ID)
	into.Revision = t.n
	t.retell(from)
	t.retell(into)
}

// transfer moves a post between rooms, whose sequences have nothing in common.
func (t *tx) transfer(m *Message, from, into *Thread) {
	t.tree(messageTree(from.ID)).Delete(m.order())
	from.count(m, -1)
	// RFC 8621 section 3: what changes its thread is a new Email.
	m.Thread, m.Moved, m.Revision = into.ID, true, t.n
	m.Generation++
	t.tree(messageTree(into.ID)).Insert(m.order())
	into.count(m, +1)
	into.Hidden = false
}
