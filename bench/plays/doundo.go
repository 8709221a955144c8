package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// undo takes back one of the last changes, or asks for what is none.
func (p *play) undo(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	r := parley.Revision(1 + p.rng.IntN(int(b.revision)+2))
	var all []parley.Revision
	for at := range b.bygones {
		all = append(all, at)
	}
	if slices.Sort(all); len(all) > 0 && p.chance(85) {
		r = pick(p, all[max(0, len(all)-8):])
	}
	rq := request{method: "POST", path: "/undo", body: object{"revision": r}, key: p.key()}
	want := b.undoable(r)
	a := p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	equal(p, "what an undo came to", into[undoShape](p, a), b.undo(r))
	p.at(b, a)
	p.again(c, rq, a, nil)
}
