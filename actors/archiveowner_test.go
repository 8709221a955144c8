package actors

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// rest waits for the jobs there are.
func (s *stage) rest() error {
	for s.phase != ready || s.state.Running() != "" || s.committed != s.m.last() {
		if s.down {
			s.kill()
			return errDown
		}
		if !s.step() {
			s.t.Fatalf("job %s stands still", s.state.Running())
		}
	}
	return nil
}

// TestArchiveUnderAnOwner: drafts, jobs, splits and what takes them back come to
// the same where the log is sealed all the time; and no word of a draft that was
// written over, discarded or purged is left in any row.
func TestArchiveUnderAnOwner(t *testing.T) {
	undone, unsaid := 0, 0
	for seed := uint64(1); seed <= 16; seed++ {
		p := newTidyPlay(seed, 70)
		want := p.run(t, seed, 1<<40, 0, 0)
		got := p.run(t, seed, 400, -int(seed%2), 0)
		got.same(t, want, fmt.Sprint("seed ", seed))
		if want.seals > 0 || got.seals < 5 {
			t.Errorf("seed %d: %d segments, and %d without an archive", seed, got.seals, want.seals)
		}
		unsaid += got.unsaid
		undone += strings.Count(strings.Join(got.answers, "\n"), "Undone:{Undone:1")
		if t.Failed() {
			return
		}
	}
	if undone < 20 || unsaid < 50 {
		t.Errorf("%d undos found something to do, %d drafts had words that are gone", undone, unsaid)
	}
}

// TestArchiveUnderAnOwnerCrashes kills the process at operations all over such a life.
func TestArchiveUnderAnOwnerCrashes(t *testing.T) {
	const seed = 3
	p := newTidyPlay(seed, 40)
	want := p.run(t, seed, 1<<40, 0, 0)
	whole := p.run(t, seed, 250, 0, 0)
	for at := 1; at <= whole.ops; at += 37 {
		lost := faulty.Refuse
		if at%2 > 0 {
			lost = faulty.LoseAnswer
		}
		got := p.run(t, seed, 250, at, lost)
		got.same(t, want, fmt.Sprintf("died at operation %d of %d, outcome %d", at, whole.ops, lost))
		if t.Failed() {
			return
		}
	}
}

// unspoken finds the words of drafts that nobody can read any more in the log, in
// segments, and in cells. It counts them.
func (p archivePlay) unspoken(t testing.TB, inner persistence.Store, out played) (unsaid int) {
	t.Helper()
	read := []byte(strings.Join(out.answers[max(0, len(out.answers)-p.asks()):], "\n"))
	all := slices.Clone(out.image.actions)
	row := parley.RowKey(string(p.acc))
	for _, family := range []persistence.Family{persistence.Log, persistence.Meta} {
		err := each(context.Background(), inner, persistence.Mailbox, row, persistence.Range{Family: family}, func(c persistence.Cell) error {
			all = append(all, c.Value)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range p.steps {
		w, ok := step.(mailbox.WriteDraft)
		if !ok {
			continue
		}
		word, _, _ := strings.Cut(w.Text.Text, " ")
		if bytes.Contains(read, []byte(word+" ")) {
			continue
		}
		unsaid++
		for i, b := range all {
			if bytes.Contains(b, []byte(word+" ")) {
				t.Errorf("%q is left in %d of %d: %q", word, i, len(out.image.actions), b)
				return unsaid
			}
		}
	}
	return unsaid
}

// asks is how many reads are at the end.
func (p archivePlay) asks() (n int) {
	for i := len(p.steps) - 1; i >= 0 && isRead(p.steps[i]); i-- {
		n++
	}
	return n
}
