package mailbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// solo is a mailbox whole in memory, with its clock.
type solo struct {
	*testing.T
	*twins
	now time.Time
}

func newSolo(t *testing.T) *solo { return &solo{T: t, twins: newTwins(t), now: begin} }

func (s *solo) ask(cmd any) mailbox.Reply {
	s.Helper()
	s.now = s.now.Add(time.Second)
	return s.grow(cmd, s.now)
}

func (s *solo) with(who string) (n int) {
	s.Helper()
	p, err := s.whole.Threads(parley.ThreadQuery{}, []mailbox.Hash{mailbox.PersonHash(who)})
	if err != nil {
		s.Fatal(err)
	}
	return len(p.Items)
}

// A thread is found by the first fifty people in it.
func TestPeopleOfThread(t *testing.T) {
	s := newSolo(t)
	everyone := []string{"me"}
	for i := range 60 {
		everyone = append(everyone, fmt.Sprint("person ", i))
	}
	s.ask(newRoom("crowd", s.now, everyone...).bring(0, 1))
	l := letter{id: "list", from: "ana@out", at: s.now}
	for i := range 60 {
		l.to = append(l.to, fmt.Sprintf("to%d@out", i))
	}
	mail := s.ask(l.command())
	second := s.ask(letter{id: "second", replies: []string{"list"}, from: "bo@out", at: s.now}.command())
	for i := range 60 {
		if got, want := s.with(string(person(everyone[i+1]).Account)), i < 50; got != one(want) {
			t.Errorf("person %d of a room is found in %d threads", i, got)
		}
		if got, want := s.with(l.to[i]), i < 49; got != one(want) { // the author is the first
			t.Errorf("recipient %d is found in %d threads", i, got)
		}
	}
	if s.with("bo@out") != 0 || second.Thread != mail.Thread {
		t.Errorf("the fifty-first is found in %d threads", s.with("bo@out"))
	}
	for range 2 { // what is left is told anew
		s.ask(mailbox.DeleteMessage{Message: mail.Messages[0]})
	}
	if s.with("bo@out") != 1 || s.with(l.to[0]) != 0 {
		t.Errorf("after a purge: %d with who is left, %d with who is gone", s.with("bo@out"), s.with(l.to[0]))
	}
	s.store()
	s.settle()
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// A thread shows twenty authors, and has them in the order in which it heard them.
func TestAuthorsOfThread(t *testing.T) {
	s := newSolo(t)
	var r mailbox.Reply
	for i := range 30 {
		r = s.ask(letter{id: fmt.Sprint(i), references: []string{"root"}, from: fmt.Sprintf("a%d@out", i%25), at: s.now}.command())
	}
	it, err := s.whole.Thread(r.Thread)
	if err != nil || len(it.Thread.Authors) != 20 {
		t.Fatalf("got %d authors, %v", len(it.Thread.Authors), err)
	}
	for i, a := range it.Thread.Authors {
		if want := fmt.Sprintf("a%d@out", i); a.Address != want {
			t.Errorf("author %d is %s, want %s", i, a.Address, want)
		}
	}
}

// Whoever sends the same mail again and again does not make its page grow.
func TestArrivalsOfMessage(t *testing.T) {
	s := newSolo(t)
	l := letter{id: "again", from: "ana@out", at: s.now}
	r := s.ask(l.command())
	weight := 0
	for i := range 60 {
		l.envelope = fmt.Sprintf("relay%d@out", i)
		s.ask(l.command())
		if i == 40 {
			weight = s.whole.Bytes()
		}
	}
	m, err := s.whole.Message(r.Messages[0])
	if err != nil || len(m.Arrivals) != 20 || len(m.Logged) != 19 {
		t.Fatalf("got %d arrivals in %d actions, %v", len(m.Arrivals), len(m.Logged)+1, err)
	}
	if grown := s.whole.Bytes() - weight; grown > 19*600 { // keys of the door
		t.Errorf("nineteen arrivals more took %d bytes", grown)
	}
	for i, raw := range s.log {
		if kept := strings.Contains(string(raw), fmt.Sprintf("relay%d@out", i-1)); kept != (i >= 1 && i < 20) {
			t.Errorf("action %d names its relay: %t", i+1, kept)
		}
	}
}

// A mail that comes late does not make its author's last contact older.
func TestContacts(t *testing.T) {
	s := newSolo(t)
	for i, ago := range []time.Duration{0, 40, 20, 29, 31} {
		l := letter{id: fmt.Sprint(i), from: "ana@out", at: s.now.Add(-ago * 24 * time.Hour)}
		if i > 2 {
			l.from = fmt.Sprint(i, "@out")
		}
		s.ask(l.command())
	}
	for _, tc := range []struct {
		days time.Duration
		want int64
	}{{0, 2}, {2, 1}, {31, 0}} {
		st, err := s.whole.Stats(s.now.Add(tc.days * 24 * time.Hour))
		if err != nil || st.ActiveContacts != tc.want {
			t.Errorf("after %d days: %d, %v, want %d", tc.days, st.ActiveContacts, err, tc.want)
		}
	}
}

// A thousand questions for what is not there do not hold memory for ever.
func TestAbsentPagesAreTrimmed(t *testing.T) {
	s := mailbox.New(me)
	for i := range 1000 {
		_, err := s.Message(messageID(i))
		need, ok := mailbox.IsNeed(err)
		if !ok || len(need.Pages) != 1 {
			t.Fatal(err)
		}
		s.Load(need.Pages[0], nil)
	}
	if s.Bytes() < 1000*50 {
		t.Errorf("a thousand absent pages weigh %d bytes", s.Bytes())
	}
	if s.Trim(10_000, nil); s.Bytes() > 10_000 {
		t.Errorf("%d bytes are left", s.Bytes())
	}
}
