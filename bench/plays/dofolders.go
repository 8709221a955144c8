package plays

import (
	"github.com/parley-im/parley"
)

// makeFolder makes a folder or a label; names of siblings differ.
func (p *play) makeFolder(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	if len(b.folders) >= 6 {
		return
	}
	f := folderShape{Name: p.word(), Kind: [...]string{"folder", "label"}[p.rng.IntN(2)]}
	want := done
	if same := pick(p, sorted(b.folders)); same != "" && p.chance(15) {
		f.Name, want = b.folders[same].Name, refusal{409, "conflict", "name"}
	}
	body := object{"name": f.Name, "kind": f.Kind}
	if p.chance(30) {
		f.Color = "#cc0000"
		body["color"] = f.Color
	}
	rq := request{method: "POST", path: "/folders", body: body, key: p.key()}
	a := p.send(c, rq)
	if p.wants(a, 201, want); want != done {
		return
	}
	got := into[folderShape](p, a)
	b.step()
	b.counted()
	f.ID, f.Revision = got.ID, b.revision
	equal(p, "a new folder", got, f)
	if b.folders[f.ID] != nil || (len(labels([]parley.FolderID{f.ID})) > 0) != (f.Kind == "label") {
		p.fail("the folder %s is there, or is no %s", f.ID, f.Kind)
	}
	b.folders[f.ID] = &f
	p.at(b, a)
	p.again(c, rq, a, func() refusal {
		if b.folders[f.ID] == nil {
			return gone
		}
		return done
	})
}

// changeFolder renames or recolours; the fixed folders stay as they are.
func (p *play) changeFolder(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	id := pick(p, sorted(b.folders))
	rq := request{method: "PATCH", body: object{"name": p.word()}}
	if id == "" || p.chance(5) {
		rq.path = "/folders/" + string(pick(p, parley.FixedFolders[:]))
		p.wants(p.send(c, rq), 200, forbidden)
		return
	}
	f := b.folders[id]
	rq.path = "/folders/" + string(id)
	keyed, want := p.terms(&rq, f.Revision)
	change := *f
	if p.chance(50) {
		change.Color = [...]string{"", "#00cc00"}[p.rng.IntN(2)]
		rq.body = object{"color": change.Color}
	} else {
		change.Name = rq.body.(object)["name"].(string)
	}
	a := p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	b.owned(keyed, func() {
		if change != *f {
			b.step()
			change.Revision = b.revision
		}
	})
	*f = change
	p.at(b, a)
	change.Counts = b.counts(id)
	equal(p, "a changed folder", into[folderShape](p, a), change)
}

// deleteFolder deletes one; with messages in it only where it is said what becomes
// of those that are nowhere else.
func (p *play) deleteFolder(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	id := pick(p, sorted(b.folders))
	if id == "" {
		return
	}
	leaving := [...]string{"", "", "archive", "trash", "remove"}[p.rng.IntN(5)]
	rq := request{method: "DELETE", path: "/folders/" + string(id), key: p.key()}
	if leaving != "" {
		rq.path += "?messages=" + leaving
	}
	a := p.send(c, rq)
	if !b.deleteFolder(id, leaving) {
		p.wants(a, 204, refusal{409, "conflict", "messages"})
		return
	}
	p.wants(a, 204, done)
	p.at(b, a)
	p.again(c, rq, a, nil)
}
