package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// change is what PATCH says of messages; nil leaves.
type change struct {
	seen, flagged        *bool
	folders, add, remove []parley.FolderID
	archived, muted      *bool
}

// body is the change as JSON. Of a message it is "seen", of a thread "read".
func (c change) body(seen string) map[string]any {
	out := map[string]any{}
	for name, v := range map[string]*bool{seen: c.seen, "flagged": c.flagged, "archived": c.archived, "muted": c.muted} {
		if v != nil {
			out[name] = *v
		}
	}
	for name, v := range map[string][]parley.FolderID{
		"folders": c.folders, "add_folders": without(c.add, labels(c.add)...), "remove_folders": without(c.remove, labels(c.remove)...),
		"add_labels": labels(c.add), "remove_labels": labels(c.remove),
	} {
		if len(v) > 0 {
			out[name] = v
		}
	}
	return out
}

// move gives a message other folders: none means Archive, and Trash remembers
// where it came from. Labels come beside a folder other than Spam and Trash.
func (m *note) move(to []parley.FolderID) {
	folders := without(to, labels(to)...)
	switch {
	case len(folders) == 0:
		to = append(slices.Clone(to), parley.Archive)
	case len(without(folders, parley.Spam, parley.Trash)) == 0:
		to = folders
	}
	to = set(to)
	switch {
	case !slices.Contains(to, parley.Trash):
		m.before = nil
	case !m.in(parley.Trash):
		m.before = m.Folders
	}
	m.Folders = to
}

// patch reports whether it made a difference.
func (m *note) patch(c change) bool {
	folders, keywords := m.Folders, m.Keywords
	for k, on := range map[parley.Keyword]*bool{parley.Seen: c.seen, parley.Flagged: c.flagged} {
		switch {
		case on == nil:
		case *on:
			m.Keywords = set(append(slices.Clone(m.Keywords), k))
		default:
			m.Keywords = without(m.Keywords, k)
		}
	}
	to := m.Folders
	if c.folders != nil {
		to = append(labels(to), c.folders...)
	}
	m.move(append(without(to, c.remove...), c.add...))
	return !slices.Equal(folders, m.Folders) || !slices.Equal(keywords, m.Keywords)
}

// stamp is the action that touched these messages and their threads.
func (b *box) stamp(ms []*note) {
	if len(ms) == 0 {
		return
	}
	b.step()
	b.did(ms)
	for _, m := range ms {
		m.Revision = b.revision
		b.threads[m.Thread].Revision = b.revision
	}
}

func (b *box) patchMessage(m *note, c change) {
	if m.patch(c) {
		b.stamp([]*note{m})
	}
}

// patchThread archives what is in Inbox, and takes back what is in Archive;
// everything else is done to every message. Each of these is an action.
func (b *box) patchThread(t *talk, c change) {
	if c.muted != nil && *c.muted != t.Muted {
		b.set(t, false, *c.muted)
	}
	var plain, moved []*note
	for _, m := range b.of(t.ID, false) {
		d, to := c, &plain
		switch {
		case c.archived == nil:
		case *c.archived && m.in(parley.Inbox):
			d.remove, to = append(slices.Clone(c.remove), parley.Inbox), &moved
		case !*c.archived && m.in(parley.Archive):
			d.remove, d.add, to = append(slices.Clone(c.remove), parley.Archive), append(slices.Clone(c.add), parley.Inbox), &moved
		}
		if m.patch(d) {
			*to = append(*to, m)
		}
	}
	b.stamp(plain)
	b.stamp(moved)
}

// deleteMessage moves to Trash; again from there it purges.
func (b *box) deleteMessage(m *note) {
	if !m.besides(parley.Trash) {
		b.purge([]*note{m})
		return
	}
	m.move([]parley.FolderID{parley.Trash})
	b.stamp([]*note{m})
}

// deleteThread moves all to Trash; when all is there and nowhere else it purges. A
// room without messages leaves the lists, and drafts alone are discarded.
func (b *box) deleteThread(t *talk) {
	all := b.of(t.ID, false)
	var touched []*note
	for _, m := range all {
		if m.besides(parley.Trash) {
			m.move([]parley.FolderID{parley.Trash})
			touched = append(touched, m)
		}
	}
	switch {
	case len(all) == 0 && t.Kind == parley.KindMail:
		for _, s := range b.slips(t.ID) {
			b.discard(s)
		}
	case len(all) == 0 && !t.hidden:
		b.set(t, true, true)
	case len(all) > 0 && len(touched) == 0:
		b.purge(all)
	}
	b.stamp(touched)
}

// restore brings the folders back, and an emptied room into the lists.
func (b *box) restore(t *talk) {
	all := b.of(t.ID, false)
	if len(all) == 0 && t.hidden {
		b.set(t, true, false)
	}
	var touched []*note
	for _, m := range all {
		if m.in(parley.Trash) {
			m.move(slices.DeleteFunc(slices.Clone(m.before), func(f parley.FolderID) bool { return b.lacks(f) }))
			touched = append(touched, m)
		}
	}
	b.stamp(touched)
}

// purge forgets for good. A mail thread goes with its last message; a room stays,
// out of the lists until something comes.
func (b *box) purge(ms []*note) {
	b.step()
	for _, m := range ms {
		b.notes = slices.DeleteFunc(b.notes, func(have *note) bool { return have == m })
		delete(b.sorted, m.Thread)
		t := b.threads[m.Thread]
		t.Revision = b.revision
		switch {
		case len(b.of(t.ID, false)) > 0:
		case t.Kind == parley.KindRoom:
			t.hidden = true
		case len(b.slips(t.ID)) > 0:
		default:
			delete(b.threads, t.ID)
		}
	}
}
