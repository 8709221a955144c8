package actors

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
)

// watch reads the whole log beside everything else, and holds it to its numbers.
func (s *stage) watch() {
	if s.rng.IntN(2) > 0 || s.committed == 0 {
		return
	}
	to, life := s.committed, s.activation
	s.spawnFiber(func() {
		raws, err := life.history.span(life.ctx, 0, to, 1<<20)
		if err != nil {
			if !s.down {
				s.t.Errorf("a reader beside: %v", err)
			}
			return
		}
		for i, raw := range raws {
			if a, err := codec.DecodeAction(raw); err != nil || uint64(a.N) != uint64(i+1) {
				s.t.Errorf("action %d reads as %d, %v", i+1, a.N, err)
			}
		}
		if uint64(len(raws)) != to {
			s.t.Errorf("a reader beside has %d actions of %d", len(raws), to)
		}
	})
}

// finished holds the row to what has to be true when nothing is under way.
func (s *stage) finished(inner persistence.Store) {
	ctx := context.Background()
	dead := []persistence.Range{{Family: persistence.Log, From: actionQualifier(0), To: actionQualifier(s.sealed + 1), Limit: 1},
		{Family: persistence.Log, From: bodyQualifier(0), To: bodyQualifier(s.sealed + 1), Limit: 1},
		{Family: persistence.Log, From: debtQualifier(0), To: []byte("e"), Limit: 1}}
	got, err := inner.Read(ctx, s.table, s.row, dead...)
	if err != nil {
		s.t.Fatal(err)
	}
	for i, cells := range got {
		if len(cells) > 0 {
			s.t.Errorf("the tail still has %q of %d sealed (range %d)", cells[0].Qualifier, s.sealed, i)
		}
	}
	if s.fence.Owing || s.fence.Sealed != s.sealed {
		s.t.Errorf("the fence stands at %+v, sealed are %d", s.fence, s.sealed)
	}
	rows, err := segmentRows(ctx, inner, s.row)
	if err != nil {
		s.t.Fatal(err)
	}
	named := map[string]bool{}
	if err := eachNamed(ctx, inner, s.table, s.row, func(c codec.Segment) error { named[string(segmentRow(s.row, c.Name))] = true; return nil }); err != nil {
		s.t.Fatal(err)
	}
	for _, row := range rows {
		if !named[string(row)] && s.archive.swept {
			s.t.Errorf("a stray segment is left: %x", row)
		}
	}
	if len(rows) < len(named) {
		s.t.Errorf("%d segments are there, %d named", len(rows), len(named))
	}
}

// reprojected throws the projection away: the next activation makes it anew from
// the first action, through all segments.
func (p archivePlay) reprojected(t testing.TB, inner persistence.Store, s *stage) {
	t.Helper()
	s.kill()
	before := canonicalOf(t, inner, p.acc)
	var dead []persistence.Dead
	err := each(t.Context(), inner, s.table, s.row, persistence.Range{Family: persistence.Meta}, func(c persistence.Cell) error {
		dead = append(dead, persistence.Dead{Family: c.Family, Qualifier: c.Qualifier, UpTo: c.Version})
		return nil
	})
	if err := errors.Join(err, inner.Erase(t.Context(), s.table, s.row, dead...)); err != nil {
		t.Fatal(err)
	}
	again := newStage(t, inner, p.acc, 1, 1000, 1<<30)
	again.clock = s.clock
	if err := again.quiet(); err != nil {
		t.Fatal(err)
	}
	if got := canonicalOf(t, inner, p.acc); got != before {
		t.Errorf("the projection made anew differs: %s", firstDifference(got, before))
	}
	again.kill()
}

// canonicalOf is a stored mailbox in canonical form, projection and fold agreeing.
func canonicalOf(t testing.TB, inner persistence.Store, acc parley.AccountID) string {
	t.Helper()
	im, err := readImage(t.Context(), inner, persistence.Mailbox, parley.RowKey(string(acc)))
	if err != nil {
		t.Fatal(err)
	}
	folded, live := mailbox.NewWhole(acc), mailbox.NewWhole(acc)
	if err := loadMailbox(live, im); err != nil {
		t.Fatal(err)
	}
	for i, raw := range im.actions {
		a, err := codec.DecodeAction(raw)
		if err == nil {
			err = (&audit{}).foldBoth(folded, live, a, im.mark.Applied)
		}
		if err != nil {
			t.Fatalf("action %d: %v", i+1, err)
		}
	}
	if folded.Canonical() != live.Canonical() {
		t.Errorf("projection and fold differ: %s", firstDifference(live.Canonical(), folded.Canonical()))
	}
	return live.Canonical()
}

// same holds a play with an archive to the one without.
func (got played) same(t *testing.T, want played, what string) {
	t.Helper()
	if !slices.Equal(got.answers, want.answers) {
		for i := range want.answers {
			if got.answers[i] != want.answers[i] {
				t.Fatalf("%s: got %s\nwant %s", what, got.answers[i], want.answers[i])
			}
		}
	}
	if !slices.EqualFunc(got.image.actions, want.image.actions, bytes.Equal) {
		t.Errorf("%s: the logs differ: %d and %d actions", what, len(got.image.actions), len(want.image.actions))
		for i, a := range want.image.actions {
			if b := got.image.actions[min(i, len(got.image.actions)-1)]; !bytes.Equal(a, b) {
				t.Fatalf("action %d: got %q\nwant %q", i+1, b, a)
			}
		}
	}
	bodies := func(im *rowImage) map[uint64]int {
		maps.DeleteFunc(im.bodies, func(_ uint64, n int) bool { return n == 0 })
		return im.bodies
	}
	if got, want := bodies(got.image), bodies(want.image); !maps.Equal(got, want) {
		t.Errorf("%s: bodies are %v, want %v", what, got, want)
	}
}
