package thread

import (
	"slices"

	"github.com/parley-im/parley"
)

// Deliveries turns stored events, ascending, into what one participant may see,
// each with the chain to the one before and, where the participant enters, the
// roster. Nothing visible among the events gives none; Next says where to read on.
//
// The command behind an event is told to the account that gave it and to nobody else.
func (s *State) Deliveries(acc parley.AccountID, events []Event) []Delivery {
	p := s.byAccount[acc]
	if p == nil {
		return nil
	}
	v := s.view(p, s.horizon())
	var out []Delivery
	for _, e := range events {
		if e.Seq > v.h || !v.sees(e.Seq) {
			continue
		}
		out = append(out, s.delivery(v, acc, e))
	}
	if len(out) > 0 && len(s.parts) <= smallRoom {
		for _, q := range s.parts {
			if q.Account != "" && q.Account != acc {
				out[0].Peers = append(out[0].Peers, q.Account)
			}
		}
	}
	return out
}

// smallRoom is up to how many participants a delivery names them all.
const smallRoom = 4

func (s *State) delivery(v view, acc parley.AccountID, e Event) Delivery {
	d := Delivery{Event: e, Prev: v.below(e.Seq)}
	if e.Actor.Account != acc {
		d.Cmd, d.Body = parley.CommandID{}, parley.Digest{}
	}
	if e.Offshoot != nil {
		d.Offshoot = v.offshoot(*e.Offshoot)
	}
	switch {
	case v.enters(e.Seq):
		d.Roster = s.roster(e.Seq)
	case e.Type == Joined || e.Type == Added:
		d.Subject, d.Open, d.History = nil, nil, nil
	}
	return d
}

// offshoot names of the posts that went those that this participant has here. Such
// as came by a split, those can have who were among the first.
func (v view) offshoot(o Offshoot) *Offshoot {
	first := len(v.stays) > 0 && v.stays[0].From == 1
	o.Posts = slices.DeleteFunc(slices.Clone(o.Posts), func(m Moving) bool {
		return m.Seq > 0 && !v.sees(m.Seq) || m.Seq == 0 && !first
	})
	return &o
}

func (v view) enters(seq parley.Seq) bool {
	for i := len(v.stays) - 1; i >= 0 && v.stays[i].From >= seq; i-- {
		if v.stays[i].From == seq {
			return true
		}
	}
	return false
}
