package plays

import (
	"encoding/json"
	"strconv"

	"github.com/parley-im/parley"
)

// inner is one request of a batch: what it does is foreseen when its turn comes.
type inner struct {
	rq   request
	want func() refusal // what is said of it, before anything is done
	done func(a answer) // does it in the world, and compares
	now  func() refusal // what a repeat of what was done finds
	ok   int            // the status when it is done
	was  refusal        // what came of it
}

var notRun = refusal{424, "not_run", ""}

// batch runs several requests on the client's own copy in order, and now and then
// all of it again: each is then a repeat.
func (p *play) batch(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	var parts []*inner
	for range 1 + p.rng.IntN(5) {
		if i := p.drawInner(b); i != nil {
			parts = append(parts, i)
		}
	}
	if len(parts) == 0 {
		return
	}
	stops := p.chance(50)
	var requests []object
	for _, i := range parts {
		rq := object{"method": i.rq.method, "path": "/v1" + i.rq.path}
		if i.rq.body != nil {
			rq["body"] = i.rq.body
		}
		if i.rq.match != "" {
			rq["headers"] = object{"If-Match": i.rq.match}
		}
		requests = append(requests, rq)
	}
	rq := request{method: "POST", path: "/batch", body: object{"requests": requests, "stop_on_error": stops}, key: p.key()}
	p.ran(p.answers(c, rq, len(parts)), parts, stops)
	if p.chance(30) {
		p.ranAgain(b, p.answers(c, rq, len(parts)), parts, stops)
	}
}

// answers sends a batch and takes its answers apart.
func (p *play) answers(c *client, rq request, n int) (out []answer) {
	a := p.send(c, rq)
	p.wants(a, 200, done)
	var got struct {
		Answers []struct {
			Status  int
			Headers map[string]string
			Body    json.RawMessage
		}
	}
	if err := json.Unmarshal(a.body, &got); err != nil || len(got.Answers) != n {
		p.fail("%d answers to %d requests, %v: %s", len(got.Answers), n, err, a.body)
	}
	for _, one := range got.Answers {
		a := answer{status: one.Status, body: one.Body, tag: one.Headers["ETag"], replayed: one.Headers["Idempotent-Replayed"] == "true"}
		if v := one.Headers["Parley-Revision"]; v != "" {
			r, err := strconv.ParseUint(v, 10, 63)
			if err != nil {
				p.fail("Parley-Revision %q", v)
			}
			a.revision = parley.Revision(r)
		}
		out = append(out, a)
	}
	return out
}

// ran holds the answers to the world, in order.
func (p *play) ran(as []answer, parts []*inner, stops bool) {
	stopped := false
	for n, i := range parts {
		if i.was = i.want(); stopped {
			i.was = notRun
		}
		if p.wants(as[n], i.ok, i.was); i.was == done {
			i.done(as[n])
		}
		stopped = stopped || stops && i.was != done
	}
}

// ranAgain does so for a repeat: what was done is not done again, and what was
// refused is judged anew, as before.
func (p *play) ranAgain(b *box, as []answer, parts []*inner, stops bool) {
	stopped := false
	for n, i := range parts {
		want := i.was
		switch {
		case stopped:
			want = notRun
		case i.was == done && i.now != nil:
			want = i.now()
		case i.was != done:
			want = i.want()
		}
		if p.wants(as[n], i.ok, want); want == done && as[n].replayed != (i.rq.method != "GET") {
			p.fail("answer %d of a repeated batch is a replay: %v", n, as[n].replayed)
		}
		stopped = stopped || stops && want != done
	}
}

// drawInner draws a request of a batch. Each has a key, which derives from the
// batch's.
func (p *play) drawInner(b *box) *inner {
	m := p.message(b)
	n := p.rng.IntN(5)
	switch {
	case n == 0:
		return &inner{rq: request{method: "GET", path: "/mailbox"}, ok: 200, want: func() refusal { return done }, done: func(a answer) {
			equal(p, "figures in a batch", into[mailboxShape](p, a), b.stats())
		}}
	case n == 1:
		f := pick(p, parley.FixedFolders[:])
		return &inner{rq: request{method: "POST", path: "/folders/" + string(f) + "/read"}, ok: 200, want: func() refusal { return done }, done: func(a answer) {
			var want tallyShape
			b.owned(true, func() { want = b.readAll(f) })
			equal(p, "what reading a folder came to", into[tallyShape](p, a), want)
			p.at(b, a)
		}}
	case m == nil:
		return nil
	}
	rq := request{path: "/messages/" + string(m.ID)}
	p.terms(&rq, m.Revision)
	i := &inner{ok: 200}
	i.want = func() refusal {
		switch m := b.find(m.ID); {
		case m == nil:
			return notFound
		case rq.match != "" && rq.match != tag(m.Revision):
			return stale
		}
		return done
	}
	if n == 2 {
		rq.method, i.ok = "DELETE", 204
		i.done = func(a answer) {
			b.owned(true, func() { b.deleteMessage(b.find(m.ID)) })
			p.at(b, a)
		}
	} else {
		ch := p.drawChange(b)
		rq.method, rq.body = "PATCH", ch.body("seen")
		i.done = func(a answer) {
			m := b.find(m.ID)
			b.owned(true, func() { b.patchMessage(m, ch) })
			p.at(b, a)
			p.sameMessage(b, m, into[messageShape](p, a))
		}
		i.now = func() refusal {
			if b.find(m.ID) == nil {
				return gone
			}
			return done
		}
	}
	i.rq = rq
	return i
}
