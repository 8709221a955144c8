package actors

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// A repeat finds its first answer although what the command named is gone.
func TestRepeatsOutliveWhatTheyName(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"))
	ctx := ctxFor(t)
	ana, bo, cy := accountID("ana"), accountID("bo"), accountID("cy")
	create := func() (parley.Thread, parley.Revision, bool, error) {
		return w.c.CreateRoom(ctx, ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}})
	}
	th, _, _, err := create()
	if err != nil {
		t.Fatal(err)
	}
	add := func() (parley.Participant, parley.Revision, bool, error) {
		return w.c.AddParticipant(ctx, ana, cmd(ana, "add"), th.ID, parley.Recipient{Account: cy})
	}
	first, _, _, err := add()
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := w.c.Upload(ctx, ana, cmd(ana, "upload"), "a.txt", "text/plain", strings.NewReader("attached"))
	if err != nil {
		t.Fatal(err)
	}
	post := func(key string) (parley.Posted, error) {
		return w.c.Post(ctx, ana, cmd(ana, key), th.ID, parley.Post{Text: "look", Attachments: []parley.BlobID{at.Blob}})
	}
	posted, err := post("post")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := w.c.DeleteMessage(ctx, ana, parley.Command{}, 0, posted.Message.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.clean(t) // nobody asks for accounts while they are closed
	for _, id := range []parley.AccountID{bo, cy} {
		closed := w.people[id]
		closed.Closed = true
		w.people[id] = closed
	}
	if got, err := post("post"); err != nil || !got.Replayed || got.Message.ID != posted.Message.ID || got.Message.Seq != posted.Message.Seq || !got.Message.Gone {
		t.Errorf("repeated post: %+v %v; want %s, gone", got, err, posted.Message.ID)
	}
	if got, _, replayed, err := create(); err != nil || !replayed || got.ID != th.ID {
		t.Errorf("repeated create: %+v %v %v; want %s", got, replayed, err, th.ID)
	}
	if got, _, replayed, err := add(); err != nil || !replayed || got.ID != first.ID {
		t.Errorf("repeated add: %+v %v %v; want %s", got, replayed, err, first.ID)
	}
	if _, err := post("another"); parley.CodeOf(err) != parley.BadRequest {
		t.Errorf("another post of the purged blob: %v; want BadRequest", err)
	}
}
