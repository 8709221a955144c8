package thread

import (
	"slices"

	"github.com/parley-im/parley"
)

// model is the truth by brute force: the log, and visibility worked out from it
// event by event with nothing of State.
type model struct{ log []Event }

func (m model) upTo(n parley.Seq) model { return model{m.log[:n]} }

// roster folds the participants as of an event.
func (m model) roster(n parley.Seq) (out []parley.Participant) {
	for _, e := range m.log[:n] {
		for _, p := range e.Parts {
			i := slices.IndexFunc(out, func(q parley.Participant) bool { return q.Account == p.Account })
			if i < 0 {
				out = append(out, p)
			} else {
				out[i] = p
			}
		}
	}
	return out
}

func (m model) state(acc parley.AccountID, n parley.Seq) parley.PartState {
	for _, p := range m.roster(n) {
		if p.Account == acc {
			return p.State
		}
	}
	return ""
}

func (m model) in(acc parley.AccountID, n parley.Seq) bool {
	return m.state(acc, n) == parley.StateIn
}

// present is who is in or invited as of an event.
func (m model) present(n parley.Seq) []parley.Participant {
	return slices.DeleteFunc(m.roster(n), func(p parley.Participant) bool { return p.State == parley.StateLeft })
}

// visible lists what an account may see: the events that it receives as they
// happen, and stamped posts from before one of its entries, if that was before a
// split took them away.
func (m model) visible(acc parley.AccountID) (out []parley.Seq) {
	var was []bool
	for n := range len(m.log) + 1 {
		was = append(was, m.in(acc, parley.Seq(n)))
	}
	enters := func(after, before int) bool {
		for n := after + 1; n < before; n++ {
			if was[n] && !was[n-1] {
				return true
			}
		}
		return false
	}
	for n := 1; n < len(was); n++ {
		if was[n] || was[n-1] || m.log[n-1].HistoryAll && enters(n, m.movedAt(parley.Seq(n))) {
			out = append(out, parley.Seq(n))
		}
	}
	return out
}

// movedAt is the first split that took a post away, or what comes after the log.
func (m model) movedAt(n parley.Seq) int {
	for i, e := range m.log {
		if e.Offshoot != nil && slices.ContainsFunc(e.Offshoot.Posts, func(p Moving) bool { return p.Seq == n }) {
			return i + 1
		}
	}
	return len(m.log) + 1
}

// told are of a split's posts those that an account sees here, or, where they came
// by a split themselves, may have by being one of the first.
func (m model) told(acc parley.AccountID, o *Offshoot) (out []Moving) {
	seen := m.visible(acc)
	for _, p := range o.Posts {
		if slices.Contains(seen, p.Seq) || p.Seq == 0 && m.in(acc, 1) {
			out = append(out, p)
		}
	}
	return out
}

// copyOf is one account's copy: it takes what continues its chain and refuses the rest.
type copyOf struct {
	acc  parley.AccountID
	got  []Delivery
	last parley.Seq
}

func (c *copyOf) take(d Delivery) (ok bool) {
	if d.Prev > c.last || d.Seq <= c.last {
		return false
	}
	c.got, c.last = append(c.got, d), d.Seq
	return true
}

// restore puts the copy back to what it was after n deliveries.
func (c *copyOf) restore(n int) {
	c.got, c.last = c.got[:n], 0
	if n > 0 {
		c.last = c.got[n-1].Seq
	}
}

func (c *copyOf) seqs() (out []parley.Seq) {
	for _, d := range c.got {
		out = append(out, d.Seq)
	}
	return out
}
