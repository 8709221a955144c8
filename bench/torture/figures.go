package torture

import (
	"slices"
	"strings"

	"github.com/parley-im/parley"
)

// The figures of a mailbox, counted from its messages in the plainest way
// (RFC 8621 section 2).

func unread(m *parley.Message) bool { return !m.Has(parley.Seen) }

func in(m *parley.Message, f parley.FolderID) bool { return slices.Contains(m.Folders, f) }

// elsewhere reports whether the message is in a folder other than these.
func elsewhere(m *parley.Message, these ...parley.FolderID) bool {
	return slices.ContainsFunc(m.Folders, func(f parley.FolderID) bool { return !slices.Contains(these, f) })
}

func (s *shelf) count(is func(*parley.Message) bool) (n int64) {
	for i := range s.messages {
		if is(&s.messages[i]) {
			n++
		}
	}
	return n
}

func (s *shelf) any(is func(*parley.Message) bool) bool { return s.count(is) > 0 }

// lists says whether the thread stands in a folder's list; "" is the list of all.
// A room without messages stands in Inbox unless it was deleted.
func (s *shelf) lists(f parley.FolderID) bool {
	if len(s.messages) == 0 {
		return !s.hidden && (f == parley.Inbox || f == "")
	}
	return s.any(func(m *parley.Message) bool {
		return f == "" && elsewhere(m, parley.Spam, parley.Trash) || f != "" && in(m, f)
	})
}

// unreadIn: what is only in Trash is ignored elsewhere, and what is outside Trash
// is ignored there.
func (s *shelf) unreadIn(f parley.FolderID) bool {
	if !s.lists(f) {
		return false
	}
	return s.any(func(m *parley.Message) bool {
		if f == parley.Trash {
			return unread(m) && in(m, parley.Trash)
		}
		return unread(m) && elsewhere(m, parley.Trash)
	})
}

// tally is everything that one account's figures say.
type tally struct {
	stats   parley.Stats
	folders map[parley.FolderID]parley.Counts
}

func tallyOf(shelves []*shelf, me parley.AccountID, mentioned map[parley.MessageID]bool) tally {
	t := tally{folders: map[parley.FolderID]parley.Counts{}}
	for _, s := range shelves {
		if !s.hidden {
			t.stats.Threads++
		}
		t.messages(s, me)
		t.badges(s, mentioned)
		for _, f := range parley.FixedFolders {
			t.folder(s, f)
		}
	}
	return t
}

func (t *tally) messages(s *shelf, me parley.AccountID) {
	for _, m := range s.messages {
		t.stats.Messages++
		t.stats.Bytes += m.Size
		if m.Author.Account == me && m.ReplyTo != "" {
			t.stats.Replies++
		}
	}
}

func (t *tally) badges(s *shelf, mentioned map[parley.MessageID]bool) {
	if s.unreadIn(parley.Other) {
		t.stats.Other++
	}
	if !s.thread.Muted && s.unreadIn(parley.Inbox) {
		t.stats.Badge++
		return
	}
	t.stats.Badge += s.count(func(m *parley.Message) bool {
		return unread(m) && mentioned[m.ID] && elsewhere(m, parley.Spam, parley.Trash)
	})
}

func (t *tally) folder(s *shelf, f parley.FolderID) {
	n := t.folders[f]
	n.Messages += s.count(func(m *parley.Message) bool { return in(m, f) })
	n.Unread += s.count(func(m *parley.Message) bool { return in(m, f) && unread(m) })
	if s.lists(f) && len(s.messages) > 0 {
		n.Threads++
	}
	if s.unreadIn(f) {
		n.UnreadThreads++
	}
	t.folders[f] = n
}

// summary holds what a thread says of itself to its messages.
func (c *check) summary(who int, s *shelf) {
	t, n := s.thread, len(s.messages)
	var folders []string
	for _, m := range s.messages {
		for _, f := range m.Folders {
			folders = append(folders, string(f))
		}
	}
	slices.Sort(folders)
	want := strings.Join(slices.Compact(folders), " ")
	if t.Messages != int64(n) || t.Unread != s.count(unread) || join(t.Folders) != want {
		c.problem("%s's thread %s says %d messages, %d unread, in %q; it has %d, %d, in %q",
			c.People[who].Name, t.ID, t.Messages, t.Unread, t.Folders, n, s.count(unread), want)
	}
	if n == 0 {
		return
	}
	if last := s.messages[n-1]; t.LastMessage != last.ID || !t.LastAt.Equal(last.ReceivedAt) || t.Excerpt != last.Excerpt {
		c.problem("%s's thread %s ends with %s %q, its last message is %s %q", c.People[who].Name, t.ID, t.LastMessage, t.Excerpt, last.ID, last.Excerpt)
	}
}
