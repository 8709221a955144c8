package mailbox_test

import (
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// naive is a mailbox as plain lists. It is written from the rules, with none of
// the product's code; folders, counts and lists are recounted from all messages
// each time that somebody asks.
type naive struct {
	owner    parley.AccountID
	now      time.Time
	last     parley.Revision
	closed   bool
	messages []*note // and notices, in the order in which they were filed
	threads  map[parley.ThreadID]*talk
	merged   map[parley.ThreadID]parley.ThreadID
	heard    map[mailbox.Hash]parley.ThreadID // in which thread a Message-ID was last named
	keys     map[parley.CommandID]answered
	contacts map[mailbox.Hash]int64
	uploads  map[parley.BlobID]time.Time // not yet used by a message, and when they came
	acts     []act                       // of the command that is carried out
	was      map[parley.MessageID]spot
	cuts     map[[2]parley.ThreadID]bool // threads that were split from one another
	past     map[parley.Revision]*past
	drafts   []*slip
	slips    int // how many there were before the command
	folders  map[parley.FolderID]parley.Folder
	errands  []*errand // imports and exports, in line
}

// note is a message or notice, as the edges see it, and what they do not see.
type note struct {
	parley.Message
	order                   int64 // in its thread
	refs                    []mailbox.Hash
	content                 parley.Digest
	own, answers, mentioned bool
	before                  []parley.FolderID // what restore brings back
	arrivals                []parley.Arrival
	signal                  parley.Signal // why it is in its thread
	evidence                string
	filed                   parley.Revision
}

// talk is what a thread has that its messages do not tell.
type talk struct {
	parley.Thread
	hidden bool
}

// answered is a command that is remembered.
type answered struct {
	body    parley.Digest
	expires time.Time
	reply   mailbox.Reply
}

func newNaive(owner parley.AccountID) *naive {
	return &naive{
		owner: owner, threads: map[parley.ThreadID]*talk{}, merged: map[parley.ThreadID]parley.ThreadID{},
		heard: map[mailbox.Hash]parley.ThreadID{}, keys: map[parley.CommandID]answered{},
		contacts: map[mailbox.Hash]int64{}, uploads: map[parley.BlobID]time.Time{},
		past:    map[parley.Revision]*past{},
		folders: map[parley.FolderID]parley.Folder{},
		cuts:    map[[2]parley.ThreadID]bool{},
	}
}

func (m *note) in(f parley.FolderID) bool { return slices.Contains(m.Folders, f) }

// besides reports whether the message is in a folder other than these.
func (m *note) besides(these ...parley.FolderID) bool {
	for _, f := range m.Folders {
		if !slices.Contains(these, f) {
			return true
		}
	}
	return false
}

func (m *note) unread() bool { return !m.Has(parley.Seen) && !m.Has(parley.Draft) }

// move gives the message other folders: none means Archive, and Trash remembers
// where it came from. Labels come beside a folder other than Spam and Trash.
func (m *note) move(to []parley.FolderID) {
	folders := without(set(to), ofLabels(to)...)
	if len(folders) == 0 {
		to = append(slices.Clone(to), parley.Archive)
	} else if len(without(folders, parley.Spam, parley.Trash)) == 0 {
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

// people are everybody whom a mail names.
func (m *note) people() []string {
	out := []string{string(m.Author.Account), m.Author.Address}
	for _, a := range slices.Concat(m.To, m.Cc) {
		out = append(out, a.Addr)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// of lists the messages of a thread, oldest first; notices too where asked for.
func (n *naive) of(id parley.ThreadID, notices bool) []*note {
	var out []*note
	for _, m := range n.messages {
		if m.Thread == id && (notices || m.Notice == "") {
			out = append(out, m)
		}
	}
	if !slices.IsSortedFunc(out, older) {
		slices.SortFunc(out, older)
	}
	return out
}

func older(a, b *note) int {
	if a.order != b.order {
		return int(a.order - b.order)
	}
	return strings.Compare(raw(string(a.ID)), raw(string(b.ID)))
}

func (n *naive) find(id parley.MessageID) *note {
	for _, m := range n.messages {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// thread follows merges.
func (n *naive) thread(id parley.ThreadID) *talk {
	for n.merged[id] != "" {
		id = n.merged[id]
	}
	return n.threads[id]
}

// step is the next action.
func (n *naive) step() parley.Revision {
	n.last++
	return n.last
}

// set sorts and drops what is there twice.
func set[T ~string](list []T) []T {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

func without[T ~string](list []T, these ...T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return slices.Contains(these, v) })
}
