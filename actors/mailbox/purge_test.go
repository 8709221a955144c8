package mailbox_test

import (
	"bytes"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// TestPurgeReachesEverything gives each message words of its own: once it is
// purged, none of them is left in the log or in any page.
func TestPurgeReachesEverything(t *testing.T) {
	s := newSolo(t)
	r := newRoom("boats", s.now, "ana", "me")
	r.post("ana", "taintpost", s.now, []string{"taintfile"}, nil, false)
	r.post("ana", "harmless", s.now, nil, nil, false)
	s.ask(r.bring(0, len(r.seen)))
	l := letter{id: "a", from: "taintfrom@out", to: []string{"taintto@out"}, text: "taintmail", files: []string{"tainted"},
		replies: []string{"taintref"}, at: s.now, envelope: "taintenvelope@out"}
	mail := s.ask(l.command())
	l.envelope = "taintrelay@out"
	s.ask(l.command())
	s.ask(letter{id: "other", replies: []string{"a"}, from: "bo@out", text: "harmless", at: s.now}.command())
	s.store()
	if s.tainted(s.log) == 0 || s.pagesTainted() == 0 {
		t.Fatal("there was nothing to purge")
	}
	for range 2 {
		for _, id := range []parley.MessageID{r.posts[0], mail.Messages[0]} {
			if _, err := s.do(mailbox.DeleteMessage{Message: id}, s.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := s.tainted(s.log); n > 0 {
		t.Errorf("%d actions still have words of what was purged", n)
	}
	if n := s.pagesTainted(); n > 0 {
		t.Errorf("%d pages still have words of what was purged", n)
	}
	s.settle()
}

func (s *solo) tainted(all [][]byte) (n int) {
	for _, raw := range all {
		if bytes.Contains(raw, []byte("taint")) {
			n++
		}
	}
	return n
}

func (s *solo) pagesTainted() (n int) {
	for _, raw := range s.stored {
		if bytes.Contains(raw, []byte("taint")) {
			n++
		}
	}
	return n
}

// Blanking says which actions hold content; no other action is named.
func TestBlankNamesWhatFiled(t *testing.T) {
	s := newSolo(t)
	l := letter{id: "a", from: "ana@out", at: s.now}
	r := s.ask(l.command())
	l.envelope = "relay@out"
	s.ask(l.command())
	s.ask(mailbox.ChangeMessages{Messages: r.Messages, Change: parley.Change{Folders: []parley.FolderID{parley.Trash}}})
	d, err := s.whole.Decide(mailbox.DeleteMessage{Message: r.Messages[0]}, s.now)
	if err != nil || len(d.Blank) != 2 || d.Blank[0] != 1 || d.Blank[1] != 2 {
		t.Errorf("got %v, %v; want the actions 1 and 2", d.Blank, err)
	}
}
