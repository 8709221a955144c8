package actors

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// A room is changed on what its copy showed: not when that has changed since, and
// once, however often the command comes.
func TestIfMatchOfARoom(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana := accountID("ana")
	room, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, Subject: "Lunch"})
	if err != nil {
		t.Fatal(err)
	}
	known := room.Revision
	change := func(key string, match parley.Revision, subject string, muted bool) (parley.Outcome, error) {
		return w.c.ChangeThread(ctxFor(t), ana, cmd(ana, key), match, room.ID, parley.ThreadChange{Subject: &subject, Muted: &muted})
	}
	if _, err := change("stale", known+7, "No", true); parley.CodeOf(err) != parley.Stale {
		t.Errorf("a revision that is not the copy's: got %v, want Stale", err)
	}
	if out, err := change("good", known, "Supper", true); err != nil || out.Replayed {
		t.Fatalf("got %+v, %v", out, err)
	}
	if out, err := change("good", known, "Supper", true); err != nil || !out.Replayed {
		t.Errorf("the repeat: got %+v, %v", out, err)
	}
	if _, err := change("late", known, "Breakfast", false); parley.CodeOf(err) != parley.Stale {
		t.Errorf("a revision of before: got %v, want Stale", err)
	}
	got, _, err := w.c.Thread(ctxFor(t), ana, room.ID, 0)
	if err != nil || got.Subject != "Supper" || !got.Muted {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Participants are changed on the list that their moderator saw.
func TestIfMatchOfParticipants(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"))
	ana := accountID("ana")
	room, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, Subject: "Lunch"})
	if err != nil {
		t.Fatal(err)
	}
	ps, known, _, err := w.c.Participants(ctxFor(t), ana, room.ID, 0)
	if err != nil || len(ps) != 2 || known == 0 {
		t.Fatalf("got %v at %d, %v", ps, known, err)
	}
	bo := ps[1].ID
	if _, _, _, err := w.c.AddParticipant(ctxFor(t), ana, cmd(ana, "add"), room.ID, parley.Recipient{Account: accountID("cy")}); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := w.c.ChangeParticipant(ctxFor(t), ana, cmd(ana, "late"), known, room.ID, bo, parley.RoleModerator); parley.CodeOf(err) != parley.Stale {
		t.Errorf("a role on an old list: got %v, want Stale", err)
	}
	if _, _, err := w.c.RemoveParticipant(ctxFor(t), ana, cmd(ana, "later"), known, room.ID, bo); parley.CodeOf(err) != parley.Stale {
		t.Errorf("a removal on an old list: got %v, want Stale", err)
	}
	_, now, _, err := w.c.Participants(ctxFor(t), ana, room.ID, 0)
	if err != nil || now == known {
		t.Fatalf("got version %d, %v", now, err)
	}
	for _, replayed := range []bool{false, true} {
		if _, again, err := w.c.RemoveParticipant(ctxFor(t), ana, cmd(ana, "remove"), now, room.ID, bo); err != nil || again != replayed {
			t.Errorf("got replayed=%t, %v", again, err)
		}
	}
}
