package plays

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// tallyShape is what a command on many messages came to.
type tallyShape struct {
	Changed int `json:"changed"`
	Missing int `json:"missing"`
	Stale   int `json:"stale"`
}

// jobShape is a command that runs in parts.
type jobShape struct {
	ID         parley.JobID    `json:"id"`
	Kind       parley.JobKind  `json:"kind"`
	State      parley.JobState `json:"state"`
	Done       int             `json:"done"`
	Total      int             `json:"total"`
	Result     tallyShape      `json:"result"`
	CreatedAt  time.Time       `json:"created_at"`
	FinishedAt time.Time       `json:"finished_at,omitzero"`
	Revision   parley.Revision `json:"revision"`
}

const (
	atOnce  = 500 // messages; more are a job
	jobPart = 100 // of them, in one part: how many is the product's choice
)

// many is PATCH /messages: those that are there, and were not changed since a
// revision.
type many struct {
	ids   []parley.MessageID
	match parley.Revision
	change
}

// patchMany is one action on some of the messages.
func (b *box) patchMany(c many, ids []parley.MessageID) (t tallyShape) {
	var touched []*note
	for _, id := range ids {
		switch m := b.find(id); {
		case m == nil:
			t.Missing++
		case c.match != 0 && m.Revision > c.match:
			t.Stale++
		case m.patch(c.change):
			touched = append(touched, m)
		}
	}
	t.Changed = len(touched)
	b.stamp(touched)
	return t
}

// work is a job up to its end, or until so many messages were done and it was
// canceled: it begins with an action, and each part is one or two.
func (b *box) work(c many, j *jobShape, until int) {
	b.owned(true, func() {
		b.step()
		for ids := range slices.Chunk(c.ids[:until], jobPart) {
			got := b.patchMany(c, ids)
			j.Result.Changed += got.Changed
			j.Result.Missing += got.Missing
			j.Result.Stale += got.Stale
			b.step()
		}
		j.Done, j.State = until, parley.JobDone
		if until < len(c.ids) {
			j.State = parley.JobCanceled
			b.step()
		}
		j.Revision = b.revision
	})
	if b.bygones[b.revision] == nil { // also one that changed nothing
		b.bygones[b.revision] = &bygone{}
	}
}

// readAll marks all that is unread in a folder read.
func (b *box) readAll(f parley.FolderID) (t tallyShape) {
	var touched []*note
	seen := true
	for _, m := range b.notes {
		if m.in(f) && m.unread() && m.patch(change{seen: &seen}) {
			touched = append(touched, m)
		}
	}
	b.stamp(touched)
	return tallyShape{Changed: len(touched)}
}
