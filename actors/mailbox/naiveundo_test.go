package mailbox_test

import (
	"maps"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// past is a command of the owner's that can be undone.
type past struct {
	at     time.Time
	acts   []act
	undone time.Time // zero: it is not
	job    bool      // it is a job, or takes one back
}

// act is one revision: messages, or one setting of a thread.
type act struct {
	was, left map[parley.MessageID]spot
	thread    parley.ThreadID
	setting   string
	to        bool

	split, merged *move
}

// move is messages that went from a thread to another, which was made for them, or
// swallowed the one that they came from.
type move struct {
	from, into           parley.ThreadID
	ids                  []parley.MessageID
	fromMuted, intoMuted bool
}

// spot is where a message is, and how it is marked.
type spot struct {
	folders, before []parley.FolderID
	keywords        []parley.Keyword
}

func (m *note) spot() spot { return spot{m.Folders, m.before, m.Keywords} }

// watch notes how everything is before a command.
func (n *naive) watch() parley.Revision {
	n.acts, n.was, n.slips = nil, map[parley.MessageID]spot{}, len(n.drafts)
	for _, m := range n.messages {
		n.was[m.ID] = m.spot()
	}
	return n.last
}

// did notes what became of messages.
func (n *naive) did(ms []*note) {
	a := act{was: map[parley.MessageID]spot{}, left: map[parley.MessageID]spot{}}
	for _, m := range ms {
		a.was[m.ID], a.left[m.ID] = n.was[m.ID], m.spot()
	}
	n.acts = append(n.acts, a)
}

// note keeps what a command of the owner's did. What it purged does not come back.
func (n *naive) note(cmd any, before parley.Revision, r mailbox.Reply, err error) {
	switch c := cmd.(type) {
	case mailbox.ChangeFolder: // only one that changes nothing, under a key, is a change of messages
		if n.folders[c.ID].Revision == n.last {
			return
		}
	case mailbox.ChangeMessages, mailbox.ChangeMany, mailbox.ReadFolder, mailbox.ChangeThread, mailbox.DeleteMessage, mailbox.Undo,
		mailbox.SplitThread, mailbox.MergeThreads:
	default:
		return
	}
	purged := slices.ContainsFunc(slices.Collect(maps.Keys(n.was)), func(id parley.MessageID) bool { return n.find(id) == nil })
	if err == nil && !r.Replayed && n.last > before && !purged && n.slips == len(n.drafts) {
		n.past[n.last] = &past{at: n.now, acts: n.acts}
	}
}

func (n *naive) undo(c mailbox.Undo) (mailbox.Reply, error) {
	p := n.past[c.Revision]
	switch {
	case c.Revision == 0 || c.Revision > n.last:
		return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
	case p == nil:
		return mailbox.Reply{}, parley.E(parley.NotUndoable, "", "")
	case !p.undone.IsZero() && p.undone.Add(parley.UndoLife).After(n.now):
		return mailbox.Reply{}, parley.E(parley.AlreadyUndone, "", "")
	case n.now.Sub(p.at) > parley.UndoLife:
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	}
	var all mailbox.Undone
	for i, a := range slices.Backward(p.acts) {
		got := n.undoAct(a)
		all.Undone, all.Skipped = all.Undone+got.Undone, all.Skipped+got.Skipped
		if i == 0 && got.Undone == 0 && !c.Cmd.ID.IsZero() {
			n.step() // the end is remembered
		}
	}
	if all.Undone > 0 || all.Skipped == 0 && !c.Cmd.ID.IsZero() { // nothing in the way, and nothing to do
		p.undone = n.now
	}
	return mailbox.Reply{Undone: all}, nil
}

func (n *naive) undoAct(a act) (got mailbox.Undone) {
	switch {
	case a.setting != "":
		return n.turnBack(a)
	case a.split != nil:
		return n.unsplit(*a.split)
	case a.merged != nil:
		return n.unmerge(*a.merged)
	}
	var touched []*note
	for id, was := range a.was {
		if m := n.find(id); m != nil && n.stillThere(was, a.left[id]) && m.takeBack(was, a.left[id]) {
			touched = append(touched, m)
			got.Undone++
		} else {
			got.Skipped++
		}
	}
	n.stamp(touched)
	return got
}

func (n *naive) turnBack(a act) mailbox.Undone {
	th := n.thread(a.thread)
	if th == nil {
		return mailbox.Undone{Skipped: 1}
	}
	setting, may := &th.Muted, true
	if a.setting == "hidden" {
		setting, may = &th.hidden, len(n.of(th.ID, false)) == 0
	}
	if !may || *setting != a.to {
		return mailbox.Undone{Skipped: 1}
	}
	*setting, th.Revision = !a.to, n.step()
	n.acts = append(n.acts, act{thread: th.ID, setting: a.setting, to: !a.to})
	return mailbox.Undone{Undone: 1}
}

// stillThere reports whether the folders to go back to are there.
func (n *naive) stillThere(was, left spot) bool {
	return slices.Equal(was.folders, left.folders) || n.all(was.folders)
}

// takeBack gives a message what it had, where it has what it was left with.
func (m *note) takeBack(was, left spot) bool {
	moved := !slices.Equal(was.folders, left.folders)
	if moved && !slices.Equal(m.Folders, left.folders) {
		return false
	}
	on, off := without(was.keywords, left.keywords...), without(left.keywords, was.keywords...)
	for _, k := range on {
		if m.Has(k) {
			return false
		}
	}
	for _, k := range off {
		if !m.Has(k) {
			return false
		}
	}
	if moved {
		m.Folders, m.before = was.folders, was.before
	}
	m.Keywords = set(append(without(m.Keywords, off...), on...))
	return true
}
