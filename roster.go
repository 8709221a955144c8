package parley

import "errors"

// RosterChange is what an author did not know of a room's participants: the
// difference that comes with ParticipantsChanged.
type RosterChange struct {
	Version Seq           // the event that last changed the participants
	Added   []Participant // who came in since, as the author may see them
}

// RosterOf finds the difference that an error brings; nil when there is none.
func RosterOf(err error) *RosterChange {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Roster
	}
	return nil
}
