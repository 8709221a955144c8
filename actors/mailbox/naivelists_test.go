package mailbox_test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
)

// view is a thread as the edges see it.
func (n *naive) view(th *talk) parley.Thread {
	out, all := th.Thread, n.of(th.ID, false)
	for _, m := range all {
		out.Messages++
		if m.unread() {
			out.Unread++
		}
		out.Folders = set(append(out.Folders, m.Folders...))
	}
	n.showDrafts(&out)
	if notices := n.of(th.ID, true); len(notices) > 0 {
		out.LastAt = notices[len(notices)-1].ReceivedAt
	}
	if len(all) > 0 {
		last := all[len(all)-1]
		out.LastMessage, out.LastAt, out.LastAuthor, out.Excerpt = last.ID, last.ReceivedAt, last.Author, last.Excerpt
	}
	if th.Kind == parley.KindMail && len(all) > 0 {
		out.Subject = all[0].Subject
		out.Authors = n.authors(th.ID)
	}
	return out
}

// authors of a mail thread, in the order in which they were heard.
func (n *naive) authors(id parley.ThreadID) (out []parley.Author) {
	for _, m := range n.messages {
		known := slices.ContainsFunc(out, func(a parley.Author) bool { return a.Address == m.Author.Address && a.Account == m.Author.Account })
		if m.Thread == id && !known && m.Author != (parley.Author{}) && len(out) < 20 {
			out = append(out, m.Author)
		}
	}
	return out
}

// inAll reports whether the list of all threads shows it: what is outside Spam
// and Trash, and rooms in which nothing was posted yet.
func (n *naive) inAll(th *talk) bool {
	for _, m := range n.of(th.ID, false) {
		if m.besides(parley.Spam, parley.Trash) {
			return true
		}
	}
	return n.fresh(th) || len(n.draftsOf(th.ID)) > 0
}

func (n *naive) fresh(th *talk) bool {
	return th.Kind == parley.KindRoom && len(n.of(th.ID, false)) == 0 && !th.hidden
}

func (n *naive) in(th *talk, f parley.FolderID) bool {
	for _, m := range n.of(th.ID, false) {
		if m.in(f) {
			return true
		}
	}
	return f == parley.Drafts && len(n.draftsOf(th.ID)) > 0
}

// unreadIn is RFC 8621 section 2: what is only in Trash is ignored elsewhere, and
// what is outside Trash is ignored there.
func (n *naive) unreadIn(th *talk, f parley.FolderID) bool {
	for _, m := range n.of(th.ID, false) {
		switch {
		case !m.unread():
		case f == parley.Trash && m.in(parley.Trash):
			return true
		case f != parley.Trash && m.besides(parley.Trash) && (n.in(th, f) || f == "" && n.inAll(th)):
			return true
		}
	}
	return false
}

// names reports whether somebody takes part in a thread.
func (n *naive) names(th *talk, who string) bool {
	for _, p := range th.Participants {
		if p.Account != n.owner && (strings.EqualFold(string(p.Account), who) || p.Account == "" && strings.EqualFold(p.Address, who)) {
			return true
		}
	}
	return th.Kind == parley.KindMail && slices.ContainsFunc(n.of(th.ID, false), func(m *note) bool {
		return slices.ContainsFunc(m.people(), func(s string) bool { return strings.EqualFold(s, who) })
	})
}

// list selects and sorts threads, newest first.
func (n *naive) list(q parley.ThreadQuery, people []string) (out []parley.ThreadID) {
	var all []parley.Thread
	for _, th := range n.threads {
		shown := n.in(th, q.Folder) || q.Folder == parley.Inbox && n.fresh(th) || q.Folder == "" && n.inAll(th)
		named := len(people) == 0 || slices.ContainsFunc(people, func(who string) bool { return n.names(th, who) })
		if shown && named && n.filtered(th, q) && (q.Kind == "" || th.Kind == q.Kind) && (q.Unread == nil || *q.Unread == n.unreadIn(th, cmp.Or(q.Folder, q.Label))) {
			all = append(all, n.view(th))
		}
	}
	slices.SortFunc(all, func(a, b parley.Thread) int {
		if c := b.LastAt.Compare(a.LastAt); c != 0 {
			return c
		}
		return strings.Compare(raw(string(a.ID)), raw(string(b.ID)))
	})
	for _, th := range all {
		out = append(out, th.ID)
	}
	return out
}

// filtered holds a thread to the fields of a query that any list may have.
func (n *naive) filtered(th *talk, q parley.ThreadQuery) bool {
	flagged, came := false, q.Channel == ""
	for _, m := range n.of(th.ID, false) {
		flagged = flagged || m.Has(parley.Flagged) && m.besides(parley.Spam, parley.Trash)
		came = came || m.Channel == q.Channel
	}
	return came && (q.Flagged == nil || *q.Flagged == flagged) && (q.Muted == nil || *q.Muted == th.Muted) &&
		(q.Label == "" || n.in(th, q.Label))
}

func (n *naive) bytes() (sum int64) {
	for _, m := range n.messages {
		sum += m.Size
	}
	for _, m := range n.drafts {
		sum += m.Size
	}
	return sum
}

// stats recounts the figures.
func (n *naive) stats(now time.Time) parley.Stats {
	st := parley.Stats{Bytes: n.bytes(), Messages: int64(len(n.drafts)), Revision: n.last}
	for _, m := range n.messages {
		if m.Notice == "" {
			st.Messages++
		}
		if m.own && m.answers {
			st.Replies++
		}
	}
	for _, th := range n.threads {
		all := n.of(th.ID, false)
		if len(all) > 0 || !th.hidden || len(n.draftsOf(th.ID)) > 0 {
			st.Threads++
		}
		if n.unreadIn(th, parley.Other) {
			st.Other++
		}
		st.Badge += n.badge(th, all)
	}
	for _, at := range n.contacts {
		if at > now.Add(-30*24*time.Hour).UnixMicro() {
			st.ActiveContacts++
		}
	}
	return st
}

// badge is one for an unread, unmuted thread in Inbox; in others, each mention.
func (n *naive) badge(th *talk, all []*note) (sum int64) {
	if !th.Muted && n.unreadIn(th, parley.Inbox) {
		return 1
	}
	for _, m := range all {
		if m.mentioned && m.unread() && m.besides(parley.Spam, parley.Trash) {
			sum++
		}
	}
	return sum
}

// counts are RFC 8621's figures of a folder.
func (n *naive) counts(f parley.FolderID) (c parley.Counts) {
	for _, m := range n.messages {
		if m.in(f) {
			c.Messages++
			if m.unread() {
				c.Unread++
			}
		}
	}
	if f == parley.Drafts {
		c.Messages += int64(len(n.drafts))
	}
	for _, th := range n.threads {
		if n.in(th, f) {
			c.Threads++
		}
		if n.unreadIn(th, f) {
			c.UnreadThreads++
		}
	}
	return c
}

// opens reports what a blob opens: an upload, or messages with it.
func (n *naive) opens(id parley.BlobID) (upload bool, with []parley.MessageID) {
	for _, m := range n.messages {
		if slices.ContainsFunc(m.Attachments, func(a parley.Attachment) bool { return a.Blob == id }) {
			with = append(with, m.ID)
		}
	}
	for _, m := range n.drafts {
		if slices.ContainsFunc(m.Attachments, func(a parley.Attachment) bool { return a.Blob == id }) {
			with = append(with, m.ID)
		}
	}
	at, upload := n.uploads[id]
	return upload && n.now.Before(at.Add(parley.UploadLife)), with
}
