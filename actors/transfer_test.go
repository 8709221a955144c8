package actors

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// maildirOf is a zip with n mails in Sent.
func maildirOf(t *testing.T, n int) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := range n {
		w, err := z.Create(fmt.Sprintf(".Sent/cur/%d.M000000Q1.parley:2,FS", 1_500_000_000+i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "From: X <x@else.where>\r\nMessage-ID: <%d@x>\r\nSubject: %d\r\n\r\nbody\r\n", i, i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// over waits for the end of a job.
func (w *world) over(t *testing.T, who string, o parley.Outcome, err error) parley.Job {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ctx, acc := ctxFor(t), accountID(who)
	for rev := o.Revision; ; {
		j, _, err := w.c.Job(ctx, acc, o.Job, 0)
		if err != nil {
			t.Fatal(err)
		}
		if j.State.Over() {
			return j
		}
		if _, rev, err = w.c.Events(ctx, acc, rev, -1, time.Second, 100); err != nil {
			t.Fatal(err)
		}
	}
}

// Mail goes in and out again, and its archives are named for as long as a job
// needs them.
func TestTransfers(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ctx, ana := ctxFor(t), accountID("ana")
	archive := maildirOf(t, 40)
	blob := w.upload(t, "ana", archive)
	start := cmd(ana, "import")
	o, err := w.c.StartImport(ctx, ana, start, parley.NewImport{Blob: blob})
	j := w.over(t, "ana", o, err)
	if j.State != parley.JobDone || j.Done != 40 || j.Total != 40 || j.Transfer.Added != 40 {
		t.Fatalf("got %+v", j)
	}
	if again, err := w.c.StartImport(ctx, ana, start, parley.NewImport{Blob: blob}); err != nil || !again.Replayed || again.Job != o.Job {
		t.Errorf("a repeat: %+v, %v", again, err)
	}
	o, err = w.c.StartImport(ctx, ana, cmd(ana, "again"), parley.NewImport{Blob: blob})
	if j := w.over(t, "ana", o, err); j.Transfer.Added != 0 || j.Transfer.Known != 40 {
		t.Errorf("again: %+v", j)
	}
	if _, err := w.c.StartImport(ctx, accountID("bo"), cmd(accountID("bo"), "import"), parley.NewImport{Blob: blob}); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("somebody else's: %v", err)
	}
	if _, err := w.c.StartImport(ctx, ana, cmd(ana, "text"), parley.NewImport{Blob: w.upload(t, "ana", "text")}); parley.CodeOf(err) != parley.BadContent {
		t.Errorf("no archive: %v", err)
	}
	var first parley.Job
	for i, f := range []parley.Format{parley.FormatMaildir, parley.FormatEML, parley.FormatMbox} {
		o, err := w.c.StartExport(ctx, ana, cmd(ana, string(f)), parley.NewExport{Format: f, Folder: parley.Sent})
		j := w.over(t, "ana", o, err)
		if j.State != parley.JobDone || j.Done != 40 || j.Transfer.Size == 0 {
			t.Fatalf("%s: got %+v", f, j)
		}
		if i == 0 {
			first = j
		}
	}
	made, err := w.c.OpenBlob(ctx, ana, first.Transfer.Blob)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(io.NewSectionReader(made, 0, made.Attachment.Size))
	if err != nil {
		t.Fatal(err)
	}
	made.Close()
	o, err = w.c.StartImport(ctx, accountID("bo"), cmd(accountID("bo"), "export"), parley.NewImport{Blob: w.upload(t, "bo", string(raw))})
	if j := w.over(t, "bo", o, err); j.Transfer.Added != 40 {
		t.Errorf("to another account: %+v", j)
	}
	names, err := w.names(t)
	if err != nil || len(names) != 5 { // the upload, a text, three exports
		t.Errorf("%d names, %v", len(names), err)
	}
	if _, _, err := w.c.CancelJob(ctx, ana, parley.Command{}, 0, first.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.c.OpenBlob(ctx, ana, first.Transfer.Blob); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("a dropped archive: %v", err)
	}
	w.clean(t)
}

// A mailbox that is full ends an import with what was put in before.
func TestImportRespectsQuota(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), func(c *Config) { c.Quota = 1000 })
	ctx, ana := ctxFor(t), accountID("ana")
	o, err := w.c.StartImport(ctx, ana, cmd(ana, "import"), parley.NewImport{Blob: w.upload(t, "ana", maildirOf(t, 40))})
	j := w.over(t, "ana", o, err)
	if j.State != parley.JobFailed || !strings.Contains(j.Error, "full") || j.Transfer.Added == 0 || j.Done != j.Transfer.Added || j.Done >= 40 {
		t.Errorf("got %+v", j)
	}
	w.clean(t)
}
