package plays

import (
	"fmt"

	"github.com/parley-im/parley"
)

// nobodys is a message that is nowhere.
func (p *play) nobodys() parley.MessageID {
	var id [parley.IDBytes]byte
	for i := range id {
		id[i] = byte(p.rng.IntN(256))
	}
	return parley.MessageID(parley.FormatID(parley.MessagePrefix, id))
}

// drawMany draws a change of several messages, or of more than one action takes.
func (p *play) drawMany(b *box) many {
	c, n := many{change: p.drawChange(b)}, 1+p.rng.IntN(12)
	long := p.chance(12)
	for _, i := range p.rng.Perm(len(b.notes)) {
		if id := b.notes[i].ID; id != "" && (len(c.ids) < n || long && p.chance(80)) { // a notice is none, either
			c.ids = append(c.ids, id)
		}
	}
	for long && len(c.ids) <= atOnce || !long && (len(c.ids) == 0 || p.chance(10)) {
		c.ids = append(c.ids, p.nobodys())
	}
	if p.chance(30) && b.revision > 0 {
		c.match = b.revision - parley.Revision(p.rng.IntN(min(30, int(b.revision))))
	}
	return c
}

func (p *play) changeMany(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	ch := p.drawMany(b)
	body := ch.body("seen")
	body["ids"] = ch.ids
	rq := request{method: "PATCH", path: "/messages", body: body}
	if p.chance(50) {
		rq.key = p.key()
	}
	if ch.match != 0 {
		rq.match = tag(ch.match)
	}
	a := p.send(c, rq)
	if len(ch.ids) > atOnce {
		p.work(c, ch, a)
		p.again(c, rq, a, nil)
		return
	}
	p.wants(a, 200, done)
	var want tallyShape
	b.owned(true, func() { want = b.patchMany(ch, ch.ids) })
	equal(p, "what a change of many came to", into[tallyShape](p, a), want)
	p.at(b, a)
	p.again(c, rq, a, nil)
}

// work follows a job to its end, or cancels it: where it then stops is told by it.
func (p *play) work(c *client, ch many, a answer) {
	p.wants(a, 202, done)
	b, got := c.owner.box, into[jobShape](p, a)
	want := jobShape{ID: got.ID, Kind: parley.JobChangeMessages, Total: len(ch.ids), CreatedAt: p.house.clock.Now()}
	path := "/jobs/" + string(got.ID)
	cancels, until := p.chance(40), len(ch.ids)
	if cancels {
		a = p.send(c, request{method: "DELETE", path: path})
		p.wants(a, 200, done)
		until = into[jobShape](p, a).Done
	}
	if until > len(ch.ids) || until < len(ch.ids) && until%jobPart != 0 {
		p.fail("a job of %d is at %d", len(ch.ids), until)
	}
	b.work(ch, &want, until)
	a = p.send(c, request{method: "GET", path: fmt.Sprintf("%s?at_least=%d", path, b.revision)})
	p.wants(a, 200, done)
	p.at(b, a)
	if got = into[jobShape](p, a); got.FinishedAt.Before(want.CreatedAt) {
		p.fail("a job that is over ended at %v", got.FinishedAt)
	}
	want.FinishedAt = got.FinishedAt
	equal(p, "a job", got, want)
	b.jobs = append([]jobShape{want}, b.jobs...)
}

// readJobs reads the last jobs, and now and then cancels one that is over, which
// leaves it as it is.
func (p *play) readJobs(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	limit := 1 + p.rng.IntN(5)
	a := p.send(c, request{method: "GET", path: fmt.Sprintf("/jobs?limit=%d", limit)})
	p.wants(a, 200, done)
	got := into[listShape[jobShape]](p, a)
	equal(p, "jobs", append([]jobShape{}, got.Data...), append([]jobShape{}, b.jobs[:min(limit, len(b.jobs))]...))
	if (got.Next != nil) != (len(b.jobs) > limit) {
		p.fail("there are %d jobs, and the page of %d says of more: %v", len(b.jobs), limit, got.Next != nil)
	}
	if len(b.jobs) == 0 {
		return
	}
	j := pick(p, b.jobs)
	rq := request{method: "DELETE", path: "/jobs/" + string(j.ID)}
	keyed, want := p.terms(&rq, j.Revision)
	a = p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	b.owned(keyed, func() {})
	p.at(b, a)
	equal(p, "a job that was over", into[jobShape](p, a), j)
	p.again(c, rq, a, nil)
}

// readAll marks a folder read.
func (p *play) readAll(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	f := pick(p, b.shelves()).ID
	if p.chance(5) {
		f = "fld_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	}
	rq := request{method: "POST", path: "/folders/" + string(f) + "/read", key: p.key()}
	a := p.send(c, rq)
	if b.lacks(f) {
		p.wants(a, 200, refusal{404, "not_found", "folder"})
		return
	}
	p.wants(a, 200, done)
	var want tallyShape
	b.owned(true, func() { want = b.readAll(f) })
	equal(p, "what reading a folder came to", into[tallyShape](p, a), want)
	p.at(b, a)
	p.again(c, rq, a, nil)
}
