package plays

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-im/parley"
)

// past is a command that was carried out, and may be sent again under its key.
type past struct {
	c     *client
	rq    request
	first answer
	now   func() refusal // what a repeat finds; nil: the same
}

// again remembers a command for a repeat.
func (p *play) again(c *client, rq request, a answer, now func() refusal) {
	if rq.key == "" {
		return
	}
	if now == nil {
		now = func() refusal { return done }
	}
	p.past = append(p.past, past{c, rq, a, now})
}

// repeat sends a command again, from any client of its account: it is not carried
// out twice. Under the same key another request is refused.
func (p *play) repeat(*client) {
	if len(p.past) == 0 {
		return
	}
	o := pick(p, p.past)
	p.settle(o.c.owner)
	c := pick(p, o.c.owner.clients)
	if body, ok := o.rq.body.(object); ok && p.chance(30) {
		other := object{}
		for k, v := range body {
			other[k] = v
		}
		if p.differ(other); strings.HasPrefix(o.rq.path, "/drafts") {
			other["text"] = p.word()
			delete(other, "flagged")
		}
		rq := o.rq
		rq.body = other
		p.wants(p.send(c, rq), o.first.status, keyMismatch)
		return
	}
	a := p.send(c, o.rq)
	want := o.now()
	if p.wants(a, o.first.status, want); want != done {
		return
	}
	if !a.replayed {
		p.fail("the answer of a repeat does not say so")
	}
	b := o.c.owner.box
	if a.revision != 0 && (a.revision > b.revision || a.revision < o.first.revision) {
		p.fail("a repeat is answered at revision %d; the first was at %d, the copy is at %d", a.revision, o.first.revision, b.revision)
	}
	p.sameNames(b, o.first, a)
}

// differ makes another body of one.
func (p *play) differ(body object) {
	for _, name := range []string{"text", "subject", "name"} {
		if _, ok := body[name]; ok {
			body[name] = p.word()
			return
		}
	}
	if v, ok := body["role"]; ok {
		if body["role"] = parley.RoleModerator; v == parley.RoleModerator {
			body["role"] = parley.RoleMember
		}
		return
	}
	for _, name := range []string{"read", "seen", "flagged", "archived", "muted", "open"} {
		if v, ok := body[name].(bool); ok {
			body[name] = !v
			return
		}
	}
	switch {
	case body["revision"] != nil:
		body["revision"] = body["revision"].(parley.Revision) + 1
	case body["from"] != nil:
		body["from"] = p.nobodys()
	case body["messages"] != nil:
		body["messages"] = []parley.MessageID{p.nobodys()}
	case body["thread"] != nil:
		body["thread"] = parley.ThreadPrefix + string(p.nobodys()[len(parley.MessagePrefix):])
	case body["to"] != nil:
		body["subject"] = p.word()
	default:
		body["flagged"] = true
	}
}

// sameNames wants the ids of the first answer in the second; a mail thread that was
// merged since has the id of the one that it is now in.
func (p *play) sameNames(b *box, first, second answer) {
	var one, two struct {
		ID, Blob        string
		Undone, Skipped int
		tallyShape
	}
	if len(first.body) == 0 {
		return
	}
	if err := json.Unmarshal(first.body, &one); err != nil {
		p.fail("%v in %s", err, first.body)
	}
	if err := json.Unmarshal(second.body, &two); err != nil {
		p.fail("%v in %s", err, second.body)
	}
	if t := b.thread(parley.ThreadID(one.ID)); t != nil {
		one.ID = string(t.ID)
	}
	if one != two {
		p.fail("a repeat names %v, the first answer %v", two, one)
	}
}

func tag(r parley.Revision) string { return fmt.Sprintf("%q", fmt.Sprint(r)) }
