package hbase

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/internal/testenv"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/storetest"
)

var secret = parley.Secret("0123456789abcdef0123456789abcdef")

// people is a directory in memory.
type people map[parley.AccountID]parley.Account

func (p people) Get(_ context.Context, id parley.AccountID) (parley.Account, error) {
	if a, ok := p[id]; ok {
		return a, nil
	}
	return parley.Account{}, parley.E(parley.NotFound, "test.get", "no such account")
}

func (p people) Resolve(_ context.Context, address string) (parley.AccountID, error) {
	for id, a := range p {
		if a.Addresses[0] == address {
			return id, nil
		}
	}
	return "", parley.E(parley.NoRecipient, "test.resolve", "no such address")
}

func (p people) add(name string) parley.AccountID {
	id := parley.AccountID(parley.FormatID(parley.AccountPrefix, secret.Derive("account", name)))
	p[id] = parley.Account{ID: id, Name: name, Addresses: []string{name + "@example.org"}, CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return id
}

func newNode(t *testing.T, store persistence.Store, p people) *actors.Node {
	t.Helper()
	blobs, err := blob.Open(blob.Config{Dir: "blobs", FS: crashfs.New(1)})
	if err != nil {
		t.Fatal(err)
	}
	n, err := actors.New(actors.Config{Store: store, Blobs: blobs, Accounts: p, Secret: secret, Segment: 2 << 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close(); _ = blobs.Close() })
	return n
}

func command(acc parley.AccountID, key string) parley.Command {
	return parley.Command{ID: secret.Command(acc, key), First: time.Now()}
}

// A room and a mailbox with mail run over HBase. Each operation of the grains is
// compared with the embedded store, and so is every cell in the end.
func TestActors(t *testing.T) {
	one, other := openFresh(t, testenv.HBase(t)), openEmbedded(t)
	p := people{}
	ana, bo := p.add("ana"), p.add("bo")
	n := newNode(t, storetest.NewPair(t, one, other), p)
	ctx, c := t.Context(), n.Client()
	room, _, _, err := c.CreateRoom(ctx, ana, command(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}, Subject: "Lunch"})
	if err != nil {
		t.Fatal(err)
	}
	const posts = 20
	for i := range posts {
		if _, err := c.Post(ctx, ana, command(ana, fmt.Sprint("post", i)), room.ID, parley.Post{Text: fmt.Sprint("text ", i)}); err != nil {
			t.Fatal(err)
		}
		deliver(t, c, ana, i)
	}
	again, err := c.Post(ctx, ana, command(ana, "post0"), room.ID, parley.Post{Text: "text 0"})
	if err != nil || !again.Replayed {
		t.Errorf("repeated post: %+v, %v", again, err)
	}
	purge(t, c, ana)
	if err := n.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	l, err := c.Messages(ctx, bo, room.ID, "", parley.Page{Limit: 100}, 0)
	if err != nil || len(l.Items) != posts {
		t.Errorf("bo has %d messages, %v, want %d", len(l.Items), err, posts)
	}
	audit(t, n)
	t.Logf("%d cells are the same", storetest.Same(t, one, other, families))
}

func deliver(t *testing.T, c *actors.Client, to parley.AccountID, i int) {
	t.Helper()
	env := parley.Envelope{From: "x@else.where", At: time.Now(), To: []parley.EnvelopeTo{{Address: "ana@example.org", Account: to}}}
	raw := fmt.Sprintf("From: X <x@else.where>\r\nSubject: Letter %d\r\nMessage-ID: <%d@x>\r\n\r\nText of letter %d\r\n", i%5, i, i)
	if err := c.DeliverMail(t.Context(), env, strings.NewReader(raw))[0]; err != nil {
		t.Fatal(err)
	}
}

// purge removes one thread of mail for good.
func purge(t *testing.T, c *actors.Client, of parley.AccountID) {
	t.Helper()
	l, err := c.Threads(t.Context(), of, parley.ThreadQuery{Folder: parley.Inbox}, 0)
	if err != nil || len(l.Items) == 0 {
		t.Fatalf("threads: %+v, %v", l, err)
	}
	for range 2 {
		if _, err := c.DeleteThread(t.Context(), of, parley.Command{}, 0, l.Items[0].ID); err != nil {
			t.Fatal(err)
		}
	}
}

func audit(t *testing.T, n *actors.Node) {
	t.Helper()
	if err := n.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := n.Audit(t.Context(), func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range report.Problems {
		t.Errorf("audit: %s: %s", problem.Where, problem.What)
	}
	if report.Accounts != 2 || report.Rooms != 1 || report.Behind != 0 {
		t.Errorf("audit: %+v", report)
	}
}
