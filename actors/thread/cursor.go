package thread

import "github.com/parley-im/parley"

// Lag is a participant whose copy is complete up to Last and lacks something after it.
type Lag struct {
	Account parley.AccountID
	Last    parley.Seq
}

// Came takes a cursor over. It may go down: a copy restored from older data
// asks again. Who never took part has no cursor.
func (s *State) Came(c Came) {
	p := s.byAccount[c.Account]
	if p == nil {
		return
	}
	h := s.horizon()
	came := s.view(p, h).below(min(c.Last, h) + 1)
	if came != p.came {
		p.came, s.dirty.cursors = came, true
	}
}

// Lagging lists the participants whose copies lack something that they may see,
// those included who left and have not received all up to their leaving.
func (s *State) Lagging() []Lag {
	var out []Lag
	for _, p := range s.parts {
		if s.lags(p) {
			out = append(out, Lag{p.Account, p.came})
		}
	}
	return out
}

// Wants tells how far an account's copy has come and whether it lacks something.
func (s *State) Wants(acc parley.AccountID) (last parley.Seq, lagging bool) {
	p := s.byAccount[acc]
	if p == nil {
		return 0, false
	}
	return p.came, s.lags(p)
}

func (s *State) lags(p *part) bool {
	return !p.Gone && s.view(p, s.horizon()).top() > p.came
}

// cursors writes the cursors as one mark and the exceptions from it: who is not
// listed has all that they may see up to the mark.
func (s *State) cursors() *CursorsPage {
	page := &CursorsPage{Low: s.mark()}
	for _, p := range s.parts {
		if !p.Gone && s.view(p, s.room.Last).below(page.Low+1) != p.came {
			page.Laggers = append(page.Laggers, Lag{p.Account, p.came})
		}
	}
	return page
}

// mark is the cursor that most of those who are in share, the highest of
// several, so that the list of exceptions stays short while a post fans out.
func (s *State) mark() parley.Seq {
	count := make(map[parley.Seq]int)
	best, most := s.room.Last, 0
	for _, p := range s.parts {
		if !p.isIn() {
			continue
		}
		count[p.came]++
		if n := count[p.came]; n > most || n == most && p.came > best {
			best, most = p.came, n
		}
	}
	return best
}

func (s *State) loadCursors(page *CursorsPage) {
	for _, p := range s.parts {
		p.came = s.view(p, s.room.Last).below(page.Low + 1)
	}
	for _, l := range page.Laggers {
		if p := s.byAccount[l.Account]; p != nil {
			p.came = l.Last
		}
	}
}
