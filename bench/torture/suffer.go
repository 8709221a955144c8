package torture

import (
	"slices"

	"github.com/parley-im/parley"
)

// suffered draws the consequences of a command for the player's own copy.
func (y *player) suffered(o *Op) {
	if o.Outcome == Done {
		y.revision = max(y.revision, o.Revision)
	}
	switch o.Kind {
	case Read:
		y.saw(o)
	case Change:
		for _, id := range o.Messages {
			y.turn(id, o, func(f fate) []fate { return f.changed(o.Change) })
		}
	case Delete:
		y.turn(o.Messages[0], o, fate.deleted)
	case DeleteThread:
		y.turnAll(o, fate.deletedWithThread)
	case Restore:
		y.turnAll(o, fate.restored)
	case ChangeThread:
		switch {
		case o.Thread.Muted != nil:
			y.mute(o)
		case o.Thread.Archived != nil:
			y.turnAll(o, func(f fate) []fate { return f.archived(*o.Thread.Archived) })
		default:
			y.turnAll(o, func(f fate) []fate { return f.changed(o.Thread.Change) })
		}
	}
}

// certain is the outcome as far as this moment goes: of a command that took
// several attempts it is not known which one did it.
func (o *Op) certain() Outcome {
	if o.Outcome == Done && o.Attempts > 1 {
		return Unknown
	}
	return o.Outcome
}

func (y *player) turn(id parley.MessageID, o *Op, change func(fate) []fate) {
	s := y.stands[id]
	if o.Outcome == Refused && !s.fates.mayBeGone() && !y.p.Stale {
		y.p.H.wrong("%v of %s about %s was refused: %v", o, y.p.People[y.who].Name, id, o.Refusal)
	}
	s.fates = s.fates.after(o.certain(), change)
	y.stands[id] = s
	if s.fates.mayBeGone() {
		y.known = slices.DeleteFunc(y.known, func(m parley.Message) bool { return m.ID == id })
	}
}

// turnAll applies a command to a thread. A mail thread may have been merged since
// it was read, so that others may suffer too; and in any thread those that the
// player has not read.
func (y *player) turnAll(o *Op, change func(fate) []fate) {
	if o.Outcome == Refused {
		y.refused(o)
		return
	}
	y.touched[o.Room] = true
	for id, s := range y.stands {
		switch {
		case s.thread == o.Room:
			y.turn(id, o, change)
		case s.mail && y.mail[o.Room]:
			y.turn(id, &Op{Outcome: Unknown}, change)
		}
	}
}

// refused is a command about a thread that is not there: then nothing is left in it.
func (y *player) refused(o *Op) {
	for id, s := range y.stands {
		if s.thread == o.Room && !s.fates.mayBeGone() && !y.p.Stale {
			y.p.H.wrong("%v of %s was refused although %s is there: %v", o, y.p.People[y.who].Name, id, o.Refusal)
		}
	}
}

func (y *player) mute(o *Op) {
	may := y.mutes(o.Room)
	if o.certain() == Done {
		may = map[bool]bool{}
	}
	if o.Outcome != Refused {
		may[*o.Thread.Muted] = true
	}
	y.muted[o.Room] = may
}

func (y *player) mutes(room parley.ThreadID) map[bool]bool {
	if y.muted[room] == nil {
		return map[bool]bool{false: true}
	}
	return y.muted[room]
}
