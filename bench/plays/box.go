package plays

import (
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/bench/torture"
)

// person has an account and a copy of everything.
type person struct {
	id            parley.AccountID
	name, address string
	clients       []*client
	box           *box
}

// client is one program of a person's.
type client struct {
	name   string
	token  string
	owner  *person
	mirror *mirror
}

// box is a copy: plain lists, from which every figure is counted anew.
type box struct {
	owner    *person
	clock    *torture.Clock
	revision parley.Revision
	notes    []*note // messages and notices, in the order in which they came
	threads  map[parley.ThreadID]*talk
	merged   map[parley.ThreadID]parley.ThreadID
	heard    map[string]parley.ThreadID // where a Message-ID was named last
	doors    map[string]bool            // mail that the door remembers
	contacts map[string]time.Time
	uploads  []file
	attached map[string]bool                  // uploads that a message had; they are there as long as it is
	folders  map[parley.FolderID]*folderShape // own ones, without their counts
	blobs    map[string]parley.BlobID         // by content
	owed     []owed                           // what is on its way, in the order of its coming
	history  []figures                        // after each revision, from 1
	sorted   map[parley.ThreadID][2][]*note   // what of answers, until the thread has others
	cuts     map[[2]parley.ThreadID]bool      // what a split keeps apart
	bygones  map[parley.Revision]*bygone
	was      map[parley.MessageID]spot // before the command that is carried out
	deeds    []deed                    // of it
	jobs     []jobShape                // newest first
	drafts   []*slip
}

// figures are what the stream tells with every action.
type figures struct{ badge, other int64 }

// note is a message, or a notice, and what only the rules look at.
type note struct {
	messageShape
	order          int64 // in its thread
	own, mentioned bool
	before         []parley.FolderID // what restore brings back
	files          []file
	refs           []string // Message-IDs, its own first, then what it answers, the nearest first
	arrivals       int
	raw            string
}

// talk is a thread as far as its messages do not tell it.
type talk struct {
	threadShape
	hidden bool
}

func newBox(owner *person, c *torture.Clock) *box {
	return &box{owner: owner, clock: c, threads: map[parley.ThreadID]*talk{}, merged: map[parley.ThreadID]parley.ThreadID{},
		heard: map[string]parley.ThreadID{}, doors: map[string]bool{}, attached: map[string]bool{}, contacts: map[string]time.Time{}, blobs: map[string]parley.BlobID{}, folders: map[parley.FolderID]*folderShape{},
		sorted: map[parley.ThreadID][2][]*note{}, cuts: map[[2]parley.ThreadID]bool{}, bygones: map[parley.Revision]*bygone{}}
}

// step is the next action.
func (b *box) step() { b.revision++ }

// counted notes the figures of all actions since the last ones: what several
// actions of one command come to in between is not foreseen.
func (b *box) counted() {
	now := figures{b.badge(), b.other()}
	for range int(b.revision) - len(b.history) {
		b.history = append(b.history, figures{-1, -1})
	}
	if len(b.history) > 0 {
		b.history[len(b.history)-1] = now
	}
}

func (b *box) heardFrom(address string) { b.contacts[address] = b.clock.Now() }

func (m *note) in(f parley.FolderID) bool { return slices.Contains(m.Folders, f) }

// besides reports whether the message is in a folder other than these.
func (m *note) besides(these ...parley.FolderID) bool {
	return slices.ContainsFunc(m.Folders, func(f parley.FolderID) bool { return !slices.Contains(these, f) })
}

func (m *note) has(k parley.Keyword) bool { return slices.Contains(m.Keywords, k) }

func (m *note) unread() bool { return m.Kind == "message" && !m.has(parley.Seen) }

// of lists the messages of a thread, oldest first; notices too where asked for.
func (b *box) of(id parley.ThreadID, notices bool) []*note {
	lists, ok := b.sorted[id]
	if !ok {
		lists = [2][]*note{b.sort(id, false), b.sort(id, true)}
		b.sorted[id] = lists
	}
	if notices {
		return lists[1]
	}
	return lists[0]
}

func (b *box) sort(id parley.ThreadID, notices bool) []*note {
	var out []*note
	for _, m := range b.notes {
		if m.Thread == id && (notices || m.Kind == "message") {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b *note) int {
		if a.order != b.order {
			return int(a.order - b.order)
		}
		return compareIDs(string(a.ID), string(b.ID))
	})
	return out
}

// compareIDs orders as the bytes that ids stand for: letters come before digits.
func compareIDs(a, b string) int {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '2' && r <= '7' {
				return r - '2' + '~' + 1
			}
			return r
		}, s)
	}
	return strings.Compare(plain(a), plain(b))
}

func (b *box) find(id parley.MessageID) *note {
	for _, m := range b.notes {
		if m.ID == id && m.Kind == "message" {
			return m
		}
	}
	return nil
}

// thread follows merges.
func (b *box) thread(id parley.ThreadID) *talk {
	for b.merged[id] != "" {
		id = b.merged[id]
	}
	return b.threads[id]
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
