package actors

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// noise is text that no compression makes shorter by much.
func noise(rng *rand.Rand, n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rng.IntN(len(letters))]
	}
	return string(b)
}

// found says which of the texts a part is in some file of the store.
func found(t *testing.T, fs vfs.FS, texts map[parley.MessageID]string) map[parley.MessageID]string {
	t.Helper()
	names, err := fs.List("store")
	if err != nil {
		t.Fatal(err)
	}
	out := map[parley.MessageID]string{}
	for _, name := range names {
		f, err := fs.Open("store/" + name)
		if err != nil {
			continue // removed meanwhile
		}
		all, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for id, text := range texts {
			for at := 0; at+12 <= len(text); at += 12 {
				if bytes.Contains(all, []byte(text[at:at+12])) {
					out[id] = name
				}
			}
		}
	}
	return out
}

// TestPurgeLeavesNothing: after a purge was finished, no file of the store has a
// piece of what was purged, sealed or not, logs included.
func TestPurgeLeavesNothing(t *testing.T) {
	fs := vfs.NewMem()
	w := newWorld(t, fs, newPeople("ana", "bo"), smallSegments, func(c *Config) { c.Segment = 16 << 10 })
	w.tune.flushActions = 5
	ana, rng := accountID("ana"), rand.New(rand.NewPCG(1, 2))
	const n = 40
	for i := 1; i <= n; i++ {
		raw := strings.Replace(mailText(i, 0), "Text", noise(rng, 1500)+"\r\n\r\nText", 1)
		if err := w.mail(t, "ana", raw); err != nil {
			t.Fatal(err)
		}
	}
	kept, purged := map[parley.MessageID]string{}, map[parley.MessageID]string{}
	err := w.c.EachMessage(ctxFor(t), ana, func(m parley.Message, _ io.Reader) error {
		whole, _, err := w.c.Message(ctxFor(t), ana, m.ID, 0)
		if err != nil {
			return err
		}
		text := whole.Text[:1500]
		if (len(kept)+len(purged))%3 > 0 {
			kept[m.ID] = text
		} else {
			purged[m.ID] = text
		}
		return nil
	}, nil)
	if err != nil || len(purged) < 10 {
		t.Fatalf("%d messages: %v", len(purged)+len(kept), err)
	}
	if got := found(t, fs, purged); len(got) != len(purged) {
		t.Fatalf("%d of %d texts are in the files, so the test cannot see them go", len(got), len(purged))
	}
	for id := range purged {
		for range 2 {
			if _, _, err := w.c.DeleteMessage(ctxFor(t), ana, parley.Command{}, 0, id); err != nil {
				t.Fatal(err)
			}
		}
	}
	rep, err := w.Purge(ctxFor(t), ana)
	if err != nil || !rep.Compacted || rep.Segments == 0 || rep.Actions == 0 || rep.Bytes < 1500 {
		t.Errorf("purge: %+v %v", rep, err)
	}
	left := found(t, fs, purged)
	for until := time.Now().Add(10 * time.Second); len(left) > 0 && time.Now().Before(until); left = found(t, fs, purged) {
		<-time.After(10 * time.Millisecond) // tables that are read no more go in the background
	}
	if len(left) > 0 {
		t.Errorf("of %d texts %d are left: %v", len(purged), len(left), left)
	}
	if got := found(t, fs, kept); len(got) != len(kept) {
		t.Errorf("%d of %d texts that were kept are there", len(got), len(kept))
	}
	again, err := w.Purge(ctxFor(t), ana)
	if err != nil || again != (PurgeReport{Compacted: true}) {
		t.Errorf("purge again: %+v %v", again, err)
	}
	if rep, err := w.Purge(ctxFor(t), accountID("bo")); err != nil || fmt.Sprint(rep) != fmt.Sprint(again) {
		t.Errorf("purge of an empty mailbox: %+v %v", rep, err)
	}
	w.clean(t)
}
