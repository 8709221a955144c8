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

// saw holds what a read shows to what it may show, and learns from it.
func (y *player) saw(o *Op) {
	if y.p.Stale || o.Outcome == Unknown {
		return
	}
	shown := map[parley.MessageID]bool{}
	for i := range o.Saw {
		m := &o.Saw[i]
		shown[m.ID] = true
		y.met(o, m)
	}
	for id, s := range y.stands {
		if shown[id] || s.thread != o.Room && s.thread != o.SawAs.ID {
			continue
		}
		if !s.fates.mayBeGone() {
			y.p.H.wrong("%v of %s does not show %s, which was there before", o, y.p.People[y.who].Name, id)
		}
		s.fates = fates{{gone: true}: true}
		y.stands[id] = s
	}
	if o.Outcome == Done {
		y.learnt(o)
	}
}

// met is one message in a read.
func (y *player) met(o *Op, m *parley.Message) {
	if err := y.stood(m); err != nil {
		y.p.H.wrong("%v of %s: %s %v", o, y.p.People[y.who].Name, m.ID, err)
	}
}

// stood holds a message to how it may stand, and remembers how it does.
func (y *player) stood(m *parley.Message) error {
	s, known := y.stands[m.ID]
	if !known {
		s = stand{mail: m.Channel == parley.ChannelMail, subject: m.Subject}
		s.fates = y.arrived(m, s.mail)
	}
	narrowed, err := s.fates.narrow(m)
	if err != nil {
		narrowed = only(m)
	}
	s.fates, s.thread = narrowed, m.Thread
	y.stands[m.ID] = s
	return err
}

// arrived is how a message may stand that the player meets for the first time.
func (y *player) arrived(m *parley.Message, mail bool) fates {
	if mail && y.touchedMail() || y.touched[m.Thread] {
		return only(m)
	}
	return fresh(!mail && m.Author.Account == y.p.People[y.who].Account)
}

func (y *player) learnt(o *Op) {
	y.known = slices.DeleteFunc(y.known, func(m parley.Message) bool { return m.Thread == o.Room || m.Thread == o.SawAs.ID })
	y.known = append(y.known, o.Saw...)
	for _, p := range o.SawAs.Participants {
		if !slices.Contains(y.parts, p.ID) {
			y.parts = append(y.parts, p.ID)
		}
	}
	if o.SawAs.Kind == parley.KindMail {
		y.mail[o.Room], y.mail[o.SawAs.ID] = true, true
		return
	}
	if may := y.mutes(o.Room); !may[o.SawAs.Muted] {
		y.p.H.wrong("%v of %s: muted is %v", o, y.p.People[y.who].Name, o.SawAs.Muted)
	}
	y.muted[o.Room] = map[bool]bool{o.SawAs.Muted: true}
	if o.SawAs.Seq < y.seqs[o.Room] {
		y.p.H.wrong("%v of %s: at event %d, was at %d", o, y.p.People[y.who].Name, o.SawAs.Seq, y.seqs[o.Room])
	}
	y.seqs[o.Room] = o.SawAs.Seq
}

// mayLack says whether the player may have deleted a message for good.
func (y *player) mayLack(room parley.ThreadID, id parley.MessageID) bool {
	if s, known := y.stands[id]; known {
		return s.fates.mayBeGone()
	}
	return y.touched[room]
}

// touchedMail says whether a command was about a whole mail thread.
func (y *player) touchedMail() bool {
	for id := range y.touched {
		if y.mail[id] {
			return true
		}
	}
	return false
}
