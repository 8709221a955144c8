package mailbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// TestStories plays the scripts of testdata.
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		s := &story{T: t, twins: newTwins(t), now: begin, rooms: map[string]*room{}, names: map[string]string{}, ids: map[string]string{}, letters: map[string]letter{}}
		datadriven.RunTest(t, path, s.run)
		s.twins.settle()
	})
}

// story is a mailbox, its clock, and the names that a script gives to things:
// rooms by name, their events as room/3, mails by Message-ID, the thread of mail
// a as (a).
type story struct {
	*testing.T
	twins   *twins
	now     time.Time
	rooms   map[string]*room
	letters map[string]letter
	names   map[string]string // by id
	ids     map[string]string // by name, the last that has it
}

func (s *story) run(t *testing.T, d *datadriven.TestData) string {
	s.T, s.twins.t = t, t
	switch d.Cmd {
	case "wait":
		by, err := time.ParseDuration(d.CmdArgs[0].Key)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		s.now = s.now.Add(by)
		return ""
	case "room", "post", "move", "rename":
		return s.happen(d)
	}
	if q, ok := s.query(d); ok {
		return q
	}
	return s.do(s.command(d))
}

// happen is something in a room; bring tells the copy of it.
func (s *story) happen(d *datadriven.TestData) string {
	s.now = s.now.Add(time.Second)
	name := d.CmdArgs[0].Key
	if d.Cmd == "room" {
		s.rooms[name] = newRoom(name, s.now, list(d, "with")...)
		s.call(string(s.rooms[name].id), name)
		return ""
	}
	r, by := s.rooms[name], arg(d, "by", "me")
	switch d.Cmd {
	case "post":
		r.post(by, d.Input, s.now, list(d, "files"), list(d, "mention"), d.HasArg("answers"))
	case "rename":
		r.happen(thread.Event{Type: thread.Changed, Actor: author(by), Subject: new(d.Input)}, s.now)
	case "move":
		how := map[string]thread.Type{"joined": thread.Joined, "added": thread.Added, "left": thread.Left, "removed": thread.Removed}[arg(d, "how", "")]
		who := person(arg(d, "who", by))
		if how == thread.Left || how == thread.Removed {
			who.State = parley.StateLeft
		}
		r.move(how, by, who, s.now)
	}
	return ""
}

// do carries out a command and tells its answer and the events of the stream.
func (s *story) do(cmd any) string {
	seen := len(s.twins.log)
	rep, err := s.twins.do(cmd, s.now)
	if err != nil {
		public, _ := parley.PublicOf(err)
		return "refused: " + public + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "= %d", rep.Revision)
	if rep.Last > 0 {
		fmt.Fprintf(&b, " up to %d", rep.Last)
	}
	if c, ok := cmd.(mailbox.DeliverMail); ok && !rep.Filed {
		fmt.Fprintf(&b, " same as %s", s.name(rep.Messages[0]))
	} else if ok {
		s.call(string(c.Message.ID), c.Message.MessageID)
		if s.names[string(rep.Thread)] == "" {
			s.call(string(rep.Thread), "("+c.Message.MessageID+")")
		}
		fmt.Fprintf(&b, " in %s", s.name(rep.Thread))
	}
	if u, ok := cmd.(mailbox.Undo); ok {
		fmt.Fprintf(&b, " of %d: %d undone, %d skipped", u.Revision, rep.Undone.Undone, rep.Undone.Skipped)
	}
	if rep.Replayed {
		b.WriteString(" replayed")
	}
	b.WriteString("\n")
	for _, raw := range s.twins.log[seen:] {
		a := s.twins.decoded(raw)
		b.WriteString(s.events(&a))
	}
	return b.String()
}

func (s *story) events(a *mailbox.Action) string {
	var b strings.Builder
	for i, e := range a.Events() {
		if e.Revision != a.N || e.Index != i || !e.At.Equal(a.At) {
			s.Fatalf("event %d of action %d is %+v", i, a.N, e)
		}
		fmt.Fprintf(&b, "  %d.%d %s", e.Revision, e.Index, e.Type)
		for _, id := range []string{string(e.Thread), string(e.Message), string(e.Folder)} {
			if id != "" {
				fmt.Fprintf(&b, " %s", s.name(id))
			}
		}
		for _, p := range e.Parts {
			fmt.Fprintf(&b, " %s", s.person(p))
		}
		if e.Type == parley.CountsChanged {
			fmt.Fprintf(&b, " badge=%d other=%d", e.Badge, e.Other)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (s *story) person(id parley.PartID) string {
	for _, r := range s.rooms {
		for _, p := range r.parts {
			if p.ID == id {
				return p.Name
			}
		}
	}
	return string(id)
}

// name is how the script speaks of an id.
func (s *story) name(of any) string {
	id := fmt.Sprint(of)
	for _, r := range s.rooms {
		for _, d := range r.seen {
			if d.Message == parley.MessageID(id) || messageID("notice", r.id, d.Seq) == parley.MessageID(id) {
				return fmt.Sprintf("%s/%d", s.names[string(r.id)], d.Seq)
			}
		}
	}
	if n := s.names[string(id)]; n != "" {
		return n
	}
	return string(id)
}
