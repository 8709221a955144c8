package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// compare reads all that a copy shows, page by page, and holds it to the world.
func (p *play) compare(who *person) {
	b, c := who.box, who.clients[0]
	for _, f := range append([]parley.FolderID{""}, parley.FixedFolders[:]...) {
		path := "/threads?limit=200"
		if f != "" {
			path += "&folder=" + string(f)
		}
		a := p.send(c, request{method: "GET", path: path})
		p.wants(a, 200, done)
		got, want := into[listShape[threadShape]](p, a).Data, b.list(query{folder: f})
		if len(got) != len(want) {
			p.fail("%d threads of %s in %q, want %d", len(got), who.name, f, len(want))
		}
		for i, t := range want {
			if got[i].ID != t.ID {
				p.fail("thread %d of %s in %q is %s, want %s", i, who.name, f, got[i].ID, t.ID)
			}
			p.sameThread(b, got[i])
		}
	}
	for _, id := range sorted(b.threads) {
		p.compareMessages(who, id)
	}
	p.readMailbox(c)
	p.readFolders(c)
}

func (p *play) compareMessages(who *person, id parley.ThreadID) {
	var got []messageShape
	after := ""
	for {
		a := p.send(who.clients[0], request{method: "GET", path: "/threads/" + string(id) + "/messages?limit=200&notices=true" + after})
		p.wants(a, 200, done)
		page := into[listShape[messageShape]](p, a)
		got = append(got, page.Data...)
		if page.Next == nil {
			break
		}
		after = "&after=" + *page.Next
	}
	want := who.box.of(id, true)
	if len(got) != len(want) {
		p.fail("%d messages and notices of %s in %s, want %d", len(got), who.name, id, len(want))
	}
	for i, m := range want {
		p.sameMessage(who.box, m, got[i])
	}
}

func sorted[K ~string, V any](m map[K]V) []K {
	var out []K
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
