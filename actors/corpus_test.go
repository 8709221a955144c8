//go:build corpus

package actors

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/mail/mbox"
	"github.com/parley-im/parley/mail/portable"
)

// TestCorpusList imports the list archive of the corpus twice.
func TestCorpusList(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	ana := accountID("ana")
	for round, want := range []int{538, 0} {
		f, err := os.Open(filepath.Join(os.Getenv("PARLEY_CORPUS"), "list.mbox.xz"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := mbox.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		added, all := 0, 0
		for {
			m, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(m)
			if err != nil {
				t.Fatal(err)
			}
			ok, id, err := w.c.Import(ctxFor(t), ana, portable.Letter{Raw: raw, From: m.EnvelopeFrom, At: m.Date}, "")
			if err != nil || id == "" {
				t.Fatalf("import %d: %v", all, err)
			}
			all++
			if ok {
				added++
			}
		}
		if all != 538 || added != want {
			t.Errorf("round %d: %d read, %d added, want 538 and %d", round, all, added, want)
		}
	}
	st, err := w.c.Stats(ctxFor(t), ana, 0)
	if err != nil || st.Threads != 146 || st.Messages != 538 {
		t.Errorf("stats: %+v %v, want 146 threads of 538 messages", st, err)
	}
	w.clean(t)
}
