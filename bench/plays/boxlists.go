package plays

import (
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
)

// query selects threads as GET /threads does.
type query struct {
	folder parley.FolderID
	unread *bool
	kind   parley.Kind
	with   *person
	from   string // an outside address
}

// view is a thread as its owner sees it.
func (b *box) view(t *talk) threadShape {
	out := t.threadShape
	out.Folders, out.Labels = []parley.FolderID{}, []parley.FolderID{}
	var all []parley.FolderID
	out.Participants, out.Linked = slices.Clone(out.Participants), append([]parley.ThreadID{}, out.Linked...)
	for _, m := range b.of(t.ID, false) {
		out.Messages++
		if m.unread() {
			out.Unread++
		}
		all = set(append(all, m.Folders...))
		out.Last, out.Excerpt = &lastShape{m.ID, m.ReceivedAt, m.Author}, m.Excerpt
	}
	out.Folders, out.Labels = append(out.Folders, without(all, labels(all)...)...), append(out.Labels, labels(all)...)
	if len(b.slips(t.ID)) > 0 {
		out.Folders = set(append(out.Folders, parley.Drafts))
	}
	if b.unsent(t) {
		b.showDrafts(t, &out)
	} else if t.Kind == parley.KindMail {
		out.Subject = b.of(t.ID, false)[0].Subject
		out.Authors = b.authors(t.ID)
	}
	slices.SortFunc(out.Participants, func(a, b seatShape) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return out
}

// authors of a mail thread, in the order in which they were heard.
func (b *box) authors(id parley.ThreadID) (out []authorShape) {
	for _, m := range b.notes {
		if m.Thread == id && !slices.Contains(out, m.Author) && len(out) < 20 {
			out = append(out, m.Author)
		}
	}
	return out
}

// lastAt orders threads: by the last message, or, without one, by what happened last.
func (b *box) lastAt(t *talk) (at time.Time) {
	if all := b.of(t.ID, true); len(all) > 0 {
		at = all[len(all)-1].ReceivedAt
	}
	if all := b.slips(t.ID); len(all) > 0 && b.unsent(t) {
		at = all[0].UpdatedAt
	}
	if all := b.of(t.ID, false); len(all) > 0 {
		at = all[len(all)-1].ReceivedAt
	}
	return at
}

// fresh is a room in which nothing was posted yet; it must be found.
func (b *box) fresh(t *talk) bool {
	return t.Kind == parley.KindRoom && len(b.of(t.ID, false)) == 0 && !t.hidden
}

func (b *box) holds(t *talk, f parley.FolderID) bool {
	return f == parley.Drafts && len(b.slips(t.ID)) > 0 || slices.ContainsFunc(b.of(t.ID, false), func(m *note) bool { return m.in(f) })
}

// listed reports whether a folder's list shows the thread; without a folder, all
// but what is in Spam and Trash alone.
func (b *box) listed(t *talk, f parley.FolderID) bool {
	switch {
	case f == "":
		return b.fresh(t) || len(b.slips(t.ID)) > 0 || slices.ContainsFunc(b.of(t.ID, false), func(m *note) bool { return m.besides(parley.Spam, parley.Trash) })
	case f == parley.Inbox && b.fresh(t):
		return true
	}
	return b.holds(t, f)
}

// unreadIn is RFC 8621 section 2: what is in Trash alone is ignored elsewhere, and
// what is outside Trash is ignored there.
func (b *box) unreadIn(t *talk, f parley.FolderID) bool {
	return slices.ContainsFunc(b.of(t.ID, false), func(m *note) bool {
		switch {
		case !m.unread():
			return false
		case f == parley.Trash:
			return m.in(parley.Trash)
		}
		return m.besides(parley.Trash) && (f != "" && b.holds(t, f) || f == "" && b.listed(t, ""))
	})
}

// names reports whether somebody takes part in a thread, or is named in its mail.
func (b *box) names(t *talk, q query) bool {
	if q.with != nil && slices.ContainsFunc(t.Participants, func(s seatShape) bool { return s.Account == q.with.id }) {
		return true
	}
	return t.Kind == parley.KindMail && slices.ContainsFunc(b.of(t.ID, false), func(m *note) bool {
		return q.with != nil && strings.Contains(m.raw, "<"+q.with.address+">") || q.from != "" && m.Author.Address == q.from
	})
}

// list is what GET /threads shows, all of it: newest first.
func (b *box) list(q query) (out []*talk) {
	for _, t := range b.threads {
		person := q.with == nil && q.from == "" || b.names(t, q)
		unread := q.unread == nil || *q.unread == b.unreadIn(t, q.folder)
		if person && unread && b.listed(t, q.folder) && (q.kind == "" || q.kind == t.Kind) {
			out = append(out, t)
		}
	}
	at := map[*talk]time.Time{}
	for _, t := range out {
		at[t] = b.lastAt(t)
	}
	slices.SortFunc(out, func(s, t *talk) int {
		if c := at[t].Compare(at[s]); c != 0 {
			return c
		}
		return compareIDs(string(s.ID), string(t.ID))
	})
	return out
}

// badge is one for an unread, unmuted thread in Inbox; in others, each mention
// outside Spam and Trash.
func (b *box) badge() (sum int64) {
	for _, t := range b.threads {
		if !t.Muted && b.unreadIn(t, parley.Inbox) {
			sum++
			continue
		}
		for _, m := range b.of(t.ID, false) {
			if m.mentioned && m.unread() && m.besides(parley.Spam, parley.Trash) {
				sum++
			}
		}
	}
	return sum
}

func (b *box) other() (sum int64) {
	for _, t := range b.threads {
		if b.unreadIn(t, parley.Other) {
			sum++
		}
	}
	return sum
}

// stats are the figures of GET /mailbox.
func (b *box) stats() mailboxShape {
	out := mailboxShape{Badge: b.badge(), Other: b.other(), Revision: b.revision}
	for _, m := range b.notes {
		if out.Bytes += m.Size; m.Kind == "message" {
			out.Messages++
		}
		if m.own && m.ReplyTo != "" {
			out.Replies++
		}
	}
	for _, s := range b.drafts {
		out.Messages++
		out.Bytes += b.shape(s).Size
	}
	for _, t := range b.threads {
		if len(b.of(t.ID, false)) > 0 || !t.hidden || len(b.slips(t.ID)) > 0 {
			out.Threads++
		}
	}
	for _, at := range b.contacts {
		if at.After(b.clock.Now().Add(-30 * 24 * time.Hour)) {
			out.ActiveContacts++
		}
	}
	return out
}

// opens reports whether a file can be opened: an upload that waits for its message,
// or what a message in the copy has.
func (b *box) opens(f file) bool {
	return !b.attached[f.content] || slices.ContainsFunc(b.notes, func(m *note) bool { return slices.Contains(m.files, f) }) ||
		slices.ContainsFunc(b.drafts, func(s *slip) bool { return slices.Contains(s.files, f) })
}

// counts are RFC 8621's figures of a folder.
func (b *box) counts(f parley.FolderID) (c countsShape) {
	for _, m := range b.notes {
		if m.in(f) {
			if c.Messages++; m.unread() {
				c.Unread++
			}
		}
	}
	if f == parley.Drafts {
		c.Messages += len(b.drafts)
	}
	for _, t := range b.threads {
		if b.holds(t, f) {
			c.Threads++
		}
		if b.unreadIn(t, f) && (f == parley.Trash || b.holds(t, f)) {
			c.UnreadThreads++
		}
	}
	return c
}
