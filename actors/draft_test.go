package actors

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// drafting is a world with a room of Ana and Bo.
func drafting(t *testing.T) (w *world, ana parley.AccountID, room parley.Thread) {
	t.Helper()
	w = newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"))
	ana = accountID("ana")
	room, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "make"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, Subject: "Lunch"})
	if err != nil {
		t.Fatal(err)
	}
	return w, ana, room
}

func (w *world) draft(t testing.TB, acc parley.AccountID, key string, n parley.NewDraft) parley.DraftMessage {
	t.Helper()
	d, _, _, err := w.c.CreateDraft(ctxFor(t), acc, cmd(acc, key), n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func says(text string) parley.DraftChange { return parley.DraftChange{Text: &text} }

func TestDraftIsSentUnderItsID(t *testing.T) {
	w, ana, room := drafting(t)
	ctx := ctxFor(t)
	long := strings.Repeat("A long draft. ", 4000)
	at, _, err := w.c.Upload(ctx, ana, cmd(ana, "up"), "menu.txt", "text/plain", strings.NewReader("soup"))
	if err != nil {
		t.Fatal(err)
	}
	d := w.draft(t, ana, "draft", parley.NewDraft{Thread: room.ID, DraftChange: parley.DraftChange{Text: &long, Attachments: &[]parley.BlobID{at.Blob}}})
	if d.Text != long || len(d.Attachments) != 1 || d.Size != int64(len(long))+4 {
		t.Fatalf("got %d bytes of text, %+v, size %d", len(d.Text), d.Attachments, d.Size)
	}
	short := "Soup?"
	changed, _, _, err := w.c.ChangeDraft(ctx, ana, parley.Command{}, d.Revision, d.ID, says(short))
	if err != nil || changed.Text != short || len(changed.Attachments) != 1 {
		t.Fatalf("got %+v, %v", changed, err)
	}
	if _, _, _, err := w.c.ChangeDraft(ctx, ana, parley.Command{}, d.Revision, d.ID, says("the other device")); parley.CodeOf(err) != parley.Stale {
		t.Errorf("the older revision: %v", err)
	}
	for i := range 3 {
		p, err := w.c.SendDraft(ctx, ana, cmd(ana, "send"), 0, d.ID)
		if err != nil || p.Message.ID != d.ID || p.Message.Text != short || len(p.Message.Attachments) != 1 || p.Replayed != (i > 0) {
			t.Fatalf("send %d: %+v, %v", i, p, err)
		}
		if p.Message.Has(parley.Draft) {
			t.Fatalf("send %d: it is a draft still: %+v", i, p.Message)
		}
	}
	if _, err := w.c.SendDraft(ctx, ana, cmd(ana, "send again"), 0, d.ID); parley.CodeOf(err) != parley.AlreadySent {
		t.Errorf("another send: %v", err)
	}
	for _, who := range []string{"ana", "bo"} {
		if got := w.texts(t, who, room.ID, 1); got[0] != short {
			t.Errorf("%s sees %q", who, got)
		}
	}
	w.noDrafts(t, ana)
	w.clean(t)
}

// noDrafts finds nothing left of drafts: none in the list, in the folder, or in words.
func (w *world) noDrafts(t testing.TB, acc parley.AccountID) {
	t.Helper()
	l, err := w.c.Drafts(ctxFor(t), acc, parley.DraftQuery{}, 0)
	if err != nil || len(l.Items) > 0 {
		t.Errorf("drafts: %+v, %v", l.Items, err)
	}
	fs, _, err := w.c.Folders(ctxFor(t), acc, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fs {
		if f.ID == parley.Drafts && f.Counts != (parley.Counts{}) {
			t.Errorf("the folder has %+v", f.Counts)
		}
	}
}

// A draft without a thread makes its room, in the thread that it had for itself.
func TestDraftMakesItsRoom(t *testing.T) {
	w, ana, _ := drafting(t)
	ctx, text := ctxFor(t), "Dinner?"
	to, subject := []parley.Recipient{{Address: "cy@example.org"}}, "Dinner"
	d := w.draft(t, ana, "draft", parley.NewDraft{DraftChange: parley.DraftChange{Text: &text, To: &to, Subject: &subject}})
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{Folder: parley.Drafts}, 0)
	if err != nil || len(l.Items) != 1 || l.Items[0].ID != d.Thread || l.Items[0].Subject != subject || l.Items[0].Excerpt != text {
		t.Fatalf("the folder shows %+v, %v", l.Items, err)
	}
	p, err := w.c.SendDraft(ctx, ana, cmd(ana, "send"), 0, d.ID)
	if err != nil || p.Message.Thread != d.Thread || p.Message.ID != d.ID || p.Message.Text != text {
		t.Fatalf("got %+v, %v", p, err)
	}
	w.texts(t, "cy", d.Thread, 1)
	th, _, err := w.c.Thread(ctx, ana, d.Thread, 0)
	if err != nil || th.Kind != parley.KindRoom || len(th.Participants) != 2 || th.Messages != 1 {
		t.Errorf("got %+v, %v", th, err)
	}
	w.noDrafts(t, ana)
	w.clean(t)
}

// What is refused posts nothing and gives the draft back.
func TestRefusedDraftIsKept(t *testing.T) {
	w, ana, room := drafting(t)
	ctx := ctxFor(t)
	text, seen := "about cy", room.RosterVersion
	d := w.draft(t, ana, "draft", parley.NewDraft{Thread: room.ID, DraftChange: parley.DraftChange{Text: &text, RosterVersion: &seen}})
	if _, _, _, err := w.c.AddParticipant(ctx, ana, cmd(ana, "add"), room.ID, parley.Recipient{Account: accountID("cy")}); err != nil {
		t.Fatal(err)
	}
	_, err := w.c.SendDraft(ctx, ana, cmd(ana, "send"), 0, d.ID)
	c := parley.RosterOf(err)
	if parley.CodeOf(err) != parley.ParticipantsChanged || c == nil || len(c.Added) != 1 {
		t.Fatalf("got %v, %+v", err, c)
	}
	kept, _, err := w.c.Draft(ctx, ana, d.ID, 0)
	if err != nil || kept.Text != text || !kept.Sending.IsZero() {
		t.Fatalf("got %+v, %v", kept, err)
	}
	if _, _, _, err := w.c.ChangeDraft(ctx, ana, parley.Command{}, kept.Revision, d.ID, parley.DraftChange{RosterVersion: &c.Version}); err != nil {
		t.Fatal(err)
	}
	if p, err := w.c.SendDraft(ctx, ana, cmd(ana, "send"), 0, d.ID); err != nil || p.Message.Text != text || p.Replayed {
		t.Errorf("with the version that came along: %+v, %v", p, err)
	}
	outside := []parley.Recipient{{Address: "dee@else.where"}}
	d = w.draft(t, ana, "outside", parley.NewDraft{DraftChange: parley.DraftChange{Text: &text, To: &outside}})
	_, err = w.c.SendDraft(ctx, ana, cmd(ana, "send outside"), 0, d.ID)
	if _, field := parley.PublicOf(err); parley.CodeOf(err) != parley.BadAddress || field != "to" {
		t.Errorf("to somebody outside: %v", err)
	}
	if kept, _, err := w.c.Draft(ctx, ana, d.ID, 0); err != nil || !kept.Sending.IsZero() {
		t.Errorf("got %+v, %v", kept, err)
	}
	w.clean(t)
}

// TestCutOffSendIsFinished cuts a send off after it was noted: the mailbox
// finishes it, at once or when it is loaded next, and a repeat finds its answer.
func TestCutOffSendIsFinished(t *testing.T) {
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprintf("restart=%t", restart), func(t *testing.T) {
			w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
			ana, text := accountID("ana"), "cut off"
			if !restart {
				w.tune.leavingGrace = time.Millisecond
			}
			to := []parley.Recipient{{Account: accountID("bo")}}
			d := w.draft(t, ana, "draft", parley.NewDraft{DraftChange: parley.DraftChange{Text: &text, To: &to}})
			noted := mailbox.SendDraft{Cmd: cmd(ana, "send"), ID: d.ID}
			if _, err := askMailbox[mailbox.Reply](ctxFor(t), w.c, ana, noted, 0); err != nil {
				t.Fatal(err)
			}
			if restart { // the first node says nothing more, as after a kill
				n, err := New(w.cfg)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(n.Close)
				w.Node, w.c = n, n.Client()
				w.tune.leavingGrace = time.Millisecond
				w.Tick(ctxFor(t)) // the reminder that stood brings the mailbox back
			}
			if got := w.texts(t, "bo", d.Thread, 1); got[0] != text {
				t.Errorf("bo sees %q", got)
			}
			p, err := w.c.SendDraft(ctxFor(t), ana, noted.Cmd, 0, d.ID)
			if err != nil || p.Message.ID != d.ID || p.Message.Text != text {
				t.Errorf("the repeat: %+v, %v", p, err)
			}
			w.noDrafts(t, ana)
			w.clean(t)
		})
	}
}

// A draft names its blobs, so that no sweep takes them, and once it is gone nobody
// does, its uploads included.
func TestDraftNamesItsBlobs(t *testing.T) {
	w, ana, room := drafting(t)
	ctx, long := ctxFor(t), strings.Repeat("A long draft. ", 4000)
	at, _, err := w.c.Upload(ctx, ana, cmd(ana, "up"), "menu.txt", "text/plain", strings.NewReader("soup"))
	if err != nil {
		t.Fatal(err)
	}
	named := func() int {
		t.Helper()
		all := map[parley.Digest]bool{}
		for d, err := range w.BlobNames(ctx, NamesConfig{}) {
			if err != nil {
				t.Fatal(err)
			}
			all[d] = true
		}
		delete(all, parley.Digest{})
		return len(all)
	}
	d := w.draft(t, ana, "draft", parley.NewDraft{Thread: room.ID, DraftChange: parley.DraftChange{Text: &long, Attachments: &[]parley.BlobID{at.Blob}}})
	if n := named(); n != 2 {
		t.Errorf("%d blobs are named, want the text and the attachment", n)
	}
	if _, _, _, err := w.c.ChangeDraft(ctx, ana, parley.Command{}, 0, d.ID, says("short")); err != nil {
		t.Fatal(err)
	}
	if n := named(); n != 1 {
		t.Errorf("%d blobs are named, want the attachment", n)
	}
	if _, _, err := w.c.DiscardDraft(ctx, ana, parley.Command{}, 0, d.ID); err != nil {
		t.Fatal(err)
	}
	if n := named(); n != 0 {
		t.Errorf("%d blobs are named, want none", n)
	}
}

// A key that was used for another draft says so, whatever else is wrong with the
// request: here with a file that is not there.
func TestDraftKeyMismatchComesFirst(t *testing.T) {
	w, ana, _ := drafting(t)
	ctx := ctxFor(t)
	w.draft(t, ana, "draft", parley.NewDraft{Kind: parley.KindRoom})
	c := cmd(ana, "draft")
	c.Body[0]++ // what another request comes to
	gone := []parley.BlobID{parley.BlobID(parley.FormatID(parley.BlobPrefix, [parley.IDBytes]byte{1}))}
	_, _, _, err := w.c.CreateDraft(ctx, ana, c, parley.NewDraft{Kind: parley.KindRoom, DraftChange: parley.DraftChange{Attachments: &gone}})
	if parley.CodeOf(err) != parley.KeyMismatch {
		t.Errorf("got %v, want the mismatch", err)
	}
}
