package actors

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/blob"
)

// gate is blobs that stop who reads or writes until they are let go.
type gate struct {
	Blobs
	shut   atomic.Bool
	inside chan struct{} // somebody stands before it
	puts   atomic.Int64
	fails  atomic.Int64 // puts to fail
}

func newGate() *gate { return &gate{inside: make(chan struct{}, 16)} }

func (g *gate) stand(ctx context.Context) error {
	if !g.shut.Load() {
		return nil
	}
	g.inside <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (g *gate) Open(ctx context.Context, d parley.Digest) (blob.Blob, error) {
	if err := g.stand(ctx); err != nil {
		return nil, err
	}
	return g.Blobs.Open(ctx, d)
}

func (g *gate) Put(ctx context.Context, r io.Reader) (blob.Ref, error) {
	if g.puts.Add(1); g.fails.Add(-1) >= 0 {
		_, err := io.Copy(io.Discard, r)
		return blob.Ref{}, errors.Join(err, errors.New("test: the disk is full"))
	}
	if err := g.stand(ctx); err != nil {
		return blob.Ref{}, err
	}
	return g.Blobs.Put(ctx, r)
}

func (g *gate) in(c *Config) { g.Blobs, c.Blobs = c.Blobs, g }

// A running export that is canceled stops, and the next one has its turn; it
// leaves no archive.
func TestCancelRunningExport(t *testing.T) {
	g := newGate()
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), g.in)
	ctx, ana := ctxFor(t), accountID("ana")
	g.shut.Store(true)
	var jobs []parley.Outcome
	for i := range 2 {
		o, err := w.c.StartExport(ctx, ana, cmd(ana, fmt.Sprint("export", i)), parley.NewExport{Format: parley.FormatMbox})
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, o)
	}
	<-g.inside
	g.shut.Store(false)
	if _, _, err := w.c.CancelJob(ctx, ana, parley.Command{}, 0, jobs[0].Job); err != nil {
		t.Fatal(err)
	}
	if j := w.over(t, "ana", jobs[0], nil); j.State != parley.JobCanceled || j.Transfer.Blob != "" {
		t.Errorf("got %+v", j)
	}
	if j := w.over(t, "ana", jobs[1], nil); j.State != parley.JobDone || j.Transfer.Blob == "" {
		t.Errorf("the next: %+v", j)
	}
	w.clean(t)
}

// A running import that is canceled stops; another one of the archive takes all of it.
func TestCancelRunningImport(t *testing.T) {
	g := newGate()
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), g.in)
	ctx, ana := ctxFor(t), accountID("ana")
	blob := w.upload(t, "ana", maildirOf(t, 40))
	for range cap(w.moving) { // no place is free, so that it waits
		w.moving <- struct{}{}
	}
	o, err := w.c.StartImport(ctx, ana, cmd(ana, "import"), parley.NewImport{Blob: blob})
	if err != nil {
		t.Fatal(err)
	}
	g.shut.Store(true)
	for range cap(w.moving) {
		<-w.moving
	}
	<-g.inside // it opens its archive
	g.shut.Store(false)
	if _, _, err := w.c.CancelJob(ctx, ana, parley.Command{}, 0, o.Job); err != nil {
		t.Fatal(err)
	}
	if j := w.over(t, "ana", o, nil); j.State != parley.JobCanceled || j.Done != 0 || j.Transfer.Added != 0 {
		t.Errorf("got %+v", j)
	}
	o, err = w.c.StartImport(ctx, ana, cmd(ana, "again"), parley.NewImport{Blob: blob})
	if j := w.over(t, "ana", o, err); j.State != parley.JobDone || j.Transfer.Added != 40 {
		t.Errorf("again: %+v", j)
	}
	w.clean(t)
}

// An export that cannot be written now is tried again, and given up when it has
// failed so often: that it says how far it is, each time, is no step forward.
func TestTransferPatience(t *testing.T) {
	for _, tc := range []struct {
		fails, puts int64
		end         parley.JobState
	}{{3, 4, parley.JobDone}, {1000, transferFails + 1, parley.JobFailed}} {
		g := newGate()
		w := newWorld(t, vfs.NewMem(), newPeople("ana"), g.in)
		w.tune.transferPause = time.Microsecond
		ana := accountID("ana")
		o, err := w.c.StartImport(ctxFor(t), ana, cmd(ana, "import"), parley.NewImport{Blob: w.upload(t, "ana", maildirOf(t, exportReports+1))})
		w.over(t, "ana", o, err)
		g.puts.Store(0)
		g.fails.Store(tc.fails)
		o, err = w.c.StartExport(ctxFor(t), ana, cmd(ana, "export"), parley.NewExport{Format: parley.FormatEML})
		j := w.over(t, "ana", o, err)
		if j.State != tc.end || (j.Error != "") != (tc.end == parley.JobFailed) || (j.Transfer.Blob != "") != (tc.end == parley.JobDone) {
			t.Errorf("got %+v", j)
		}
		if got := g.puts.Load(); got != tc.puts {
			t.Errorf("it was tried %d times, want %d", got, tc.puts)
		}
		g.fails.Store(0)
		o, err = w.c.StartExport(ctxFor(t), ana, cmd(ana, "next"), parley.NewExport{Format: parley.FormatEML})
		if j := w.over(t, "ana", o, err); j.State != parley.JobDone {
			t.Errorf("the next: %+v", j)
		}
		w.clean(t)
	}
}

// An archive whose bytes are gone fails its import at once.
func TestImportOfLostArchive(t *testing.T) {
	blobs := &lossy{gone: map[parley.Digest]bool{}}
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), func(c *Config) { blobs.Blobs, c.Blobs = c.Blobs, blobs })
	ctx, ana := ctxFor(t), accountID("ana")
	archive := maildirOf(t, 3)
	blob := w.upload(t, "ana", archive)
	for range cap(w.moving) {
		w.moving <- struct{}{}
	}
	o, err := w.c.StartImport(ctx, ana, cmd(ana, "import"), parley.NewImport{Blob: blob})
	if err != nil {
		t.Fatal(err)
	}
	blobs.gone[sha256.Sum256([]byte(archive))] = true
	for range cap(w.moving) {
		<-w.moving
	}
	if j := w.over(t, "ana", o, nil); j.State != parley.JobFailed || j.Error == "" || j.Transfer.Added != 0 {
		t.Errorf("got %+v", j)
	}
	w.clean(t)
}
