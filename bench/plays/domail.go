package plays

import (
	"fmt"
	"strings"

	"github.com/parley-im/parley"
)

// correspondents write from outside.
var correspondents = []string{"xena@else.where", "yuri@else.where", "zoe@else.where"}

// write lets somebody outside write to one or two people: new, in answer to
// something, or something once more.
func (p *play) write(c *client) {
	for _, who := range p.people {
		p.settle(who)
	}
	l := p.drawLetter(c.owner)
	env := parley.Envelope{From: l.sender, At: p.house.clock.Now()}
	for _, who := range l.to {
		env.To = append(env.To, parley.EnvelopeTo{Address: who.address, Account: who.id})
	}
	p.note("mail from %s: %s refs %v to %d people", l.sender, l.id, l.refs, len(l.to))
	for i, err := range p.house.life.Node.Client().DeliverMail(p.ctx, env, strings.NewReader(l.raw())) {
		if err != nil {
			p.fail("mail to %s: %v", l.to[i].name, err)
		}
	}
	p.did["mail"]++
	for _, who := range l.to {
		p.arrived(who, l)
	}
	p.mail = append(p.mail, l)
}

func (p *play) drawLetter(who *person) letter {
	if len(p.mail) > 0 && p.chance(15) {
		l := pick(p, p.mail)
		if p.chance(50) {
			l.sender = "list" + fmt.Sprint(p.rng.IntN(3)) + "@relay.where" // the same, by another way
		}
		return l
	}
	l := letter{id: fmt.Sprintf("m%d@else.where", len(p.mail)), from: pick(p, correspondents), to: []*person{who}, subject: p.word(), text: p.word()}
	l.sender = l.from
	if other := pick(p, p.people); other != who && p.chance(40) {
		l.to = append(l.to, other)
	}
	for range p.rng.IntN(3) {
		switch {
		case len(p.mail) > 0 && p.chance(80):
			if id := pick(p, p.mail).id; !strings.Contains(strings.Join(l.refs, " "), id) {
				l.refs = append(l.refs, id)
			}
		case p.chance(30): // one that has not come yet, or never does
			l.refs = append(l.refs, fmt.Sprintf("m%d@else.where", len(p.mail)+1+p.rng.IntN(3)))
		}
	}
	return l
}

// arrived finds where the mail was filed. Which of several threads that it ties
// keeps its id is the product's choice, of those with the most messages.
func (p *play) arrived(who *person, l letter) {
	b, c := who.box, who.clients[0]
	if b.doors[l.door()] || b.same(l) != nil {
		b.arrive(l, "", "")
		return
	}
	a := p.send(c, request{method: "GET", path: "/threads?kind=mail&limit=1"})
	p.wants(a, 200, done)
	got := into[listShape[threadShape]](p, a)
	if len(got.Data) == 0 || got.Data[0].Last == nil {
		p.fail("the mail is not in the list: %s", a.body)
	}
	kept := got.Data[0].ID
	p.mayKeep(b, l, kept)
	b.arrive(l, kept, got.Data[0].Last.ID)
	p.at(b, a)
	p.sameThread(b, got.Data[0])
}

func (p *play) mayKeep(b *box, l letter, kept parley.ThreadID) {
	tied, most := b.tied(l), 0
	for _, t := range tied {
		most = max(most, len(b.of(t.ID, false)))
	}
	for _, t := range tied {
		if t.ID == kept && len(b.of(t.ID, false)) == most {
			return
		}
	}
	if len(tied) > 0 {
		p.fail("the mail is in %s, want one of the largest of %d threads", kept, len(tied))
	}
	if b.threads[kept] != nil {
		p.fail("the mail is in %s, want a new thread", kept)
	}
}
