package thread

import "github.com/parley-im/parley"

// Ask reads the room for one account. Who is in gets the room and who is in or
// invited; who is invited, left or was removed gets their own standing alone.
func (s *State) Ask(q Ask) (Answer, error) {
	p := s.byAccount[q.Who]
	if p == nil {
		return Answer{}, parley.E(parley.NotFound, "thread.ask", "There is no such thread.")
	}
	if !p.isIn() {
		return Answer{Seq: p.last().Seq, Part: p.now(), Participants: []parley.Participant{p.now()}}, nil
	}
	a := s.settings()
	a.Seq, a.At, a.Part = s.room.Last, s.room.LastAt, p.now()
	a.Participants = s.roster(s.room.Last)
	return a, nil
}
