package plays

import (
	"fmt"
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// closeAccount ends a play: one account is closed. Its tokens end, nobody adds it,
// and each room records that it left, at the room's next event or before: when
// exactly is not foreseen, since the room alone knows how far it believes the closed
// copy to be. That is why nothing is played after it.
func (p *play) closeAccount() {
	gone := p.people[0]
	c := gone.clients[0]
	p.wants(p.send(c, request{method: "DELETE", path: "/accounts/me"}), 204, done)
	p.people = p.people[1:]
	for _, k := range gone.clients {
		p.wants(p.send(k, request{method: "GET", path: "/mailbox"}), 200, refusal{401, "unauthenticated", ""})
	}
	for _, r := range p.rooms {
		if i := slices.IndexFunc(r.seats, func(s *seat) bool { return s.who != gone && s.in() }); i >= 0 {
			p.farewell(r, r.seats[i].who.clients[0], gone)
		}
	}
}

// leaveTime is how long a room may take to tell that an account is gone; it is a
// bound for hangs.
const leaveTime = 30 * time.Second

// farewell is said by somebody who is in, who then sees that the closed one is not.
func (p *play) farewell(r *room, c *client, gone *person) {
	path := "/threads/" + string(r.id)
	a := p.send(c, request{method: "POST", path: path + "/messages", body: object{"text": p.word()}, key: p.key()})
	p.wants(a, 201, done)
	a = p.send(c, request{method: "POST", path: path + "/participants", body: object{"account": gone.id}, key: p.key()})
	p.wants(a, 201, refusal{422, "bad_address", "to"})
	if !r.seat(gone).in() {
		return
	}
	revision := parley.Revision(1)
	for until := time.Now().Add(leaveTime); time.Now().Before(until); {
		a := p.send(c, request{method: "GET", path: fmt.Sprintf("%s?at_least=%d", path, revision)})
		if a.status == 503 { // nothing more has come
			continue
		}
		p.wants(a, 200, done)
		for _, s := range into[threadShape](p, a).Participants {
			if s.Account == gone.id && s.State == parley.StateLeft {
				return
			}
		}
		revision = a.revision + 1
	}
	p.fail("%s is closed, and still in %s for %s", gone.name, r.id, c.owner.name)
}
