package thread

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

// TestApplyBrokenLog: what is folded is skipped, a gap and an unknown type stop.
func TestApplyBrokenLog(t *testing.T) {
	s, log := room(t, 2, 3, time.Minute)
	want := s.Canonical()
	for _, e := range log {
		s.Apply(e)
	}
	if got := s.Canonical(); got != want {
		t.Errorf("folded twice: got %s\nwant %s", got, want)
	}
	for name, e := range map[string]Event{
		"gap":     {Seq: s.Last() + 2, Type: Posted},
		"no type": {Seq: s.Last() + 1},
		"unknown": {Seq: s.Last() + 1, Type: Divided + 1},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it went on")
				}
			}()
			s.Apply(e)
		})
	}
}

// TestTimeNeverGoesBack: a room that moved to a member with a slower clock.
func TestTimeNeverGoesBack(t *testing.T) {
	s, _ := room(t, 1, 5, time.Minute)
	events := do(t, s, Post{Author: "ana", Message: "m", Text: "x"}, year.Add(-time.Hour))
	if got, want := events[0].At, year.Add(4*time.Minute); !got.Equal(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLoadRefuses pages that are not a state: nothing is skipped, and the state stays.
func TestLoadRefuses(t *testing.T) {
	s, _ := room(t, 1, 300, time.Minute)
	want := s.Canonical()
	for name, change := range map[string]func(map[string]Page){
		"unknown":       func(p map[string]Page) { p["queue"] = &RoomPage{} },
		"other type":    func(p map[string]Page) { p[KeyParts] = &RoomPage{} },
		"nil":           func(p map[string]Page) { p[KeyParts] = nil },
		"missing chunk": func(p map[string]Page) { delete(p, "k/1") },
		"odd chunk":     func(p map[string]Page) { p["k/03"] = p["k/2"] },
		"empty chunk":   func(p map[string]Page) { p["k/3"] = &KeysPage{} },
		"full chunk":    func(p map[string]Page) { p["k/2"] = &KeysPage{Keys: make([]Key, chunkKeys+1)} },
	} {
		t.Run(name, func(t *testing.T) {
			pages := s.All()
			change(pages)
			if err := s.Load(pages); err == nil {
				t.Error("it loaded")
			}
			if s.Canonical() != want {
				t.Error("the state changed")
			}
		})
	}
}

// TestPagesAreCopies: what was handed out for a flush does not move with the state.
func TestPagesAreCopies(t *testing.T) {
	s, _ := room(t, 1, 3, time.Minute)
	loaded, same := New("thr"), New("thr")
	pages := s.All()
	want := s.Canonical()
	do(t, s, Leave{Who: "p000"}, year)
	do(t, s, Post{Cmd: command(9, year), Author: "ana", Message: "m", Text: "x"}, year)
	if err := loaded.Load(pages); err != nil {
		t.Fatal(err)
	}
	do(t, loaded, Leave{Who: "p000"}, year)
	if err := same.Load(pages); err != nil {
		t.Fatal(err)
	}
	if got := same.Canonical(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestBounds: what a room keeps for ever does not grow without end.
func TestBounds(t *testing.T) {
	s, _ := room(t, 1, 0, 0)
	for range MaxReturns - 1 {
		do(t, s, Leave{Who: "p000"}, year)
		do(t, s, Join{Who: who("p000")}, year)
	}
	do(t, s, Leave{Who: "p000"}, year)
	wantCode(t, s, Join{Who: who("p000")}, parley.NotPermitted)
	do(t, s, Add{By: "ana", Who: who("p000")}, year)

	s.room.Turns = MaxTurns
	subject, long, bad := "new", strings.Repeat("x", MaxName+1), "\xff"
	wantCode(t, s, Add{By: "ana", Who: who("bo")}, parley.NotPermitted)
	wantCode(t, s, Alter{By: "ana", Subject: &subject}, parley.NotPermitted)
	do(t, s, Remove{By: "ana", Part: "p000"}, year)
	do(t, s, Post{Author: "ana", Message: "m", Text: "still"}, year)
	do(t, s, Leave{Who: "ana"}, year)

	s, _ = room(t, 1, 0, 0)
	named := who("bo")
	named.Name = long
	wantCode(t, s, Add{By: "ana", Who: named}, parley.BadRequest)
	wantCode(t, s, Add{By: "ana", Who: parley.Participant{ID: "p000", Account: "bo"}}, parley.BadRequest)
	wantCode(t, s, Add{By: "ana", Who: parley.Participant{Account: "bo"}}, parley.BadRequest)
	wantCode(t, s, Alter{By: "ana", Subject: &long}, parley.BadRequest)
	wantCode(t, s, Alter{By: "ana", Subject: &bad}, parley.BadRequest)
	wantCode(t, s, Post{Author: "ana", Message: "m", Text: bad}, parley.BadRequest)
	wantCode(t, s, Post{Author: "ana", Message: "m", Attachments: []Attachment{{}}}, parley.BadRequest)
	wantCode(t, s, Post{Author: "ana", Message: "m", Attachments: make([]Attachment, MaxAttachments+1)}, parley.BadRequest)
	wantCode(t, s, Post{Author: "ana", Message: "m", Text: "x", Mentions: make([]parley.PartID, MaxMentions+1)}, parley.BadRequest)
	wantCode(t, s, Post{Author: "ana", Message: "m", Text: "x", ReplyTo: parley.MessageID(long)}, parley.BadRequest)
	wantCode(t, s, Came{}, parley.Internal)
}

func wantCode(t *testing.T, s *State, cmd any, want parley.Code) {
	t.Helper()
	if _, err := s.Decide(cmd, year); err == nil || parley.CodeOf(err) != want {
		t.Errorf("%+v: got %v, want code %d", cmd, err, want)
	}
}
