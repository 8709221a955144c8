package thread

import (
	"sort"

	"github.com/parley-im/parley"
)

// stamp notes a post that was stamped history=all as part of a run.
func (s *State) stamp(e Event) {
	run := &s.room.Stamped
	switch {
	case !e.HistoryAll:
	case run.To != 0 && run.To+1 == e.Seq:
		run.To = e.Seq
	default:
		if run.To != 0 {
			s.stamps = append(s.stamps, *run)
			s.dirty.stamps = true
		}
		*run = Span{e.Seq, e.Seq}
	}
}

// Runs are numbered with the newest, which is kept apart, as the last one.
func (s *State) run(i int) Span {
	if i < len(s.stamps) {
		return s.stamps[i]
	}
	return s.room.Stamped
}

func (s *State) runs() int {
	if s.room.Stamped.To == 0 {
		return 0
	}
	return len(s.stamps) + 1
}

// stampedBelow is the highest stamped post below seq, or 0.
func (s *State) stampedBelow(seq parley.Seq) parley.Seq {
	n := sort.Search(s.runs(), func(i int) bool { return s.run(i).From >= seq })
	if n == 0 {
		return 0
	}
	return min(s.run(n-1).To, seq-1)
}

// stampedAbove is the lowest stamped post above seq, or 0.
func (s *State) stampedAbove(seq parley.Seq) parley.Seq {
	n := sort.Search(s.runs(), func(i int) bool { return s.run(i).To > seq })
	if n == s.runs() {
		return 0
	}
	return max(s.run(n).From, seq+1)
}

// view is what one participant sees as of the event h.
type view struct {
	s     *State
	stays []Span // those begun by h
	h     parley.Seq
}

func (s *State) view(p *part, h parley.Seq) view {
	n := sort.Search(len(p.stays), func(i int) bool { return p.stays[i].From > h })
	return view{s: s, stays: p.stays[:n], h: h}
}

// granted is the bound below which stamped posts are shown: the last entry.
func (v view) granted() parley.Seq {
	if len(v.stays) == 0 {
		return 0
	}
	return v.stays[len(v.stays)-1].From
}

// kept reports whether a stamped post was granted before a split took it away, if
// one did: whoever came in until then has it, or has it still to come.
func (v view) kept(seq parley.Seq) bool {
	at, gone := v.s.moved[seq]
	if !gone {
		return true
	}
	n := sort.Search(len(v.stays), func(i int) bool { return v.stays[i].From > seq })
	return n < len(v.stays) && v.stays[n].From < at
}

func (v view) end(i int) parley.Seq {
	if to := v.stays[i].To; to != 0 && to < v.h {
		return to
	}
	return v.h
}

// below is the highest sequence seen below seq, or 0.
func (v view) below(seq parley.Seq) parley.Seq {
	var stay parley.Seq
	if n := sort.Search(len(v.stays), func(i int) bool { return v.stays[i].From >= seq }); n > 0 {
		stay = min(v.end(n-1), seq-1)
	}
	for c := v.s.stampedBelow(min(seq, v.granted())); c > stay; c = v.s.stampedBelow(c) {
		if v.kept(c) {
			return c
		}
	}
	return stay
}

// above is the lowest sequence seen above seq, or 0.
func (v view) above(seq parley.Seq) parley.Seq {
	next := v.s.stampedAbove(seq)
	for next != 0 && next < v.granted() && !v.kept(next) {
		next = v.s.stampedAbove(next)
	}
	if next >= v.granted() {
		next = 0
	}
	n := sort.Search(len(v.stays), func(i int) bool { return v.end(i) > seq })
	if n == len(v.stays) {
		return next
	}
	stay := max(v.stays[n].From, seq+1)
	if next == 0 || stay < next {
		return stay
	}
	return next
}

func (v view) sees(seq parley.Seq) bool { return seq > 0 && v.below(seq+1) == seq }

// top is the highest sequence seen, or 0.
func (v view) top() parley.Seq {
	if len(v.stays) == 0 {
		return 0
	}
	return v.end(len(v.stays) - 1)
}

// Visible reports whether an account may see an event of the room.
func (s *State) Visible(acc parley.AccountID, seq parley.Seq) bool {
	p := s.byAccount[acc]
	return p != nil && seq <= s.horizon() && s.view(p, s.horizon()).sees(seq)
}

// Next is the lowest event above after that an account may see; 0 when there
// is none. The events between need not be read.
func (s *State) Next(acc parley.AccountID, after parley.Seq) parley.Seq {
	p := s.byAccount[acc]
	if p == nil || after >= s.horizon() {
		return 0
	}
	return s.view(p, s.horizon()).above(after)
}
