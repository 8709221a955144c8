package torture

import (
	"bytes"
	"slices"

	"github.com/parley-im/parley"
)

// person holds one account's mailbox to the play.
func (c *check) person(who int) {
	me := c.People[who].Account
	shelves := map[parley.ThreadID]*shelf{}
	mentioned := map[parley.MessageID]bool{}
	for _, id := range c.everyRoom() {
		s := c.copyOf(who, id)
		if s == nil {
			continue
		}
		shelves[id] = s
		for id := range c.rooms[id].viewOf(me).mentioned {
			mentioned[id] = true
		}
	}
	mail := c.mailThreads(who)
	c.mailOf(who, mail)
	for _, s := range mail {
		shelves[s.thread.ID] = s
	}
	for id := range c.unlisted(who, shelves) {
		shelves[id].hidden = len(shelves[id].messages) == 0
	}
	var all []*shelf
	for _, s := range shelves {
		all = append(all, s)
		c.summary(who, s)
	}
	c.figures(who, tallyOf(all, me, mentioned), c.contacts(who))
	for _, f := range append([]parley.FolderID{""}, parley.FixedFolders[:]...) {
		c.list(who, f, all)
	}
}

// unlisted are the threads that the list of all does not show.
func (c *check) unlisted(who int, shelves map[parley.ThreadID]*shelf) map[parley.ThreadID]bool {
	out := map[parley.ThreadID]bool{}
	for id := range shelves {
		out[id] = true
	}
	for _, t := range c.threads(who, parley.ThreadQuery{}) {
		delete(out, t.ID)
	}
	return out
}

// everyRoom is each room that is there or was asked for.
func (c *check) everyRoom() []parley.ThreadID {
	ids := c.Rooms()
	for id := range c.rooms {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// mailThreads finds the mail threads that any list shows.
func (c *check) mailThreads(who int) (out []*shelf) {
	seen := map[parley.ThreadID]bool{}
	for _, f := range append([]parley.FolderID{""}, parley.FixedFolders[:]...) {
		for _, t := range c.threads(who, parley.ThreadQuery{Folder: f, Kind: parley.KindMail}) {
			if !seen[t.ID] {
				seen[t.ID] = true
				out = append(out, &shelf{thread: t, messages: c.messages(who, t.ID)})
			}
		}
	}
	return out
}

// threads reads a whole list, page by page.
func (c *check) threads(who int, q parley.ThreadQuery) (all []parley.Thread) {
	q.Page.Limit = 17
	for {
		l, err := c.door.Threads(c.ctx, c.People[who].Account, q, 0)
		if err != nil {
			c.problem("%s cannot list %+v: %v", c.People[who].Name, q, err)
			return all
		}
		all = append(all, l.Items...)
		if q.Page.After = l.Next; l.Next == "" {
			return all
		}
	}
}

// list holds a folder's lists, all, unread and read, to the threads.
func (c *check) list(who int, f parley.FolderID, all []*shelf) {
	yes, no := true, false
	for _, want := range []*bool{nil, &yes, &no} {
		got := c.threads(who, parley.ThreadQuery{Folder: f, Unread: want})
		listed := map[parley.ThreadID]bool{}
		for i, t := range got {
			if i > 0 && !newer(got[i-1], t) {
				c.problem("%s's list %q (unread %v) has %s behind %s", c.People[who].Name, f, told(want), t.ID, got[i-1].ID)
			}
			listed[t.ID] = true
		}
		for _, s := range all {
			must := s.lists(f) && (want == nil || s.unreadHere(f) == *want)
			if is := listed[s.thread.ID]; is != must {
				c.problem("%s's list %q (unread %v) shows %s: %v, want %v", c.People[who].Name, f, told(want), s.thread.ID, is, must)
			}
			delete(listed, s.thread.ID)
		}
		for id := range listed {
			c.problem("%s's list %q shows %s, which is nowhere", c.People[who].Name, f, id)
		}
	}
}

// unreadHere is unreadIn for any list.
func (s *shelf) unreadHere(f parley.FolderID) bool {
	if f != "" {
		return s.unreadIn(f)
	}
	return s.lists(f) && s.any(func(m *parley.Message) bool { return unread(m) && elsewhere(m, parley.Trash) })
}

func told(b *bool) any {
	if b == nil {
		return "or not"
	}
	return *b
}

// newer is the order of lists: the last message first, then the id.
func newer(a, b parley.Thread) bool {
	if a.LastAt.IsZero() || b.LastAt.IsZero() { // a room without messages does not say since when
		return true
	}
	if !a.LastAt.Equal(b.LastAt) {
		return a.LastAt.After(b.LastAt)
	}
	x, _ := parley.ParseID(parley.ThreadPrefix, string(a.ID))
	y, _ := parley.ParseID(parley.ThreadPrefix, string(b.ID))
	return bytes.Compare(x[:], y[:]) < 0
}
