package mailbox

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/parley-im/parley"
)

// finish brings header and thread lists in line with the touched threads. It is
// the only place that writes them, so that they are a function of the threads.
func (t *tx) finish() {
	for _, id := range sortedThreads(t.old) {
		was, is := t.old[id], t.thread(id)
		t.relist(was, is)
		h := t.editHeader()
		h.fold(was, -1)
		h.fold(is, +1)
	}
	clear(t.old)
}

func sortedThreads(m map[parley.ThreadID]*Thread) []parley.ThreadID {
	ids := make([]parley.ThreadID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// entry is a key in one of the thread lists.
type entry struct {
	tree string
	key  []byte
}

// relist removes and adds the index entries in which two states of a thread differ.
func (t *tx) relist(was, is *Thread) {
	before, after := was.entries(), is.entries()
	same := func(a entry, in []entry) bool {
		return slices.ContainsFunc(in, func(b entry) bool { return a.tree == b.tree && bytes.Equal(a.key, b.key) })
	}
	for _, e := range before {
		if !same(e, after) {
			t.tree(e.tree).Delete(e.key)
		}
	}
	for _, e := range after {
		if !same(e, before) {
			t.tree(e.tree).Insert(e.key)
		}
	}
}

// entries are the lists that a thread stands in: (folder, label or all) × (all or
// unread), one per flag, and one per person.
func (th *Thread) entries() []entry {
	if th == nil || th.Into != "" {
		return nil
	}
	key := append(newest(th.LastAt), rawID(parley.ThreadPrefix, string(th.ID))...)
	var out []entry
	add := func(tree string) { out = append(out, entry{tree, key}) }
	for _, f := range th.Folders {
		add(allThreads(f.Folder))
		if th.unreadIn(f.Folder) {
			add(unreadThreads(f.Folder))
		}
	}
	if th.fresh() {
		add(allThreads(parley.Inbox))
	}
	if th.shown() {
		add(allThreads(""))
		if th.unreadAnywhere() {
			add(unreadThreads(""))
		}
	}
	if th.Flagged > 0 {
		add(flagTree(flagged))
	}
	if th.Muted && th.shown() {
		add(flagTree(muted))
	}
	if len(out) > 0 { // also what is in Spam or Trash alone: those folders can be asked for somebody
		for _, h := range th.People {
			add(personTree(h))
		}
	}
	return out
}

// empty reports a room in which nothing was posted, or nothing is left.
func (th *Thread) empty() bool { return th.Kind == parley.KindRoom && th.Messages == 0 }

// fresh reports a room that has no message yet and must be found.
func (th *Thread) fresh() bool { return th.empty() && !th.Hidden }

// shown reports whether the list of all threads has it.
func (th *Thread) shown() bool {
	return th.fresh() || slices.ContainsFunc(th.Folders, func(f ThreadFolder) bool {
		return f.Folder != parley.Spam && f.Folder != parley.Trash
	})
}

func (th *Thread) folder(f parley.FolderID) ThreadFolder {
	for _, have := range th.Folders {
		if have.Folder == f {
			return have
		}
	}
	return ThreadFolder{}
}

// unreadIn is RFC 8621 section 2's unreadThreads: mail only in Trash is
// ignored elsewhere, and mail outside Trash is ignored there.
func (th *Thread) unreadIn(f parley.FolderID) bool {
	have := th.folder(f)
	if f == parley.Trash {
		return have.Unread > 0
	}
	return have.Total > 0 && th.UnreadShown > 0
}

// unreadAnywhere says whether the list of all threads shows it unread.
func (th *Thread) unreadAnywhere() bool { return th.shown() && th.UnreadShown > 0 }

// badge is what the thread adds to the hot figure.
func (th *Thread) badge() int64 {
	if !th.Muted && th.unreadIn(parley.Inbox) {
		return 1
	}
	return th.Mentions
}

// fold adds or takes away what one thread contributes to the figures.
func (h *Header) fold(th *Thread, sign int64) {
	if th == nil || th.Into != "" {
		return
	}
	if th.Messages > 0 || th.Drafts > 0 || th.fresh() {
		h.Threads += sign
	}
	h.Badge += sign * th.badge()
	if th.unreadIn(parley.Other) {
		h.Other += sign
	}
	for _, f := range th.Folders {
		c := h.folder(f.Folder)
		c.Messages += sign * f.Total
		c.Unread += sign * f.Unread
		c.Threads += sign
		if th.unreadIn(f.Folder) {
			c.UnreadThreads += sign
		}
	}
	h.Folders = slices.DeleteFunc(h.Folders, func(f FolderCounts) bool { return f.Counts == parley.Counts{} })
}

func (h *Header) folder(f parley.FolderID) *FolderCounts {
	i, ok := slices.BinarySearchFunc(h.Folders, f, func(c FolderCounts, f parley.FolderID) int { return compare(c.Folder, f) })
	if !ok {
		h.Folders = slices.Insert(h.Folders, i, FolderCounts{Folder: f})
	}
	return &h.Folders[i]
}

// counts are the figures of a folder; zero when nothing is in it.
func (h *Header) counts(f parley.FolderID) parley.Counts {
	if i, ok := slices.BinarySearchFunc(h.Folders, f, func(c FolderCounts, f parley.FolderID) int { return compare(c.Folder, f) }); ok {
		return h.Folders[i].Counts
	}
	return parley.Counts{}
}

func compare(a, b parley.FolderID) int { return bytes.Compare([]byte(a), []byte(b)) }

// count adds or takes away what one message contributes to its thread.
func (th *Thread) count(m *Message, sign int64) {
	if m.Notice != "" {
		return
	}
	unread := m.unread()
	if m.draft() {
		th.Drafts += sign
	} else {
		th.Messages += sign
	}
	if unread {
		th.Unread += sign
		if m.outside(parley.Trash) {
			th.UnreadShown += sign
		}
		if m.Mentioned && m.outside(parley.Spam, parley.Trash) {
			th.Mentions += sign
		}
	}
	if slices.Contains(m.Keywords, parley.Flagged) && m.outside(parley.Spam, parley.Trash) {
		th.Flagged += sign
	}
	if !m.draft() {
		th.came(m.Channel, sign)
	}
	for _, f := range m.Folders {
		i, ok := slices.BinarySearchFunc(th.Folders, f, func(c ThreadFolder, f parley.FolderID) int { return compare(c.Folder, f) })
		if !ok {
			th.Folders = slices.Insert(th.Folders, i, ThreadFolder{Folder: f})
		}
		th.Folders[i].Total += sign
		if unread {
			th.Folders[i].Unread += sign
		}
	}
	th.Folders = slices.DeleteFunc(th.Folders, func(f ThreadFolder) bool { return f.Total == 0 })
}

// came counts a message of a channel in or out.
func (th *Thread) came(c parley.Channel, sign int64) {
	i, ok := slices.BinarySearchFunc(th.Channels, c, func(h ThreadChannel, c parley.Channel) int { return cmp.Compare(h.Channel, c) })
	if !ok {
		th.Channels = slices.Insert(th.Channels, i, ThreadChannel{Channel: c})
	}
	if th.Channels[i].Total += sign; th.Channels[i].Total == 0 {
		th.Channels = slices.Delete(th.Channels, i, i+1)
	}
}
