package thread

import (
	"slices"

	"github.com/parley-im/parley"
)

func (w *world) checkDelivery(acc parley.AccountID, d Delivery) {
	seen := w.log.upTo(w.committed).visible(acc)
	i, ok := slices.BinarySearch(seen, d.Seq)
	if !ok {
		w.t.Fatalf("%s was given event %d, may see %v", acc, d.Seq, seen)
	}
	if prev := append([]parley.Seq{0}, seen...)[i]; d.Prev != prev {
		w.t.Fatalf("%s: event %d follows %d, want %d", acc, d.Seq, d.Prev, prev)
	}
	if o := w.log.log[d.Seq-1].Offshoot; o != nil && !slices.Equal(d.Offshoot.Posts, w.log.upTo(w.committed).told(acc, o)) {
		w.t.Fatalf("%s is told of %v, want %v of %v", acc, d.Offshoot.Posts, w.log.told(acc, o), o.Posts)
	}
	var roster []parley.Participant
	if w.log.in(acc, d.Seq) && !w.log.in(acc, d.Seq-1) {
		roster = w.log.present(d.Seq)
	}
	if !slices.Equal(d.Roster, roster) || (d.Roster != nil) && d.Subject == nil {
		w.t.Fatalf("%s: event %d has roster %v, want %v; subject %v", acc, d.Seq, d.Roster, roster, d.Subject)
	}
}

// check holds visibility, receivers and cursors to the model.
func (w *world) check() {
	m := w.log.upTo(w.committed)
	for _, c := range w.copies {
		seen := m.visible(c.acc)
		next := 0
		for n := range w.s.Last() + 2 {
			visible := next < len(seen) && seen[next] == n
			if got := w.s.Visible(c.acc, n); got != visible {
				w.t.Fatalf("%s sees %d: %t, want %v", c.acc, n, got, seen)
			}
			if visible {
				next++
			}
			w.checkNext(c.acc, n, seen[next:])
		}
		w.checkWants(c.acc, seen)
	}
	w.checkModerator()
	w.checkOffshoots()
}

func (w *world) checkNext(acc parley.AccountID, n parley.Seq, later []parley.Seq) {
	var want parley.Seq
	if len(later) > 0 {
		want = later[0]
	}
	if got := w.s.Next(acc, n); got != want {
		w.t.Fatalf("%s: next after %d is %d, want %d", acc, n, got, want)
	}
}

func (w *world) checkWants(acc parley.AccountID, seen []parley.Seq) {
	last, lagging := w.s.Wants(acc)
	if want := len(seen) > 0 && seen[len(seen)-1] > last; lagging != want {
		w.t.Fatalf("%s at %d lags: %t, want %t of %v", acc, last, lagging, want, seen)
	}
	listed := slices.Contains(w.s.Lagging(), Lag{acc, last})
	if listed != lagging {
		w.t.Fatalf("%s at %d is listed: %t, want %t", acc, last, listed, lagging)
	}
}

// checkOffshoots: after doubt every committed split has its room made, of those who
// were in then, by who split it; and until word comes the room owes it.
func (w *world) checkOffshoots() {
	if len(w.s.Unmade()) > 0 && !w.s.Owes() {
		w.t.Fatal("a room is to be made and nothing is owed")
	}
	s := w.load()
	for _, e := range w.log.log[s.Last():] {
		s.Apply(e)
	}
	s.Committed(w.committed)
	s.Doubt()
	list := s.Unmade()
	for _, e := range w.log.upTo(w.committed).log {
		if e.Offshoot == nil {
			continue
		}
		if len(list) == 0 || list[0].Room != e.Offshoot.Room {
			w.t.Fatalf("%v are to be made, want %s next", list, e.Offshoot.Room)
		}
		c := s.Found(list[0])
		var want []parley.Participant
		for _, p := range w.log.present(e.Seq) {
			if p.State == parley.StateIn {
				want = append(want, p)
			}
		}
		got := append([]parley.Participant{c.Maker}, c.Others...)
		same := len(got) == len(want) && !slices.ContainsFunc(want, func(p parley.Participant) bool { return !slices.Contains(got, p) })
		if !same || c.Maker.Account != e.Actor.Account || c.Maker.Role != parley.RoleModerator || c.Open || c.History != parley.HistoryJoined {
			w.t.Fatalf("the split at %d makes %+v, want of %v", e.Seq, c, want)
		}
		list = list[1:]
	}
	if len(list) > 0 {
		w.t.Fatalf("%v are to be made, and nobody split them off", list)
	}
}

// checkModerator: a room with somebody in it has a moderator.
func (w *world) checkModerator() {
	in, moderators := 0, 0
	for _, p := range w.log.roster(w.s.Last()) {
		if p.State == parley.StateIn {
			in++
			if p.Role == parley.RoleModerator {
				moderators++
			}
		}
	}
	if in > 0 && moderators == 0 {
		w.t.Fatalf("%d are in and nobody moderates", in)
	}
}
