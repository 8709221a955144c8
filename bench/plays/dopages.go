package plays

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// place is where a page began or ended: the key of its first or last item. It is
// valid across inserts, and whatever became of that item.
type place struct {
	at time.Time
	id string
}

// order is the place of a thread in every list: newest first.
func (s place) order(t place) int {
	if c := t.at.Compare(s.at); c != 0 {
		return c
	}
	return compareIDs(s.id, t.id)
}

// readThreads walks a list of threads a few pages on, forward or back, while other
// things may happen between.
func (p *play) readThreads(c *client) {
	b := c.owner.box
	q, params := p.drawQuery(c)
	limit := 1 + p.rng.IntN(6)
	params.Set("limit", fmt.Sprint(limit))
	back := p.chance(40)
	var cursor string
	var from *place
	for range 1 + p.rng.IntN(4) {
		params.Del("after")
		params.Del("before")
		switch {
		case back && cursor == "":
			params.Set("before", "end")
		case back:
			params.Set("before", cursor)
		case cursor != "":
			params.Set("after", cursor)
		}
		a := p.reading(c, "/threads?"+params.Encode())
		p.wants(a, 200, done)
		got := into[listShape[threadShape]](p, a)
		all := b.list(q)
		want, before, after := window(all, limit, back, func(t *talk) bool {
			return from == nil || !back && b.place(t).order(*from) > 0 || back && b.place(t).order(*from) < 0
		})
		if len(got.Data) != len(want) {
			p.fail("%d threads of %s, want %d: %s", len(got.Data), c.owner.name, len(want), a.body)
		}
		for i, t := range want {
			if got.Data[i].ID != t.ID {
				p.fail("thread %d of the page is %s, want %s: %s", i, got.Data[i].ID, t.ID, a.body)
			}
			p.sameThread(b, got.Data[i])
		}
		p.ends(got.Next, got.Prev, before, after, back, q.filters())
		next := got.Next
		if back {
			next = got.Prev
		}
		if next == nil || len(want) == 0 {
			return
		}
		cursor = *next
		edge := b.place(want[len(want)-1])
		if back {
			edge = b.place(want[0])
		}
		from = &edge
		if p.chance(30) {
			p.post(pick(p, pick(p, p.people).clients)) // something comes in between
		}
	}
}

func (b *box) place(t *talk) place { return place{b.lastAt(t), string(t.ID)} }

// readNumbered opens a page by its number, of a list that is kept; another has none.
func (p *play) readNumbered(c *client) {
	b := c.owner.box
	q, params := p.drawQuery(c)
	n, limit := 1+p.rng.IntN(4), 1+p.rng.IntN(6)
	params.Set("limit", fmt.Sprint(limit))
	params.Set("page", fmt.Sprint(n))
	kept := q.kind == "" && q.with == nil && q.from == "" && (q.unread == nil || *q.unread)
	if !kept {
		p.wants(p.send(c, request{method: "GET", path: "/threads?" + params.Encode()}), 200, bad("page"))
		return
	}
	a := p.reading(c, "/threads?"+params.Encode())
	p.wants(a, 200, done)
	got, all := into[listShape[threadShape]](p, a), b.list(q)
	first := min((n-1)*limit, len(all))
	want := all[first:min(first+limit, len(all))]
	if got.Total == nil || *got.Total != len(all) || len(got.Data) != len(want) {
		p.fail("page %d has %d threads, want %d of %d: %s", n, len(got.Data), len(want), len(all), a.body)
	}
	for i, t := range want {
		if got.Data[i].ID != t.ID {
			p.fail("thread %d of page %d is %s, want %s", i, n, got.Data[i].ID, t.ID)
		}
		p.sameThread(b, got.Data[i])
	}
}

// window is what a page shows of a list: from its beginning or, going back, up to
// its end, of the items that lie beyond the cursor.
func window[T any](all []T, limit int, back bool, beyond func(T) bool) (page []T, before, after bool) {
	first := slices.IndexFunc(all, beyond)
	if first < 0 {
		return nil, false, false // an empty page leads nowhere
	}
	last := first
	for last < len(all) && beyond(all[last]) {
		last++
	}
	if back {
		first = max(first, last-limit)
	} else {
		last = min(last, first+limit)
	}
	return all[first:last], first > 0, last < len(all)
}

// ends holds next and prev to whether there is more. In the direction that was
// asked for that is exact. On the other side of a list that is filtered a cursor
// may be there that leads to nothing: what is there is looked for when it is used.
func (p *play) ends(next, prev *string, before, after, back, filtered bool) {
	ahead, behind := next != nil, prev != nil
	wantAhead, wantBehind := after, before
	if back {
		ahead, behind, wantAhead, wantBehind = behind, ahead, wantBehind, wantAhead
	}
	if ahead != wantAhead || behind != wantBehind && !(filtered && behind) {
		p.fail("on from the page: %v, want %v; back from it: %v, want %v", ahead, wantAhead, behind, wantBehind)
	}
}

// filters says whether the list is one that is looked through, and not kept.
func (q query) filters() bool {
	return len(labels([]parley.FolderID{q.folder})) > 0 || q.kind != "" || q.with != nil || q.from != "" || q.unread != nil && !*q.unread
}

func (p *play) drawQuery(c *client) (q query, params url.Values) {
	params = url.Values{}
	if p.chance(50) {
		q.folder = parley.FixedFolders[p.rng.IntN(len(parley.FixedFolders))]
		if own := pick(p, sorted(c.owner.box.folders)); own != "" && p.chance(40) {
			q.folder = own
		}
		name := "folder"
		if len(labels([]parley.FolderID{q.folder})) > 0 {
			name = "label"
		}
		params.Set(name, string(q.folder))
	}
	if p.chance(35) {
		unread := p.chance(60)
		q.unread = &unread
		params.Set("unread", fmt.Sprint(unread))
	}
	if p.chance(20) {
		q.kind = [...]parley.Kind{parley.KindMail, parley.KindRoom}[p.rng.IntN(2)]
		params.Set("kind", string(q.kind))
	}
	if p.chance(20) {
		if who := pick(p, p.people); who != c.owner {
			q.with = who
			params.Set("participant", [...]string{string(who.id), who.address}[p.rng.IntN(2)])
		} else {
			q.from = pick(p, correspondents)
			params.Set("participant", q.from)
		}
	}
	return q, params
}

// readMessages walks the messages of a thread, or shows those around one.
func (p *play) readMessages(c *client) {
	b := c.owner.box
	t := p.talk(b)
	if t == nil {
		return
	}
	notices, limit := p.chance(40), 1+p.rng.IntN(8)
	params := url.Values{"limit": {fmt.Sprint(limit)}}
	if notices {
		params.Set("notices", "true")
	}
	back := p.chance(50)
	var cursor string
	var from *note
	for range 1 + p.rng.IntN(4) {
		params.Del("after")
		params.Del("before")
		switch {
		case back && cursor == "":
			params.Set("before", "end")
		case back:
			params.Set("before", cursor)
		case cursor != "":
			params.Set("after", cursor)
		}
		a := p.reading(c, "/threads/"+string(t.ID)+"/messages?"+params.Encode())
		p.wants(a, 200, done)
		got := into[listShape[messageShape]](p, a)
		want, before, after := window(b.of(t.ID, notices), limit, back, func(m *note) bool {
			return from == nil || !back && m.after(from) || back && from.after(m)
		})
		if len(got.Data) != len(want) {
			p.fail("%d messages of %s, want %d: %s", len(got.Data), c.owner.name, len(want), a.body)
		}
		for i, m := range want {
			p.sameMessage(b, m, got.Data[i])
		}
		p.ends(got.Next, got.Prev, before, after, back, false)
		next := got.Next
		if back {
			next = got.Prev
		}
		if next == nil || len(want) == 0 {
			return
		}
		if cursor, from = *next, want[len(want)-1]; back {
			from = want[0]
		}
	}
}

func (m *note) after(o *note) bool {
	return m.order > o.order || m.order == o.order && compareIDs(string(m.ID), string(o.ID)) > 0
}
