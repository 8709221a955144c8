package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// bygone is a command of the owner's that can be undone by its last revision.
type bygone struct {
	deeds  []deed
	undone bool
}

// deed is one action of it: messages, or one setting of a thread, or messages that
// went to another thread.
type deed struct {
	was, left     map[parley.MessageID]spot
	thread        parley.ThreadID
	hides, to     bool // which setting of the thread, and what it was set to
	split, merged *move
}

// spot is where a message is, and how it is marked.
type spot struct {
	folders, before []parley.FolderID
	keywords        []parley.Keyword
}

func (m *note) spot() spot { return spot{m.Folders, m.before, m.Keywords} }

// owned is a command on the owner's own copy. Under a key it is remembered that it
// had nothing to do, too. What it did can be undone, unless it was for good.
func (b *box) owned(key bool, do func()) {
	before := b.revision
	b.deeds, b.was = nil, map[parley.MessageID]spot{}
	for _, m := range b.notes {
		b.was[m.ID] = m.spot()
	}
	do()
	nothing := b.revision == before
	if nothing && key {
		b.step()
	}
	if b.revision > before && (nothing || len(b.deeds) > 0) {
		b.bygones[b.revision] = &bygone{deeds: b.deeds}
	}
	b.counted()
}

// did notes what became of messages.
func (b *box) did(ms []*note) {
	d := deed{was: map[parley.MessageID]spot{}, left: map[parley.MessageID]spot{}}
	for _, m := range ms {
		d.was[m.ID], d.left[m.ID] = b.was[m.ID], m.spot()
	}
	b.deeds = append(b.deeds, d)
}

// set is a setting of a thread, an action of its own.
func (b *box) set(t *talk, hides, to bool) {
	b.step()
	if t.Revision = b.revision; hides {
		t.hidden = to
	} else {
		t.Muted = to
	}
	b.deeds = append(b.deeds, deed{thread: t.ID, hides: hides, to: to})
}

// undoShape is the answer of POST /undo.
type undoShape struct {
	Undone   int             `json:"undone"`
	Skipped  int             `json:"skipped"`
	Revision parley.Revision `json:"revision"`
}

// undoable says what is said of an undo.
func (b *box) undoable(r parley.Revision) refusal {
	p := b.bygones[r]
	switch {
	case r > b.revision:
		return refusal{404, "not_found", "revision"}
	case p == nil:
		return refusal{409, "not_undoable", "revision"}
	case p.undone:
		return refusal{409, "already_undone", ""}
	}
	return done
}

// undo takes back what a command did, the last first. Its end is remembered, also
// where it came to nothing.
func (b *box) undo(r parley.Revision) (all undoShape) {
	p := b.bygones[r]
	b.owned(true, func() {
		for i, d := range slices.Backward(p.deeds) {
			got := b.takeBack(d)
			all.Undone, all.Skipped = all.Undone+got.Undone, all.Skipped+got.Skipped
			if i == 0 && got.Undone == 0 {
				b.step()
				b.deeds = append(b.deeds, deed{})
			}
		}
	})
	p.undone = all.Undone > 0 || all.Skipped == 0 // what was in the way may be gone later
	all.Revision = b.revision
	return all
}

func (b *box) takeBack(d deed) (got undoShape) {
	switch {
	case d.thread != "":
		return b.unset(d)
	case d.split != nil:
		return b.unsplit(*d.split)
	case d.merged != nil:
		return b.unmerge(*d.merged)
	}
	var touched []*note
	for id, was := range d.was {
		if m := b.find(id); m != nil && b.back(m, was, d.left[id]) {
			touched = append(touched, m)
			got.Undone++
		} else {
			got.Skipped++
		}
	}
	b.stamp(touched)
	return got
}

func (b *box) unset(d deed) undoShape {
	t := b.thread(d.thread)
	switch {
	case t == nil,
		d.hides && (t.hidden != d.to || len(b.of(t.ID, false)) > 0),
		!d.hides && t.Muted != d.to:
		return undoShape{Skipped: 1}
	}
	b.set(t, d.hides, !d.to)
	return undoShape{Undone: 1}
}

// back gives a message what it had, where it still has what it was left with:
// the folders as a whole, and each keyword that was changed. All or nothing.
func (b *box) back(m *note, was, left spot) bool {
	moved := !slices.Equal(was.folders, left.folders)
	if moved && (!slices.Equal(m.Folders, left.folders) || slices.ContainsFunc(was.folders, b.lacks)) {
		return false
	}
	on, off := without(was.keywords, left.keywords...), without(left.keywords, was.keywords...)
	if slices.ContainsFunc(on, m.has) || len(without(off, m.Keywords...)) > 0 {
		return false
	}
	if moved {
		m.Folders, m.before = was.folders, was.before
	}
	m.Keywords = set(append(without(m.Keywords, off...), on...))
	return true
}
