package actors

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/faulty"
)

func mailText(n, parent int) string {
	refs := ""
	if parent > 0 {
		refs = fmt.Sprintf("In-Reply-To: <%d@x>\r\n", parent)
	}
	return fmt.Sprintf("From: P%d <p%d@else.where>\r\nTo: ana@example.org\r\nSubject: Number %d\r\nMessage-ID: <%d@x>\r\n%s\r\nText %d\r\n", n%7, n%7, n, n, refs, n)
}

func (w *world) mail(t testing.TB, who, raw string) error {
	t.Helper()
	to := parley.EnvelopeTo{Address: who + "@example.org", Account: accountID(who)}
	return w.c.DeliverMail(ctxFor(t), parley.Envelope{From: "x@else.where", At: time.Now(), To: []parley.EnvelopeTo{to}}, strings.NewReader(raw))[0]
}

// TestPagesComeAndGo runs with a memory that holds nothing between flushes, so
// that every command lacks pages.
func TestPagesComeAndGo(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	w.tune.pageBudget, w.tune.flushActions = 1, 3
	ana := accountID("ana")
	const n = 300
	for i := 1; i <= n; i++ {
		if err := w.mail(t, "ana", mailText(i, i-i%10-1)); err != nil {
			t.Fatal(err)
		}
	}
	seen := 0
	var ids []parley.ThreadID
	for page := (parley.Page{Limit: 7}); ; {
		l, err := w.c.Threads(ctxFor(t), ana, parley.ThreadQuery{Folder: parley.Inbox, Page: page}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, th := range l.Items {
			seen += int(th.Messages)
			ids = append(ids, th.ID)
		}
		if page.After = l.Next; l.Next == "" {
			break
		}
	}
	if seen != n {
		t.Errorf("the pages hold %d messages, want %d", seen, n)
	}
	yes := true
	for i, id := range ids {
		var err error
		switch i % 3 {
		case 0:
			_, err = w.c.ChangeThread(ctxFor(t), ana, parley.Command{}, 0, id, parley.ThreadChange{Change: parley.Change{Seen: &yes}, Archived: &yes})
		case 1:
			_, err = w.c.DeleteThread(ctxFor(t), ana, parley.Command{}, 0, id)
			if err == nil {
				_, err = w.c.DeleteThread(ctxFor(t), ana, parley.Command{}, 0, id)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.clean(t)
}

// TestPoison: a command that panics is stored without being understood.
func TestPoison(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	ana := accountID("ana")
	if err := w.mail(t, "ana", mailText(1, 0)); err != nil {
		t.Fatal(err)
	}
	bad := mailbox.DeliverMail{Cmd: cmd(ana, "bad"), Message: mailbox.Message{ID: testSecret.Message(cmd(ana, "bad").ID, string(ana)), Size: 3, Body: mailbox.Body{InLog: true, Mail: true}}, NewThread: testSecret.Thread(cmd(ana, "bad").ID), Raw: []byte("???")}
	rep, err := w.c.deliverMail(ctxFor(t), ana, bad)
	if err != nil || !rep.Filed {
		t.Fatalf("poison: %+v %v", rep, err)
	}
	m, _, err := w.c.Message(ctxFor(t), ana, rep.Messages[0], 0)
	if err != nil || m.Subject != "(unreadable message)" {
		t.Errorf("poison reads as %+v %v", m, err)
	}
	w.clean(t)
}

// TestFullDisk: writes stop cleanly, reads go on, space alone heals.
func TestFullDisk(t *testing.T) {
	fs := crashfs.New(1)
	w := newWorld(t, fs, newPeople("ana"))
	ana := accountID("ana")
	if err := w.mail(t, "ana", mailText(1, 0)); err != nil {
		t.Fatal(err)
	}
	fs.SetSpace(0)
	for i := 2; i < 5; i++ {
		if err := w.mail(t, "ana", mailText(i, 0)); parley.CodeOf(err) != parley.DiskFull {
			t.Errorf("mail %d on a full disk: %v", i, err)
		}
	}
	if st, err := w.c.Stats(ctxFor(t), ana, 0); err != nil || st.Messages != 1 {
		t.Errorf("read on a full disk: %+v %v", st, err)
	}
	fs.SetSpace(-1)
	for i := 2; i < 5; i++ {
		if err := w.mail(t, "ana", mailText(i, 0)); err != nil {
			t.Errorf("mail %d with space again: %v", i, err)
		}
	}
	w.clean(t)
}

// TestStream resumes from any event, and waits for the next.
func TestStream(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	ana := accountID("ana")
	for i := 1; i <= 20; i++ {
		if err := w.mail(t, "ana", mailText(i, 0)); err != nil {
			t.Fatal(err)
		}
	}
	all, head, err := w.c.Events(ctxFor(t), ana, 0, -1, 0, 500)
	if err != nil || head != 20 {
		t.Fatalf("events: %d %v", head, err)
	}
	for i, e := range all {
		got, _, err := w.c.Events(ctxFor(t), ana, e.Revision, e.Index, 0, 500)
		if err != nil || len(got) != len(all)-i-1 || len(got) > 0 && fmt.Sprint(got[0]) != fmt.Sprint(all[i+1]) {
			t.Fatalf("after event %d.%d: %d events, want %d (%v)", e.Revision, e.Index, len(got), len(all)-i-1, err)
		}
	}
	type result struct {
		events []parley.Event
		err    error
	}
	got := make(chan result, 1)
	go func() {
		es, _, err := w.c.Events(ctxFor(t), ana, head, -1, 10*time.Second, 500)
		got <- result{es, err}
	}()
	if err := w.mail(t, "ana", mailText(21, 0)); err != nil {
		t.Fatal(err)
	}
	if r := <-got; r.err != nil || len(r.events) == 0 || r.events[0].Revision != 21 {
		t.Errorf("waited: %+v", r)
	}
	if _, _, err := w.c.Events(ctxFor(t), ana, 999, -1, 0, 1); parley.CodeOf(err) != parley.Resync {
		t.Errorf("a revision from nowhere: %v", err)
	}
}

// TestAtLeast waits for a revision, and gives up with Behind, not with the end of
// an attempt or of the caller's time.
func TestAtLeast(t *testing.T) {
	t.Parallel() // it waits for behindWait
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	ana := accountID("ana")
	got := make(chan error, 1)
	go func() {
		_, err := w.c.Stats(ctxFor(t), ana, 1)
		got <- err
	}()
	if err := w.mail(t, "ana", mailText(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Errorf("at least 1: %v", err)
	}
	begun := time.Now()
	if _, err := w.c.Stats(ctxFor(t), ana, 5); parley.CodeOf(err) != parley.Behind {
		t.Errorf("at least 5, at 1: %v after %v, want Behind after %v", err, time.Since(begun), behindWait)
	}
}

// TestTwoActivations lets two nodes believe that they own everything.
func TestTwoActivations(t *testing.T) {
	inner, err := embedded.Open(embedded.Config{Dir: "store", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	store := faulty.New(inner, nil)
	blobs, err := blob.Open(blob.Config{Dir: "blobs", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	people := newPeople("ana", "bo")
	var nodes []*world
	for range 2 {
		n, err := New(Config{Store: store, Blobs: blobs, Accounts: people, Secret: testSecret})
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, &world{Node: n, c: n.Client(), store: store, people: people})
	}
	t.Cleanup(func() {
		for _, n := range nodes {
			n.Close()
		}
		_ = errors.Join(store.Close(), blobs.Close())
	})
	ana, bo := accountID("ana"), accountID("bo")
	th, _, _, err := nodes[0].c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}})
	if err != nil {
		t.Fatal(err)
	}
	const posts = 40
	done := make(chan error, 2)
	for k, n := range nodes {
		go func() {
			for i := range posts {
				c := cmd(ana, fmt.Sprint("n", k, "p", i))
				for {
					_, err := n.c.Post(ctxFor(t), ana, c, th.ID, parley.Post{Text: fmt.Sprint(k, "/", i)})
					if err == nil {
						break
					}
					if parley.CodeOf(err) != parley.Unavailable {
						done <- err
						return
					}
				}
			}
			done <- nil
		}()
	}
	for range nodes {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	for _, who := range []string{"ana", "bo"} {
		got := nodes[0].texts(t, who, th.ID, 2*posts)
		seen := map[string]bool{}
		for _, text := range got {
			if seen[text] {
				t.Errorf("%s has %q twice", who, text)
			}
			seen[text] = true
		}
		if len(got) != 2*posts {
			t.Errorf("%s has %d messages, want %d", who, len(got), 2*posts)
		}
	}
	if err := nodes[1].Drain(ctxFor(t)); err != nil {
		t.Error(err)
	}
	nodes[0].Tick(ctxFor(t)) // activations that lost their row left their reminders
	nodes[0].clean(t)
}

// TestLongPostInALargeRoom: the text is stored once, each copy names it.
func TestLongPostInALargeRoom(t *testing.T) {
	names := []string{"ana"}
	for i := range 59 {
		names = append(names, fmt.Sprint("p", i))
	}
	w := newWorld(t, vfs.NewMem(), newPeople(names...))
	ana := accountID("ana")
	var to []parley.Recipient
	for _, n := range names[1:] {
		to = append(to, parley.Recipient{Account: accountID(n)})
	}
	text := strings.Repeat("long ", 1000)
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: to, First: &parley.Post{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := w.c.Post(ctxFor(t), ana, cmd(ana, "p1"), th.ID, parley.Post{Text: text}); err != nil || p.Message.Text != text {
		t.Fatalf("post: %d bytes %v", len(p.Message.Text), err)
	}
	if got := w.texts(t, "p58", th.ID, 2); got[0] != text || got[1] != text {
		t.Error("a copy reads another text")
	}
	w.clean(t)
}

// TestNotices: the list of messages shows what else happened when asked to.
func TestNotices(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"))
	ana := accountID("ana")
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, First: &parley.Post{Text: "one"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := w.c.AddParticipant(ctxFor(t), ana, cmd(ana, "add"), th.ID, parley.Recipient{Account: accountID("cy")}); err != nil {
		t.Fatal(err)
	}
	l, err := w.c.Messages(ctxFor(t), ana, th.ID, "", parley.Page{Limit: 10, Notices: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range l.Items {
		got = append(got, string(m.Notice)+m.Text)
	}
	if want := "[created one joined]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestClosedAccount: a closed account takes nothing more, and its rooms record it.
func TestClosedAccount(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana, bo := accountID("ana"), accountID("bo")
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}})
	if err != nil {
		t.Fatal(err)
	}
	w.cold(t)
	if err := w.c.CloseMailbox(ctxFor(t), bo); err != nil {
		t.Fatal(err)
	}
	if err := w.mail(t, "bo", mailText(1, 0)); parley.CodeOf(err) != parley.Gone {
		t.Errorf("mail to a closed mailbox: %v", err)
	}
	if _, err := w.c.Post(ctxFor(t), ana, cmd(ana, "p"), th.ID, parley.Post{Text: "anybody?"}); err != nil {
		t.Fatal(err)
	}
	w.cold(t)
	ps, _, _, err := w.c.Participants(ctxFor(t), ana, th.ID, 0)
	if err != nil || len(ps) != 2 || ps[1].State != parley.StateLeft {
		t.Errorf("participants: %+v %v", ps, err)
	}
}

// TestOneKeyInTwoRooms: a key that a client used twice makes two messages, each in
// its own room.
func TestOneKeyInTwoRooms(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana := accountID("ana")
	var ids []parley.MessageID
	for _, key := range []string{"one", "two"} {
		th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, key), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.c.Post(ctxFor(t), ana, cmd(ana, "same"), th.ID, parley.Post{Text: key})
		if err != nil || p.Message.Text != key {
			t.Fatalf("post: %+v %v", p, err)
		}
		if got := w.texts(t, "bo", th.ID, 1); got[0] != key {
			t.Errorf("bo reads %q, want %q", got, key)
		}
		ids = append(ids, p.Message.ID)
	}
	if ids[0] == ids[1] {
		t.Error("two messages have one id")
	}
	w.clean(t)
}

// TestMailOfNoBytes is stored, read and exported like any other.
func TestMailOfNoBytes(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	if err := w.mail(t, "ana", ""); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := w.c.EachMessage(ctxFor(t), accountID("ana"), func(m parley.Message, raw io.Reader) error {
		b, err := io.ReadAll(raw)
		if n++; err != nil || len(b) != 0 {
			t.Errorf("%q %+v %v", b, m, err)
		}
		if m, _, err = w.c.Message(ctxFor(t), accountID("ana"), m.ID, 0); err == nil && m.Text == "" {
			t.Errorf("%+v has no text", m)
		}
		return err
	}, nil)
	if err != nil || n != 1 {
		t.Errorf("%d messages: %v", n, err)
	}
	w.clean(t)
}

// TestPageOfLongTexts: a page is shorter where its texts are long, and nothing is
// passed over in either direction.
func TestPageOfLongTexts(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana := accountID("ana")
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, n := range []int{10, 700_000, 600_000, 900_000, 1_000_000, 5, 5, 5} {
		text := fmt.Sprint(i, strings.Repeat("x", n))
		if _, err := w.c.Post(ctxFor(t), ana, cmd(ana, fmt.Sprint(i)), th.ID, parley.Post{Text: text}); err != nil {
			t.Fatal(err)
		}
		want = append(want, text[:3])
	}
	for _, back := range []bool{false, true} {
		var got []string
		for page := (parley.Page{Limit: 200, End: back}); ; {
			l, err := w.c.Messages(ctxFor(t), ana, th.ID, "", page, 0)
			if err != nil || len(l.Items) == 0 {
				t.Fatalf("page: %d items %v", len(l.Items), err)
			}
			var texts []string
			bytes := 0
			for _, m := range l.Items {
				texts = append(texts, m.Text[:3])
				bytes += len(m.Text)
			}
			if bytes > maxPageText+1_000_001 {
				t.Errorf("a page of %d bytes", bytes)
			}
			if back {
				got = append(texts, got...)
			} else {
				got = append(got, texts...)
			}
			page = parley.Page{Limit: 200, After: l.Next}
			if back {
				page = parley.Page{Limit: 200, Before: l.Prev}
			}
			if page.After+page.Before == "" {
				break
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("back=%t: %v, want %v", back, got, want)
		}
	}
}
