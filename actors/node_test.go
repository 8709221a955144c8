package actors

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/faulty"
)

// people is a directory in memory: ana@, bo@, cy@example.org and so on.
type people map[parley.AccountID]parley.Account

func (p people) Get(_ context.Context, id parley.AccountID) (parley.Account, error) {
	if a, ok := p[id]; ok {
		return a, nil
	}
	return parley.Account{}, parley.E(parley.NotFound, "test.get", "no such account")
}

func (p people) Resolve(_ context.Context, address string) (parley.AccountID, error) {
	for id, a := range p {
		if strings.EqualFold(a.Addresses[0], address) {
			return id, nil
		}
	}
	return "", parley.E(parley.NoRecipient, "test.resolve", "no such address")
}

var testSecret = parley.Secret("0123456789abcdef0123456789abcdef")

func accountID(name string) parley.AccountID {
	return parley.AccountID(parley.FormatID(parley.AccountPrefix, testSecret.Derive("account", name)))
}

func newPeople(names ...string) people {
	p := people{}
	for _, n := range names {
		id := accountID(n)
		p[id] = parley.Account{ID: id, Name: n, Addresses: []string{n + "@example.org"}, CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	return p
}

// world is a store, blobs and a node over one file system.
type world struct {
	*Node
	c      *Client
	store  *faulty.Store
	people people
}

func newWorld(t testing.TB, fs vfs.FS, p people, changes ...func(*Config)) *world {
	t.Helper()
	inner, err := embedded.Open(embedded.Config{Dir: "store", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	store := faulty.New(inner, nil)
	blobs, err := blob.Open(blob.Config{Dir: "blobs", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Store: store, Blobs: blobs, Accounts: p, Secret: testSecret}
	for _, change := range changes {
		change(&cfg)
	}
	n, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Node: n, c: n.Client(), store: store, people: p}
	t.Cleanup(func() {
		n.Close()
		_ = store.Close()
		_ = blobs.Close()
	})
	return w
}

func cmd(acc parley.AccountID, key string) parley.Command {
	return parley.Command{ID: testSecret.Command(acc, key), First: time.Now()}
}

func ctxFor(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// texts reads a room's messages in somebody's copy, once it has n of them.
func (w *world) texts(t testing.TB, who string, room parley.ThreadID, n int) []string {
	t.Helper()
	var out []string
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); <-time.After(5 * time.Millisecond) {
		l, err := w.c.Messages(ctxFor(t), accountID(who), room, "", parley.Page{Limit: 200}, 0)
		if err != nil && parley.CodeOf(err) != parley.NotFound {
			t.Fatalf("messages of %s: %v", who, err)
		}
		out = nil
		for _, m := range l.Items {
			out = append(out, m.Text)
		}
		if len(out) >= n {
			return out
		}
	}
	t.Fatalf("%s has %q, want %d messages", who, out, n)
	return nil
}

func TestRoom(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo", "cy"))
	ctx := ctxFor(t)
	ana, bo, cy := accountID("ana"), accountID("bo"), accountID("cy")
	th, rev, _, err := w.c.CreateRoom(ctx, ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}, Subject: "Lunch", First: &parley.Post{Text: "one"}})
	if err != nil || rev == 0 || th.Subject != "Lunch" {
		t.Fatalf("create: %+v %d %v", th, rev, err)
	}
	if p, err := w.c.Post(ctx, bo, cmd(bo, "p1"), th.ID, parley.Post{Text: "two"}); err != nil || p.Message.Text != "two" || p.Revision == 0 {
		t.Fatalf("post: %+v %v", p, err)
	}
	if _, _, _, err := w.c.AddParticipant(ctx, ana, cmd(ana, "add"), th.ID, parley.Recipient{Address: "cy@example.org"}); err != nil {
		t.Fatal(err)
	}
	w.texts(t, "cy", th.ID, 0)
	if _, err := w.c.Post(ctx, cy, cmd(cy, "p2"), th.ID, parley.Post{Text: "three"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.c.Leave(ctx, bo, cmd(bo, "leave"), th.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.c.Post(ctx, ana, cmd(ana, "p3"), th.ID, parley.Post{Text: "four"}); err != nil {
		t.Fatal(err)
	}
	again, err := w.c.Post(ctx, ana, cmd(ana, "p3"), th.ID, parley.Post{Text: "four"})
	if err != nil || !again.Replayed {
		t.Fatalf("repeat: %+v %v", again, err)
	}
	for who, want := range map[string]string{"ana": "one two three four", "bo": "one two three", "cy": "three four"} {
		got := strings.Join(w.texts(t, who, th.ID, len(strings.Fields(want))), " ")
		if got != want {
			t.Errorf("%s sees %q, want %q", who, got, want)
		}
	}
	w.clean(t)
}

// clean drains the node and audits it.
func (w *world) clean(t testing.TB) {
	t.Helper()
	if err := w.Drain(ctxFor(t)); err != nil {
		t.Errorf("drain: %v", err)
	}
	rep, err := w.Audit(ctxFor(t), func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range rep.Problems {
		t.Errorf("audit: %s: %s", p.Where, p.What)
	}
	if rep.Reminders != 0 || rep.Behind != 0 {
		t.Errorf("audit: %+v", rep)
	}
}

func TestMail(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ctx := ctxFor(t)
	ana := accountID("ana")
	send := func(raw string) error {
		return w.c.DeliverMail(ctx, parley.Envelope{From: "x@else.where", At: time.Now(), To: []parley.EnvelopeTo{{Address: "ana@example.org", Account: ana}}}, strings.NewReader(strings.ReplaceAll(raw, "\n", "\r\n")))[0]
	}
	for _, raw := range []string{
		"From: X <x@else.where>\nSubject: Hello\nMessage-ID: <1@x>\n\nFirst\n",
		"From: Y <y@else.where>\nSubject: Re: Hello\nMessage-ID: <3@x>\nReferences: <1@x> <2@x>\nIn-Reply-To: <2@x>\n\nThird\n",
		"From: X <x@else.where>\nSubject: Re: Hello\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\n\nSecond\n",
		"From: X <x@else.where>\nSubject: Re: Hello\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\n\nSecond\n",
	} {
		if err := send(raw); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{Folder: parley.Inbox}, 0)
	if err != nil || len(l.Items) != 1 {
		t.Fatalf("threads: %+v %v", l, err)
	}
	th := l.Items[0]
	if th.Messages != 3 || th.Unread != 3 || th.Subject != "Hello" {
		t.Fatalf("thread: %+v", th)
	}
	got := w.texts(t, "ana", th.ID, 3)
	if fmt.Sprint(got) != "[First Third Second]" {
		t.Errorf("texts: %q", got)
	}
	yes := true
	if _, err := w.c.ChangeThread(ctx, ana, parley.Command{}, 0, th.ID, parley.ThreadChange{Change: parley.Change{Seen: &yes}, Archived: &yes}); err != nil {
		t.Fatal(err)
	}
	st, err := w.c.Stats(ctx, ana, 0)
	if err != nil || st.Badge != 0 || st.Messages != 3 || st.ActiveContacts != 2 {
		t.Errorf("stats: %+v %v", st, err)
	}
	for range 2 {
		if _, err := w.c.DeleteThread(ctx, ana, parley.Command{}, 0, th.ID); err != nil {
			t.Fatal(err)
		}
	}
	if st, _ := w.c.Stats(ctx, ana, 0); st.Messages != 0 || st.Threads != 0 || st.Bytes != 0 {
		t.Errorf("stats after purge: %+v", st)
	}
	w.clean(t)
	for i := range 3 {
		if _, err := w.Rebuild(ctx, ana, func(int64, int64) {}); err != nil {
			t.Fatalf("rebuild %d: %v", i, err)
		}
	}
	w.clean(t)
}
