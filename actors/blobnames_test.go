package actors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/persistence"
)

// names reads all names, each counted.
func (w *world) names(t testing.TB) (map[parley.Digest]int, error) {
	t.Helper()
	all := map[parley.Digest]int{}
	for d, err := range w.BlobNames(ctxFor(t), NamesConfig{}) {
		if err != nil {
			return nil, err
		}
		all[d]++
	}
	return all, nil
}

// wantNames holds the names to what stands for their bytes.
func (w *world) wantNames(t testing.TB, when string, want ...string) {
	t.Helper()
	got, err := w.names(t)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	for _, text := range want {
		d := parley.Digest(sha256.Sum256([]byte(text)))
		if got[d] == 0 {
			t.Errorf("%s: nobody names %.20q", when, text)
		}
		delete(got, d)
	}
	for d := range got {
		t.Errorf("%s: %x is named", when, d[:4])
	}
}

func (w *world) upload(t testing.TB, who, text string) parley.BlobID {
	t.Helper()
	return w.uploadAs(t, who, text, "upload "+text)
}

// uploadAs uploads under a key.
func (w *world) uploadAs(t testing.TB, who, text, key string) parley.BlobID {
	t.Helper()
	acc := accountID(who)
	c := parley.Command{ID: testSecret.Command(acc, key), First: w.cfg.Now()}
	at, _, err := w.c.Upload(ctxFor(t), acc, c, "a.txt", "text/plain", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return at.Blob
}

func (w *world) arrive(t testing.TB, who, raw string) {
	t.Helper()
	if err := w.mail(t, who, raw); err != nil {
		t.Fatal(err)
	}
}

// purge deletes all of an account's threads for good.
func (w *world) purge(t testing.TB, who string) {
	t.Helper()
	ctx, acc := ctxFor(t), accountID(who)
	l, err := w.c.Threads(ctx, acc, parley.ThreadQuery{Folder: parley.Inbox}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range l.Items {
		for range 2 {
			if _, err := w.c.DeleteThread(ctx, acc, parley.Command{}, 0, th.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func largeMail(n int) string {
	return fmt.Sprintf("From: X <x@else.where>\r\nMessage-ID: <%d@x>\r\nSubject: large\r\n\r\n%s\r\n", n, strings.Repeat("large ", 8000))
}

// Uploads, attachments, long texts and large mail are named from their first commit
// to the purge, by whoever still has them.
func TestBlobNames(t *testing.T) {
	t.Run("in the tail", func(t *testing.T) { testBlobNames(t, 0) })
	t.Run("in segments", func(t *testing.T) { testBlobNames(t, 400) })
}

func testBlobNames(t *testing.T, segment int) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"), func(c *Config) { c.Segment = segment })
	ctx, ana, bo := ctxFor(t), accountID("ana"), accountID("bo")
	w.wantNames(t, "at first")
	unused, used := w.upload(t, "ana", "unused"), w.upload(t, "ana", "used")
	w.wantNames(t, "uploaded", "unused", "used")
	long := strings.Repeat("long ", 8000)
	th, _, _, err := w.c.CreateRoom(ctx, ana, cmd(ana, "create"), parley.NewRoom{
		To: []parley.Recipient{{Account: bo}}, First: &parley.Post{Text: long, Attachments: []parley.BlobID{used}}})
	if err != nil {
		t.Fatal(err)
	}
	w.texts(t, "bo", th.ID, 1)
	w.arrive(t, "bo", largeMail(1))
	w.arrive(t, "bo", "From: X <x@else.where>\r\nMessage-ID: <2@x>\r\n\r\nsmall\r\n")
	w.wantNames(t, "posted and mailed", "unused", "used", long, largeMail(1))
	w.purge(t, "bo")
	w.wantNames(t, "purged by one", "unused", "used", long)
	w.purge(t, "ana")
	w.wantNames(t, "purged by both; the room has it yet", "unused", "used", long)
	if err := w.Drain(ctx); err != nil { // what is flushed says the same
		t.Fatal(err)
	}
	w.wantNames(t, "flushed", "unused", "used", long)
	if _, err := w.c.OpenBlob(ctx, ana, unused); err != nil {
		t.Errorf("an upload that waits: %v", err)
	}
	w.clean(t)
}

// What nothing ever takes lapses, and is named no more, with or without another
// upload that drops it; what was taken, or came again, stays.
func TestUploadsLapse(t *testing.T) {
	var now atomic.Int64
	now.Store(time.Now().UnixMicro())
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), func(c *Config) { c.Now = func() time.Time { return time.UnixMicro(now.Load()) } })
	ctx, ana := ctxFor(t), accountID("ana")
	wait := func(d time.Duration) { now.Add(d.Microseconds()) }
	unused, taken := w.upload(t, "ana", "unused"), w.upload(t, "ana", "taken")
	text, one := "to be sent", []parley.BlobID{taken}
	if _, _, _, err := w.c.CreateDraft(ctx, ana, parley.Command{}, parley.NewDraft{DraftChange: parley.DraftChange{Text: &text, Attachments: &one}}); err != nil {
		t.Fatal(err)
	}
	wait(parley.UploadLife - time.Hour)
	again := w.uploadAs(t, "ana", "again", "first")
	w.wantNames(t, "an hour before", "unused", "taken", "again")
	wait(time.Hour)
	w.wantNames(t, "lapsed", "taken", "again")
	if _, err := w.c.OpenBlob(ctx, ana, unused); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("a lapsed upload: %v", err)
	}
	if _, err := w.c.OpenBlob(ctx, ana, taken); err != nil {
		t.Errorf("one that a draft has: %v", err)
	}
	w.clean(t)
	w.uploadAs(t, "ana", "again", "second")
	if err := w.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	wait(parley.UploadLife - time.Hour)
	w.wantNames(t, "uploaded again", "taken", "again")
	if _, err := w.c.OpenBlob(ctx, ana, again); err != nil {
		t.Errorf("one that came again: %v", err)
	}
	w.clean(t)
	wait(time.Hour)
	w.wantNames(t, "that lapsed, too", "taken")
}

// A draft names what it has attached until it is discarded, and what is stored says so.
func TestBlobNamesOfDrafts(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	ctx, ana := ctxFor(t), accountID("ana")
	first, second := w.upload(t, "ana", "first"), w.upload(t, "ana", "second")
	draft, both := "to be sent", []parley.BlobID{first, second}
	d, _, _, err := w.c.CreateDraft(ctx, ana, cmd(ana, "draft"), parley.NewDraft{DraftChange: parley.DraftChange{Text: &draft, Attachments: &both}})
	if err != nil {
		t.Fatal(err)
	}
	w.wantNames(t, "drafted", "first", "second")
	text, one := "to be sent later", []parley.BlobID{second}
	if _, _, _, err := w.c.ChangeDraft(ctx, ana, parley.Command{}, 0, d.ID, parley.DraftChange{Text: &text, Attachments: &one}); err != nil {
		t.Fatal(err)
	}
	if err := w.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	w.wantNames(t, "with one of them", "second")
	if _, _, err := w.c.DiscardDraft(ctx, ana, parley.Command{}, 0, d.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	w.wantNames(t, "discarded")
	w.clean(t)
}

// Nothing that cannot be read passes for a row without names.
func TestBlobNamesOfAnUnreadableRow(t *testing.T) {
	for _, tc := range []struct {
		name  string
		table persistence.Table
		row   string
		cell  persistence.Cell
	}{
		{"an action", persistence.Mailbox, "acc_x", persistence.Cell{Family: persistence.Log, Qualifier: actionQualifier(1), Value: []byte("no action")}},
		{"a page", persistence.Mailbox, "acc_x", persistence.Cell{Family: persistence.Meta, Qualifier: []byte("pbx"), Value: []byte("no page")}},
		{"a page of no kind", persistence.Mailbox, "acc_x", persistence.Cell{Family: persistence.Meta, Qualifier: []byte("p\x01"), Value: []byte{8, 1}}},
		{"a mark", persistence.Mailbox, "acc_x", persistence.Cell{Family: persistence.Meta, Qualifier: markQualifier, Value: []byte("no mark")}},
		{"an event", persistence.Thread, "thr_x", persistence.Cell{Family: persistence.Log, Qualifier: actionQualifier(1), Value: []byte("no event")}},
		{"a page of a room", persistence.Thread, "thr_x", persistence.Cell{Family: persistence.Meta, Qualifier: []byte("proom"), Value: []byte("no page")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, vfs.NewMem(), newPeople("ana"))
			w.upload(t, "ana", "fine")
			tc.cell.Version = 1
			fence := persistence.Cell{Family: persistence.Log, Qualifier: fenceQualifier, Version: 1, Value: codec.EncodeFence(codec.Fence{Last: 1})}
			if tc.cell.Family != persistence.Log {
				fence.Value = codec.EncodeFence(codec.Fence{})
			}
			if err := w.store.Put(t.Context(), tc.table, parley.RowKey(tc.row), []persistence.Cell{fence, tc.cell}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.names(t); err == nil || !strings.Contains(err.Error(), tc.row) {
				t.Errorf("names of %s: %v, want the row named", tc.name, err)
			}
		})
	}
	t.Run("a pace that ends", func(t *testing.T) {
		w := newWorld(t, vfs.NewMem(), newPeople("ana"))
		w.upload(t, "ana", "fine")
		enough := errors.New("enough")
		for _, err := range w.BlobNames(t.Context(), NamesConfig{Pace: func(context.Context, int64) error { return enough }}) {
			if !errors.Is(err, enough) {
				t.Errorf("got %v", err)
			}
		}
	})
}

// Every digest that is said to be no name is there, and all others are found.
func TestDigestWalk(t *testing.T) {
	known := map[string]bool{}
	for _, v := range []any{mailbox.Memory{}, mailbox.Remembered{}, mailbox.Message{}, mailbox.Undoing{}, thread.Event{}, thread.Key{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			known[reflect.TypeOf(v).String()+"."+f.Name] = f.Type == digestType
		}
	}
	for field := range noNames {
		if !known[field] {
			t.Errorf("%s is no digest", field)
		}
	}
	one := func(n byte) parley.Digest { return parley.Digest{n} }
	a := mailbox.Action{Key: &mailbox.Memory{Body: one(9)}, Filed: &mailbox.Filed{Message: mailbox.Message{
		Content: one(9), Body: mailbox.Body{Blob: one(1)}, Attachments: []mailbox.Attachment{{Digest: one(2)}, {Digest: one(3)}}}}}
	e := thread.Event{Body: one(9), TextBlob: one(4), Attachments: []thread.Attachment{{Blob: one(5)}}}
	later := struct { // as a kind may be that is not there yet
		list []map[string]*struct{ d [2]parley.Digest }
		any  any
	}{list: []map[string]*struct{ d [2]parley.Digest }{nil, {"x": {[2]parley.Digest{one(6), one(7)}}}}, any: &mailbox.Blob{Digest: one(8)}}
	var got []byte
	w := newDigestWalk()
	for _, v := range []any{&a, &e, later, (*mailbox.Blob)(nil)} {
		w.digests(v, func(d parley.Digest) {
			if !d.IsZero() {
				got = append(got, d[0])
			}
		})
	}
	if !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("got %v, want 1 to 8", got)
	}
}

// aged makes blobs look old, and counts renewals.
type aged struct {
	Blobs
	by      atomic.Int64 // nanoseconds
	renewed atomic.Int64
	gone    atomic.Bool
}

func (a *aged) Stat(ctx context.Context, d parley.Digest) (blob.Info, error) {
	if a.gone.Load() {
		return blob.Info{}, parley.E(parley.NotFound, "test.stat", "no such blob")
	}
	info, err := a.Blobs.Stat(ctx, d)
	info.Date = info.Date.Add(-time.Duration(a.by.Load()))
	return info, err
}

func (a *aged) Renew(ctx context.Context, d parley.Digest) error {
	a.renewed.Add(1)
	return a.Blobs.Renew(ctx, d)
}

// A commit names what was put or renewed within hours: attaching an old upload
// renews it, and so does bringing an old post to a copy. A blob that is gone stops
// no delivery.
func TestNamingRenews(t *testing.T) {
	for _, tc := range []struct {
		by   time.Duration
		gone bool
		want int64
	}{{by: time.Hour}, {by: renewAfter + time.Hour, want: 3}, {gone: true}} {
		old := &aged{}
		w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"), func(c *Config) { old.Blobs, c.Blobs = c.Blobs, old })
		ctx, ana := ctxFor(t), accountID("ana")
		at := w.upload(t, "ana", "attached")
		old.by.Store(int64(tc.by))
		th, _, _, err := w.c.CreateRoom(ctx, ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.c.Post(ctx, ana, cmd(ana, "post"), th.ID, parley.Post{Text: "look", Attachments: []parley.BlobID{at}}); err != nil {
			t.Fatal(err)
		}
		old.gone.Store(tc.gone)
		w.texts(t, "bo", th.ID, 1)
		if got := old.renewed.Load(); got < tc.want || tc.want == 0 && got > 0 {
			t.Errorf("%v old: renewed %d times, want %d (attached, and to two copies)", tc.by, got, tc.want)
		}
	}
}

// People upload, post and purge while sweeps and compactions run and days go by:
// no message ever misses a blob, and at the end only what is named is there.
func TestSweepBesideLife(t *testing.T) {
	fs := vfs.NewMem()
	var days atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(days.Load()) * 24 * time.Hour) }
	var blobs *blob.Volumes
	w := newWorld(t, fs, newPeople("ana", "bo"), func(c *Config) {
		var err error
		if blobs, err = blob.Open(blob.Config{Dir: "other", FS: fs, VolumeBytes: 100_000, Now: now}); err != nil {
			t.Fatal(err)
		}
		c.Blobs, c.Now = blobs, now
	})
	t.Cleanup(func() { blobs.Close() })
	ctx, ana := ctxFor(t), accountID("ana")
	th, _, _, err := w.c.CreateRoom(ctx, ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}})
	if err != nil {
		t.Fatal(err)
	}
	var act sync.RWMutex // no day passes within a call
	life := make(chan struct{})
	go func() {
		defer close(life)
		for n := range 25 {
			act.RLock()
			key := func(k string) parley.Command {
				return parley.Command{ID: testSecret.Command(ana, fmt.Sprint(k, n)), First: now()}
			}
			text := fmt.Sprint("attached ", n)
			at, _, err := w.c.Upload(ctx, ana, key("upload"), "a", "text/plain", strings.NewReader(text))
			if err == nil && n%2 == 0 {
				_, err = w.c.Post(ctx, ana, key("post"), th.ID, parley.Post{Text: text, Attachments: []parley.BlobID{at.Blob}})
			}
			if err != nil {
				t.Errorf("post %d: %v", n, err)
			}
			w.arrive(t, "bo", largeMail(n))
			if n%5 == 4 {
				w.purge(t, "bo")
			}
			act.RUnlock()
		}
	}()
	sweep := func() blob.Swept {
		r, err := blobs.Sweep(ctx, blob.SweepConfig{Names: w.BlobNames(ctx, NamesConfig{}), Force: true})
		if err != nil || r.MissingCount > 0 {
			t.Fatalf("Sweep = %+v, %v", r, err)
		}
		if _, err := blobs.Compact(ctx, blob.CompactConfig{DeadShare: -1}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for busy := true; busy; {
		select {
		case <-life:
			busy = false
		default:
		}
		sweep()
		act.Lock()
		days.Add(1)
		act.Unlock()
	}
	if err := w.Drain(ctx); err != nil { // a page that is not flushed names what was purged since
		t.Fatal(err)
	}
	days.Add(int64(parley.UploadLife / (24 * time.Hour))) // what was not posted lapses
	for range 3 {
		sweep()
		days.Add(2)
	}
	if r := sweep(); r.Waiting+r.Ripe > 0 {
		t.Errorf("left after all: %+v", r)
	}
	names, err := w.names(t)
	if err != nil || len(names) != 13 {
		t.Fatalf("%d names, %v, want those of the posts", len(names), err)
	}
	for d := range names {
		b, err := blobs.Open(ctx, d)
		if err != nil {
			t.Fatalf("a named blob: %v", err)
		}
		if _, err := io.Copy(io.Discard, blob.NewReader(b)); err != nil {
			t.Error(err)
		}
		b.Close()
	}
	w.clean(t)
}
