package torture

import (
	"slices"

	"github.com/parley-im/parley"
)

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
