package thread

import (
	"slices"
	"sort"

	"github.com/parley-im/parley"
)

// Part is a participant with everything that ever happened to their standing,
// so that the roster of any past event can be told.
type Part struct {
	ID      parley.PartID
	Account parley.AccountID
	Channel parley.Channel
	Removed bool // by a moderator: may not join by themselves
	Gone    bool // the account no longer exists
	Stands  []Stand
}

// Stand is how a participant stood from the event Seq on.
type Stand struct {
	Seq     parley.Seq
	State   parley.PartState
	Role    parley.Role
	Name    string
	Address string
}

// Span is a run of the sequence, both ends included. To is 0 while it is open.
type Span struct{ From, To parley.Seq }

type part struct {
	Part
	stays []Span     // the intervals of membership, derived from Stands
	came  parley.Seq // cursor: 0, or a sequence that the participant sees
}

// stand takes over how the participant stands after e and reports an entry.
func (p *part) stand(e Event, now parley.Participant) (entered bool) {
	p.Channel = now.Channel
	if now.State == parley.StateLeft {
		p.Removed = p.Removed || e.Type == Removed
		p.Gone = p.Gone || e.Gone
	} else {
		p.Removed, p.Gone = false, false
	}
	return p.push(Stand{Seq: e.Seq, State: now.State, Role: now.Role, Name: now.Name, Address: now.Address})
}

func (p *part) push(st Stand) (entered bool) {
	was := p.isIn()
	p.Stands = append(p.Stands, st)
	switch is := p.isIn(); {
	case is && !was:
		p.stays = append(p.stays, Span{From: st.Seq})
		return true
	case was && !is:
		p.stays[len(p.stays)-1].To = st.Seq
	}
	return false
}

func (p *part) last() Stand {
	if len(p.Stands) == 0 {
		return Stand{}
	}
	return p.Stands[len(p.Stands)-1]
}

func (p *part) state() parley.PartState { return p.last().State }
func (p *part) isIn() bool              { return p.state() == parley.StateIn }
func (p *part) moderates() bool         { return p.isIn() && p.last().Role == parley.RoleModerator }

// entered is the event with which the participant came in the last time.
func (p *part) entered() parley.Seq {
	if len(p.stays) == 0 {
		return 0
	}
	return p.stays[len(p.stays)-1].From
}

func (p *part) now() parley.Participant { return p.as(p.last()) }

func (p *part) as(st Stand) parley.Participant {
	return parley.Participant{
		ID: p.ID, Account: p.Account, Channel: p.Channel,
		Address: st.Address, Name: st.Name, Role: st.Role, State: st.State,
	}
}

// at is the participant as of an event; false when not yet known then.
func (p *part) at(seq parley.Seq) (parley.Participant, bool) {
	n := sort.Search(len(p.Stands), func(i int) bool { return p.Stands[i].Seq > seq })
	if n == 0 {
		return parley.Participant{}, false
	}
	return p.as(p.Stands[n-1]), true
}

func authorOf(p parley.Participant) parley.Author {
	return parley.Author{Account: p.Account, Part: p.ID, Name: p.Name}
}

// roster is who was in or invited as of an event, in the order in which the
// room came to know them.
func (s *State) roster(seq parley.Seq) []parley.Participant {
	out := make([]parley.Participant, 0, s.in+s.invited)
	for _, p := range s.parts {
		if was, ok := p.at(seq); ok && was.State != parley.StateLeft {
			out = append(out, was)
		}
	}
	return out
}

func (p *part) page() Part {
	out := p.Part
	out.Stands = slices.Clone(p.Stands)
	return out
}
