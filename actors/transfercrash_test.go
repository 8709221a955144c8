package actors

import (
	"archive/zip"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/faulty"
)

// dying is a world whose store takes no more commits once left is used up.
func dying(t *testing.T, fs vfs.FS, left *atomic.Int64) *world {
	t.Helper()
	left.Store(1 << 30)
	return newWorld(t, fs, newPeople("ana"), func(c *Config) {
		c.Store = faulty.New(c.Store, func(op faulty.Op) faulty.Outcome {
			if op.Kind == faulty.Commit && left.Add(-1) < 0 {
				return faulty.Refuse
			}
			return faulty.Pass
		})
	})
}

// subjects are those of Ana's messages, and how often each is there.
func (w *world) subjects(t *testing.T) map[string]int {
	t.Helper()
	ctx, ana, got := ctxFor(t), accountID("ana"), map[string]int{}
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{Page: parley.Page{Limit: 200}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range l.Items {
		ms, err := w.c.Messages(ctx, ana, th.ID, "", parley.Page{Limit: 200}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms.Items {
			got[m.Subject]++
		}
	}
	return got
}

// transferLetters are in the archive that is moved: two parts and a rest.
const transferLetters = 40

// cut starts a job in a node whose store dies after n commits more, and gives a
// node that finds what was durable; whole says that the job was over before.
func cut(t *testing.T, n int, prepare func(*world), start func(*world) (parley.Outcome, error)) (after *world, o parley.Outcome, whole bool) {
	t.Helper()
	fs := vfs.NewCrashableMem()
	var left atomic.Int64
	w := dying(t, fs, &left)
	prepare(w)
	left.Store(int64(n))
	o, err := start(w)
	if err != nil {
		t.Fatal(err)
	}
	for ctx := ctxFor(t); left.Load() >= 0 && !whole; runtime.Gosched() {
		j, _, err := w.c.Job(ctx, accountID("ana"), o.Job, 0)
		if ctx.Err() != nil {
			t.Fatalf("it neither dies nor ends: %v", err)
		}
		whole = err == nil && j.State.Over()
	}
	return newWorld(t, fs.CrashClone(vfs.CrashCloneCfg{}), newPeople("ana")), o, whole
}

// everyCut runs a job once for each commit after which its node may die.
func everyCut(t *testing.T, least int, prepare func(*world), start func(*world) (parley.Outcome, error), check func(*world, parley.Job)) {
	t.Helper()
	for n, whole := 1, false; !whole; n++ {
		var after *world
		var o parley.Outcome
		if after, o, whole = cut(t, n, prepare, start); whole && n <= least {
			t.Fatalf("it was over after %d commits, so that nothing was cut", n)
		}
		after.Tick(ctxFor(t)) // the reminder wakes it
		j := after.over(t, "ana", o, nil)
		if j.State != parley.JobDone || j.Done != transferLetters || j.Total != transferLetters {
			t.Fatalf("cut after %d: got %+v", n, j)
		}
		check(after, j)
		after.clean(t)
	}
}

// TestImportAfterCrash: wherever an import is cut, each letter is there once, and
// was added once.
func TestImportAfterCrash(t *testing.T) {
	ana, blob := accountID("ana"), parley.BlobID("")
	archive := maildirOf(t, transferLetters)
	everyCut(t, 4, func(w *world) { blob = w.upload(t, "ana", archive) }, func(w *world) (parley.Outcome, error) {
		return w.c.StartImport(ctxFor(t), ana, cmd(ana, "import"), parley.NewImport{Blob: blob})
	}, func(w *world, j parley.Job) {
		if j.Transfer.Added != transferLetters || j.Transfer.Known != 0 || j.Transfer.Refused != 0 {
			t.Errorf("got %+v", j.Transfer)
		}
		got := w.subjects(t)
		for i := range transferLetters {
			if got[fmt.Sprint(i)] != 1 || len(got) != transferLetters {
				t.Fatalf("letter %d of %d is there %d times", i, len(got), got[fmt.Sprint(i)])
			}
		}
	})
}

// TestExportAfterCrash: an export that is cut is made again, whole.
func TestExportAfterCrash(t *testing.T) {
	ana, archive := accountID("ana"), maildirOf(t, transferLetters)
	everyCut(t, 2, func(w *world) {
		o, err := w.c.StartImport(ctxFor(t), ana, cmd(ana, "import"), parley.NewImport{Blob: w.upload(t, "ana", archive)})
		w.over(t, "ana", o, err)
	}, func(w *world) (parley.Outcome, error) {
		return w.c.StartExport(ctxFor(t), ana, cmd(ana, "export"), parley.NewExport{Format: parley.FormatMaildir})
	}, func(w *world, j parley.Job) {
		made, err := w.c.OpenBlob(ctxFor(t), ana, j.Transfer.Blob)
		if err != nil {
			t.Fatal(err)
		}
		defer made.Close()
		z, err := zip.NewReader(made, made.Attachment.Size)
		if err != nil {
			t.Fatal(err)
		}
		letters := 0
		for _, f := range z.File {
			if strings.HasPrefix(f.Name, ".Sent/cur/") && !f.FileInfo().IsDir() {
				letters++
			}
		}
		if letters != transferLetters {
			t.Errorf("%d letters are in it", letters)
		}
	})
}
