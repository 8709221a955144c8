package actors

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// badlyRead files a mail as a parser that is worse would have read it.
func (w *world) badlyRead(t *testing.T, who, raw string, worse func(*mailbox.DeliverMail)) {
	t.Helper()
	ctx, acc := ctxFor(t), accountID(who)
	a, err := w.c.receive(ctx, strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.c.command(acc, a, parley.Arrival{At: time.Now(), Channel: parley.ChannelMail, From: "x@example.org", To: who + "@example.org"})
	worse(&cmd)
	if _, err := w.c.deliverMail(ctx, acc, cmd); err != nil {
		t.Fatal(err)
	}
}

func filesMail(n int) string {
	return fmt.Sprintf("From: Dee <dee@example.net>\nTo: ana@example.org\nSubject: files %d\nMessage-ID: <f%d@example.net>\nReferences: <1@x>\nDate: Tue, 1 Jul 2003 10:52:37 +0200\n"+
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nwords %d\n--b\nContent-Type: application/pdf; name=a.pdf\n\nPDF\n--b\nContent-Type: text/plain; name=b.txt\n\n%s\n--b--\n",
		n, n, n, strings.Repeat("long ", n%2*8000))
}

// allOf lists an account's messages by subject, without what reading changes.
func (w *world) allOf(t *testing.T, who string) map[string]parley.Message {
	t.Helper()
	out, ctx := map[string]parley.Message{}, ctxFor(t)
	l, err := w.c.Threads(ctx, accountID(who), parley.ThreadQuery{Page: parley.Page{Limit: 200}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range l.Items {
		ms, err := w.c.Messages(ctx, accountID(who), th.ID, "", parley.Page{Limit: 200}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms.Items {
			out[string(m.ID)] = m
		}
	}
	return out
}

// TestReparse: mail that was read badly reads well afterwards, in its row and in a
// blob, in its thread and in its place; a preview says so and changes nothing; what
// was cut short goes on, and doing it again does nothing.
func TestReparse(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	w.tune.pageBudget, w.tune.flushActions = 1, 3
	ana, ctx := accountID("ana"), ctxFor(t)
	const mails = 130
	for _, who := range []string{"ana", "bo"} {
		if err := w.mail(t, who, mailText(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	for n := range mails {
		w.badlyRead(t, "ana", filesMail(n), func(c *mailbox.DeliverMail) {
			if n%3 == 0 {
				return
			}
			c.Message.Subject, c.Message.Excerpt, c.Message.Attachments = "=?x?=", "", nil
			c.Message.Author, c.Message.Content = parley.Author{Name: "?"}, parley.Digest{1}
			c.Nodes, c.Signals, c.Evidence = c.Nodes[:1], c.Signals[:1], c.Evidence[:1]
		})
		w.badlyRead(t, "bo", filesMail(n), func(*mailbox.DeliverMail) {})
	}
	before := w.allOf(t, "ana")
	moved := slices.Sorted(maps.Keys(before))[0]
	yes := true
	if _, _, err := w.c.ChangeMessages(ctx, ana, cmd(ana, "move"), 0, []parley.MessageID{parley.MessageID(moved)}, parley.Change{Folders: []parley.FolderID{parley.Archive}, Flagged: &yes}); err != nil {
		t.Fatal(err)
	}
	before = w.allOf(t, "ana")

	var told []mailbox.Reread
	how := Reparsing{Preview: true, Each: func(r mailbox.Reread) error { told = append(told, r); return nil }}
	want := int64(0)
	for n := range mails {
		if n%3 != 0 {
			want++
		}
	}
	got, err := w.c.Reparse(ctx, ana, how)
	if err != nil || got.Read != mails+1 || got.Changed != want || int64(len(told)) != want || !reflect.DeepEqual(w.allOf(t, "ana"), before) {
		t.Fatalf("preview: %+v, %v, told %d, want %d", got, err, len(told), want)
	}
	preview := told

	told, how.Preview = nil, false
	stop := fmt.Errorf("stop")
	how.Each = func(r mailbox.Reread) error {
		if told = append(told, r); len(told) == 40 {
			return stop
		}
		return nil
	}
	if got, err = w.c.Reparse(ctx, ana, how); err != stop {
		t.Fatalf("%+v, %v", got, err)
	}
	cut := got
	how.From = got.Done + 1
	how.Each = func(r mailbox.Reread) error { told = append(told, r); return nil }
	if got, err = w.c.Reparse(ctx, ana, how); err != nil || cut.Changed+got.Changed != want {
		t.Fatalf("%+v after %+v, %v, want %d in all", got, cut, err, want)
	}
	if !reflect.DeepEqual(told[:10], preview[:10]) {
		t.Errorf("told %+v, in the preview %+v", told[:10], preview[:10])
	}
	w.sameReading(t, before)
	w.clean(t)
	how.From, told = 0, nil
	st, err := w.c.Stats(ctx, ana, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = w.c.Reparse(ctx, ana, how); err != nil || got.Changed != 0 || len(told) != 0 {
		t.Errorf("again: %+v, %v, told %v", got, err, told)
	}
	if now, err := w.c.Stats(ctx, ana, 0); err != nil || now != st {
		t.Errorf("again: %+v, %v, want %+v", now, err, st)
	}
	for _, key := range []string{"trash", "purge"} {
		if _, _, err := w.c.DeleteMessage(ctx, ana, cmd(ana, key), 0, preview[len(preview)/2].Message); err != nil {
			t.Fatal(err)
		}
	}
	w.clean(t)
}

// sameReading holds ana's mail, now read well, to bo's, which always was.
func (w *world) sameReading(t *testing.T, before map[string]parley.Message) {
	t.Helper()
	after, well := w.allOf(t, "ana"), map[string]parley.Message{}
	for _, m := range w.allOf(t, "bo") {
		well[m.MessageID] = m
	}
	if len(after) != len(before) || len(after) != len(well) {
		t.Fatalf("%d messages, %d before, %d of bo", len(after), len(before), len(well))
	}
	thread := parley.ThreadID("")
	for id, m := range after {
		was, good := before[id], well[m.MessageID]
		if thread == "" {
			thread = m.Thread
		}
		if m.Thread != thread {
			t.Errorf("%s is in %s, others in %s", m.Subject, m.Thread, thread)
		}
		if m.Subject != good.Subject || m.Author != good.Author || m.Text != good.Text || m.Excerpt != good.Excerpt || len(m.Attachments) != len(good.Attachments) || m.MessageID != "1@x" && !m.At.Equal(good.At) {
			t.Errorf("got %+v, want %+v", m, good)
		}
		if !slices.Equal(m.Folders, was.Folders) || !slices.Equal(m.Keywords, was.Keywords) || !m.ReceivedAt.Equal(was.ReceivedAt) || m.Size != was.Size {
			t.Errorf("place: got %+v, want %+v", m, was)
		}
		if changed := was.Subject != m.Subject; changed && m.Generation <= was.Generation {
			t.Errorf("%s: generation %d after %d", m.Subject, m.Generation, was.Generation)
		}
		for i := range m.Attachments {
			c, err := w.c.OpenBlob(ctxFor(t), accountID("ana"), m.Attachments[i].Blob)
			if err != nil {
				t.Errorf("%s: %v", m.Attachments[i].Name, err)
				continue
			}
			c.Close()
		}
	}
}
