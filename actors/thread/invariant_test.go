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
