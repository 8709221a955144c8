package thread

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

// year is where the tests' clocks start.
var year = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func command(n int, first time.Time) parley.Command {
	c := parley.Command{First: first}
	copy(c.ID[:], fmt.Sprintf("%d", n))
	return c
}

// room makes a room of ana and others and decides n posts, one a step.
func room(tb testing.TB, others, posts int, step time.Duration) (*State, []Event) {
	tb.Helper()
	s := New("thr")
	c := Create{Maker: who("ana"), Subject: "room"}
	for i := range others {
		c.Others = append(c.Others, who(fmt.Sprintf("p%03d", i)))
	}
	log := do(tb, s, c, year)
	for i := range posts {
		at := year.Add(time.Duration(i) * step)
		log = append(log, do(tb, s, Post{Cmd: command(i, at), Author: "ana", Message: "m", Text: "x"}, at)...)
	}
	return s, log
}

func do(tb testing.TB, s *State, cmd any, at time.Time) []Event {
	tb.Helper()
	d, err := s.Decide(cmd, at)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range d.Events {
		s.Apply(e)
	}
	return d.Events
}

// TestKeysForgotten: a chunk goes when its newest key is past its life and the
// slack, by the time of an event, and not before.
func TestKeysForgotten(t *testing.T) {
	s, log := room(t, 1, 300, time.Minute) // chunks of 128, 128, 44
	s.Clean()
	newest := year.Add(127*time.Minute + parley.KeyLife + keySlack) // of chunk 0
	log = append(log, do(t, s, Post{Author: "ana", Message: "m", Text: "in time"}, newest)...)
	wantReplay(t, s, 0, newest, true)
	if _, dropped := s.Dirty()["k/0"]; dropped {
		t.Error("chunk 0 went too early")
	}
	later := newest.Add(time.Nanosecond)
	log = append(log, do(t, s, Post{Author: "ana", Message: "m", Text: "late"}, later)...)
	wantReplay(t, s, 0, later, false)
	wantReplay(t, s, 127, later, false)
	wantReplay(t, s, 128, later, true)
	if page, listed := s.Dirty()["k/0"]; !listed || page != nil {
		t.Errorf("k/0 is %v, %t, want a removed page", page, listed)
	}
	wantFold(t, s, log)
}

// TestKeysKeepNumbering: the newest chunk stays however old it is.
func TestKeysKeepNumbering(t *testing.T) {
	s, log := room(t, 1, 128, time.Minute)
	log = append(log, do(t, s, Post{Author: "ana", Message: "m", Text: "x"}, year.Add(1000*time.Hour))...)
	if s.All()["k/0"] == nil {
		t.Error("the only chunk went")
	}
	at := year.Add(2000 * time.Hour)
	log = append(log, do(t, s, Post{Cmd: command(500, at), Author: "ana", Message: "m", Text: "x"}, at)...)
	log = append(log, do(t, s, Post{Author: "ana", Message: "m", Text: "x"}, at.Add(time.Hour))...)
	if all := s.All(); all["k/0"] != nil || all["k/1"] == nil {
		t.Errorf("got %v, want k/1 alone", all)
	}
	wantFold(t, s, log)
}

// TestKeyUsedAgain: a key that comes back after it was forgotten is a new one,
// and dropping its old chunk late leaves it alone.
func TestKeyUsedAgain(t *testing.T) {
	s, log := room(t, 1, 129, time.Minute)
	at := year.Add(400 * time.Hour)
	again := Post{Cmd: command(0, time.Time{}), Author: "ana", Message: "m", Text: "x"}
	wantReplay(t, s, 0, at, true) // not yet pruned: nothing happened since
	log = append(log, do(t, s, Post{Author: "ana", Message: "m", Text: "x"}, at)...)
	log = append(log, do(t, s, again, at)...)
	wantReplay(t, s, 0, at, true)
	wantFold(t, s, log)
}

func wantReplay(t *testing.T, s *State, n int, at time.Time, want bool) {
	t.Helper()
	d, err := s.Decide(Post{Cmd: command(n, time.Time{}), Author: "ana", Message: "m", Text: "x"}, at)
	if err != nil || d.Answer.Replayed != want {
		t.Errorf("key %d: replayed %t, %v; want %t", n, d.Answer.Replayed, err, want)
	}
}

// wantFold: the events alone, and the pages alone, give the same state.
func wantFold(t *testing.T, s *State, log []Event) {
	t.Helper()
	folded, loaded := New("thr"), New("thr")
	for _, e := range log {
		folded.Apply(e)
	}
	if err := loaded.Load(s.All()); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*State{"folded": folded, "loaded": loaded} {
		if got, want := other.Canonical(), s.Canonical(); got != want {
			t.Errorf("%s: got %s\nwant %s", name, got, want)
		}
		if !reflect.DeepEqual(other.All(), s.All()) {
			t.Errorf("%s: pages differ", name)
		}
	}
}
