package plays

import (
	"fmt"
	"slices"

	"github.com/parley-im/parley"
)

// changesShape is the answer of GET /changes.
type changesShape struct {
	Since    parley.Revision `json:"since"`
	Revision parley.Revision `json:"revision"`
	More     bool            `json:"more"`
	Threads  touchedShape    `json:"threads"`
	Messages touchedShape    `json:"messages"`
	Drafts   touchedShape    `json:"drafts"`
	Folders  touchedShape    `json:"folders"`
	Counts   *struct {
		Badge int64 `json:"badge"`
		Other int64 `json:"other"`
	} `json:"counts"`
}

type touchedShape struct {
	Changed []string `json:"changed"`
	Removed []string `json:"removed"`
}

// catchUp does what follow does by GET /changes: in place of every event the
// client is told what they came to.
func (p *play) catchUp(c *client) {
	m, b := c.mirror, c.owner.box
	for more := true; more; {
		a := p.send(c, request{method: "GET", path: fmt.Sprintf("/changes?since=%d&limit=%d", m.revision, 1+p.rng.IntN(30))})
		p.wants(a, 200, done)
		got := into[changesShape](p, a)
		if got.Since != m.revision || got.Revision < m.revision || got.Revision != a.revision || got.More != (got.Revision < b.revision) {
			p.fail("changes since %d of a copy at %d: %s", m.revision, b.revision, a.body)
		}
		p.once(got)
		m.last, m.revision, m.ended = fmt.Sprint(got.Revision), got.Revision, true
		if got.Counts != nil {
			m.figures = figures{got.Counts.Badge, got.Counts.Other}
		}
		named := map[string]bool{}
		for _, t := range []touchedShape{got.Threads, got.Messages} {
			for _, id := range slices.Concat(t.Changed, t.Removed) {
				named[id] = true
			}
		}
		for _, id := range slices.Concat(got.Drafts.Changed, got.Drafts.Removed) {
			named[ofDraft+id] = true
		}
		p.fetch(c, named)
		if more = got.More; !more {
			p.gone(c, got)
		}
	}
	p.note("%s: caught up to %s", c.name, m.last)
}

// once holds an answer to naming each id once.
func (p *play) once(c changesShape) {
	for _, t := range []touchedShape{c.Threads, c.Messages, c.Drafts, c.Folders} {
		ids := slices.Sorted(slices.Values(slices.Concat(t.Changed, t.Removed)))
		if len(slices.Compact(ids)) != len(t.Changed)+len(t.Removed) {
			p.fail("an id stands twice: %v", t)
		}
	}
}

// gone holds what is said to be removed, or not, to what the fetch has found.
func (p *play) gone(c *client, got changesShape) {
	for _, id := range got.Threads.Removed {
		if _, there := c.mirror.threads[parley.ThreadID(id)]; there {
			p.fail("%s is told to be removed and is there", id)
		}
	}
	for _, id := range got.Messages.Removed {
		if _, there := c.mirror.messages[parley.MessageID(id)]; there {
			p.fail("%s is told to be removed and is there", id)
		}
	}
	for _, id := range got.Threads.Changed {
		if _, there := c.mirror.threads[parley.ThreadID(id)]; !there {
			p.fail("%s is told to be changed and is not there", id)
		}
	}
}
