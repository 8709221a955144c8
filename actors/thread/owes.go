package thread

import "github.com/parley-im/parley"

// Owes reports whether some copy lacks something, or a room that was split off may
// not be there, counting also what is
// applied but not yet committed: a reminder has to stand for it.
func (s *State) Owes() bool {
	if len(s.unmade) > 0 {
		return true
	}
	for _, p := range s.parts {
		if !p.Gone && s.view(p, s.room.Last).top() > p.came {
			return true
		}
	}
	return false
}

// Altered reports whether pages other than the cursors changed since Clean.
func (s *State) Altered() bool {
	return s.dirty.room || s.dirty.stamps || s.dirty.parts || len(s.keys.dirty) > 0
}

// Receivers lists the accounts that have a copy of the room or should have one.
func (s *State) Receivers() []parley.AccountID {
	var out []parley.AccountID
	for _, p := range s.parts {
		if !p.Gone && p.Account != "" {
			out = append(out, p.Account)
		}
	}
	return out
}
