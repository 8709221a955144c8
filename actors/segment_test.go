package actors

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

func smallSegments(c *Config) { c.Segment = 2 << 10 }

// TestSealedMailbox: whoever reads a log finds it whole, wherever it stands.
func TestSealedMailbox(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), smallSegments)
	w.tune.flushActions = 5
	ana := accountID("ana")
	const n = 150
	for i := 1; i <= n; i++ {
		if err := w.mail(t, "ana", mailText(i, i-i%10-1)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.c.Threads(ctxFor(t), ana, parley.ThreadQuery{Page: parley.Page{Limit: 200}}, 0)
	if err != nil || len(l.Items) < 5 {
		t.Fatalf("%d threads: %v", len(l.Items), err)
	}
	left := int64(n)
	for _, th := range l.Items[len(l.Items)-4:] { // the oldest, which are sealed
		for range 2 {
			if _, err := w.c.DeleteThread(ctxFor(t), ana, parley.Command{}, 0, th.ID); err != nil {
				t.Fatal(err)
			}
		}
		left -= th.Messages
	}
	w.cold(t)
	seen := int64(0)
	err = w.c.EachMessage(ctxFor(t), ana, func(m parley.Message, raw io.Reader) error {
		seen++
		b, err := io.ReadAll(raw)
		if want := "Subject: " + m.Subject + "\r\n"; !strings.Contains(string(b), want) {
			t.Errorf("%s of %q reads as %q", m.ID, m.Subject, b)
		}
		return err
	}, nil)
	if err != nil || seen != left {
		t.Errorf("%d messages, want %d: %v", seen, left, err)
	}
	events, head, err := w.c.Events(ctxFor(t), ana, 0, -1, 0, maxEvents)
	if err != nil || head < n || len(events) < n {
		t.Errorf("%d events up to %d: %v", len(events), head, err)
	}
	w.clean(t)
	if rep, err := w.Rebuild(ctxFor(t), ana, func(int64, int64) {}); err != nil || rep.Changed || rep.Actions != int64(head) {
		t.Errorf("rebuild: %+v %v", rep, err)
	}
	rep, err := w.Audit(ctxFor(t), func(int64, int64) {})
	if err != nil || rep.Segments < 5 || rep.Strays != 0 {
		t.Errorf("audit: %+v %v", rep, err)
	}
}

// TestSealedRoom: a copy that comes late gets what the room has sealed.
func TestSealedRoom(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"), smallSegments)
	w.tune.flushActions = 5
	ana := accountID("ana")
	first := &parley.Post{Text: "look", Attachments: []parley.BlobID{w.upload(t, "ana", "attached")}}
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, History: parley.HistoryAll, First: first})
	if err != nil {
		t.Fatal(err)
	}
	const n = 80
	for i := range n {
		if _, err := w.c.Post(ctxFor(t), ana, cmd(ana, fmt.Sprint(i)), th.ID, parley.Post{Text: strings.Repeat(fmt.Sprint("post ", i), 10)}); err != nil {
			t.Fatal(err)
		}
	}
	w.cold(t)
	if _, _, _, err := w.c.AddParticipant(ctxFor(t), ana, cmd(ana, "add"), th.ID, parley.Recipient{Account: accountID("cy")}); err != nil {
		t.Fatal(err)
	}
	for i, text := range w.texts(t, "cy", th.ID, n+1)[1:] {
		if want := strings.Repeat(fmt.Sprint("post ", i), 10); text != want {
			t.Errorf("post %d reads as %q", i, text)
		}
	}
	w.clean(t)
	for _, who := range []string{"ana", "bo", "cy"} {
		w.purge(t, who)
	}
	w.wantNames(t, "purged by all; the room has it yet", "attached")
	rep, err := w.Audit(ctxFor(t), func(int64, int64) {})
	if err != nil || rep.Segments < 9 {
		t.Errorf("audit: %+v %v", rep, err)
	}
}
