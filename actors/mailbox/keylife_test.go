package mailbox_test

import (
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// remembered counts the pages of keys, and the entries of the list that forgets them.
func (s *solo) remembered() (pages, listed int) {
	for k := range s.whole.Pages() {
		if k[0] == 'k' {
			pages++
		}
	}
	return pages, indexed(s.whole, "K")
}

func (s *solo) upload(cmd parley.Command) mailbox.Reply {
	return s.ask(mailbox.Upload{Cmd: cmd, ID: fileID("f"), Blob: mailbox.Blob{Digest: digest("f")}})
}

// Expired keys go a few at a time, and all of them.
func TestKeysAreForgotten(t *testing.T) {
	s := newSolo(t)
	for i := range 50 {
		s.upload(key(i))
	}
	s.now = s.now.Add(parley.KeyLife)
	for i := range 20 {
		s.upload(key(100 + i))
		pages, listed := s.remembered()
		if pages != listed || pages > 50 {
			t.Fatalf("%d keys, %d listed", pages, listed)
		}
	}
	if pages, _ := s.remembered(); pages != 20 {
		t.Errorf("%d keys are left, want 20", pages)
	}
	s.store()
	s.settle()
}

// A key that is used again after its time is kept for its new time, although its
// old entry was still waiting to be dropped.
func TestKeyUsedAgain(t *testing.T) {
	s := newSolo(t)
	for i := range 20 {
		s.upload(key(i))
	}
	s.now = s.now.Add(parley.KeyLife)
	again := key(19)
	first := s.upload(again)
	if first.Replayed {
		t.Fatal("an expired key was found")
	}
	for i := range 20 {
		s.upload(key(100 + i))
	}
	if r := s.upload(again); !r.Replayed || r.Revision != first.Revision {
		t.Errorf("got %+v, want the answer of revision %d", r, first.Revision)
	}
	if pages, listed := s.remembered(); pages != listed {
		t.Errorf("%d keys, %d listed", pages, listed)
	}
	s.store()
	s.settle()
}

// A key lives up to its time and not at it.
func TestLastMomentOfKey(t *testing.T) {
	for _, tc := range []struct {
		after time.Duration
		want  bool
	}{{parley.KeyLife - time.Microsecond, true}, {parley.KeyLife, false}} {
		s := newSolo(t)
		s.upload(key(1))
		s.now = s.now.Add(tc.after - time.Second) // which upload adds
		if r := s.upload(key(1)); r.Replayed != tc.want {
			t.Errorf("after %s: got %+v", tc.after, r)
		}
		if pages, listed := s.remembered(); pages != 1 || listed != 1 {
			t.Errorf("after %s: %d keys, %d listed", tc.after, pages, listed)
		}
	}
}

// A command that was first tried too long ago is refused; its key may be forgotten.
func TestFirstAttemptTooOld(t *testing.T) {
	s := newSolo(t)
	for _, tc := range []struct {
		ago  time.Duration
		want parley.Code
	}{{0, parley.Internal}, {parley.KeyLife, parley.Internal}, {parley.KeyLife + 1, parley.Expired}} {
		cmd := key(int(tc.ago))
		cmd.First = s.now.Add(-tc.ago)
		_, err := s.whole.Decide(mailbox.Upload{Cmd: cmd, ID: fileID("f")}, s.now)
		if got := parley.CodeOf(err); got != tc.want || (err == nil) != (tc.want == parley.Internal) {
			t.Errorf("%s ago: %v", tc.ago, err)
		}
	}
}

// The door of mail remembers ten days, or an hour where there is no Message-ID:
// then the same bytes are another message.
func TestKeysOfTheDoor(t *testing.T) {
	for _, tc := range []struct {
		id   string
		wait time.Duration
		want bool
	}{{"a", 9 * 24 * time.Hour, true}, {"", 59 * time.Minute, true}, {"", 61 * time.Minute, false}} {
		s := newSolo(t)
		c := letter{id: tc.id, from: "ana@out", at: s.now}.command()
		s.ask(c)
		s.now = s.now.Add(tc.wait)
		if tc.id == "" { // the id of a mail without one depends on when it came
			c.Message.ID = messageID("later")
			c.Nodes = []mailbox.Hash{mailbox.ReferenceHash(string(c.Message.ID))}
		}
		if r := s.ask(c); r.Replayed != tc.want {
			t.Errorf("%q after %s: got %+v", tc.id, tc.wait, r)
		}
	}
}
