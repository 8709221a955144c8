package actors

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// TestAnswersWithinTheRoom holds reply_to to messages of the same room, as the
// author's copy has it; a repeat hears its first answer all the same.
func TestAnswersWithinTheRoom(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ctx, ana := ctxFor(t), accountID("ana")
	var posts []parley.Posted
	for _, key := range []string{"one", "two"} {
		room, _, _, err := w.c.CreateRoom(ctx, ana, cmd(ana, key), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.c.Post(ctx, ana, cmd(ana, "post "+key), room.ID, parley.Post{Text: key})
		if err != nil {
			t.Fatal(err)
		}
		posts = append(posts, p)
	}
	here, there := posts[0].Message, posts[1].Message
	answer := func(key string, to parley.MessageID) (parley.Posted, error) {
		return w.c.Post(ctx, ana, cmd(ana, key), here.Thread, parley.Post{Text: "yes", ReplyTo: to})
	}
	first, err := answer("good", here.ID)
	if err != nil || first.Message.ReplyTo != here.ID {
		t.Fatalf("got %+v, %v", first, err)
	}
	notice := parley.MessageID("")
	l, err := w.c.Messages(ctx, ana, here.Thread, "", parley.Page{Notices: true}, 0)
	if err == nil {
		notice = l.Items[0].ID
	}
	for _, to := range []parley.MessageID{there.ID, parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte{1})), notice} {
		_, err := answer("bad", to)
		if _, field := parley.PublicOf(err); parley.CodeOf(err) != parley.BadContent || field != "reply_to" {
			t.Errorf("an answer to %s: %v", to, err)
		}
	}
	for range 2 { // what it answers is purged
		if _, _, err := w.c.DeleteMessage(ctx, ana, parley.Command{}, 0, here.ID); err != nil {
			t.Fatal(err)
		}
	}
	again, err := answer("good", here.ID)
	if err != nil || !again.Replayed || again.Message.ID != first.Message.ID {
		t.Errorf("the repeat: %+v, %v", again, err)
	}
}

// TestWhoCameIn brings the difference to an author who did not know of it.
func TestWhoCameIn(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"))
	ctx, ana := ctxFor(t), accountID("ana")
	room, _, _, err := w.c.CreateRoom(ctx, ana, cmd(ana, "make"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}})
	if err != nil {
		t.Fatal(err)
	}
	added, _, _, err := w.c.AddParticipant(ctx, ana, cmd(ana, "add"), room.ID, parley.Recipient{Account: accountID("cy")})
	if err != nil {
		t.Fatal(err)
	}
	post := parley.Post{Text: "about cy", RosterVersion: room.RosterVersion}
	_, err = w.c.Post(ctx, ana, cmd(ana, "post"), room.ID, post)
	c := parley.RosterOf(err)
	if parley.CodeOf(err) != parley.ParticipantsChanged || c == nil || len(c.Added) != 1 || c.Added[0] != added {
		t.Fatalf("got %v with %+v, want %+v", err, c, added)
	}
	post.RosterVersion = c.Version
	if _, err := w.c.Post(ctx, ana, cmd(ana, "post"), room.ID, post); err != nil {
		t.Errorf("with the version that came along: %v", err)
	}
}
