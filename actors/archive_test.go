package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// TestArchiveChangesNothing: a mailbox whose log is sealed all the time answers
// like one that keeps its log, in any order of what runs beside each other.
func TestArchiveChangesNothing(t *testing.T) {
	for seed := uint64(1); seed <= 12; seed++ {
		p := newArchivePlay(seed, 60)
		want := p.run(t, seed, 1<<40, 0, 0)
		got := p.run(t, seed, 400, -int(seed%2), 0)
		got.same(t, want, fmt.Sprint("seed ", seed))
		if want.seals > 0 || got.seals < 5 {
			t.Errorf("seed %d: %d segments, and %d without an archive", seed, got.seals, want.seals)
		}
	}
}

// TestArchiveCrashes kills the process at each store operation of a play, before
// it and after it.
func TestArchiveCrashes(t *testing.T) {
	const seed = 5
	p := newArchivePlay(seed, 18)
	want := p.run(t, seed, 1<<40, 0, 0)
	whole := p.run(t, seed, 250, 0, 0)
	for at := 1; at <= whole.ops; at++ {
		for _, lost := range []faulty.Outcome{faulty.Refuse, faulty.LoseAnswer} {
			if lost == faulty.LoseAnswer && at%5 > 0 { // much the same as to die before the next
				continue
			}
			got := p.run(t, seed, 250, at, lost)
			got.same(t, want, fmt.Sprintf("died at operation %d of %d, outcome %d", at, whole.ops, lost))
			if t.Failed() {
				return
			}
		}
	}
}

// TestReaderOfAReplacedSegment: a reader that knows a segment by its old name
// finds the new one.
func TestReaderOfAReplacedSegment(t *testing.T) {
	for _, read := range []func(context.Context, *logReader) error{
		func(ctx context.Context, r *logReader) error {
			raws, err := r.span(ctx, 0, 10, 100)
			if err == nil && len(raws) != 10 {
				err = fmt.Errorf("%d actions", len(raws))
			}
			return err
		},
		func(ctx context.Context, r *logReader) error {
			got, err := r.cells(ctx, []logCell{{'b', 10}, {'b', 2}, {'a', 1}})
			if err == nil && (len(got[logCell{'b', 10}]) == 0 || len(got[logCell{'b', 2}]) == 0 || len(got[logCell{'a', 1}]) == 0) {
				err = fmt.Errorf("cells %v", got)
			}
			return err
		},
	} {
		s, first := sealedMail(t, 40)
		done := errors.New("not done")
		s.spawnFiber(func() { done = read(t.Context(), s.history) })
		for held := s.newest(); held.table != persistence.Archive; {
			s.proceed(0)
		}
		held := s.fibers[0]
		s.fibers = nil
		before := segmentNames(t, s)
		s.purge(first)
		if after := segmentNames(t, s); after[0] == before[0] || len(after) != len(before) {
			t.Fatalf("segments were %q, are %q", before, after)
		}
		s.fibers = []*fiber{held}
		for len(s.fibers) > 0 {
			s.proceed(0)
		}
		if done != nil {
			t.Error(done)
		}
		s.kill()
	}
}

// sealedMail is a mailbox with n mails, of which more than ten are sealed.
func sealedMail(t *testing.T, n int) (s *stage, first parley.MessageID) {
	t.Helper()
	s = newStage(t, newMemory(), accountID("ana"), 1, 1, 2000)
	for i := range n {
		m := mailOf("ana", i, strings.Repeat("text ", 20))
		if i == 0 {
			first = m.Message.ID
		}
		s.clock = at(i)
		if _, err := s.do(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.quiet(); err != nil || s.sealed < 10 {
		t.Fatalf("sealed are %d: %v", s.sealed, err)
	}
	return s, first
}

// purge deletes a message for good, and waits until nothing is left of it.
func (s *stage) purge(id parley.MessageID) {
	s.t.Helper()
	for _, key := range []string{"trash", "purge"} {
		c := parley.Command{ID: testSecret.Command(accountID("ana"), key+string(id)), First: s.clock}
		if _, err := s.do(mailbox.DeleteMessage{Cmd: c, Message: id}); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := s.quiet(); err != nil {
		s.t.Fatal(err)
	}
}

func segmentNames(t *testing.T, s *stage) (names []string) {
	t.Helper()
	err := eachNamed(t.Context(), s.store, s.table, s.row, func(c codec.Segment) error { names = append(names, fmt.Sprintf("%x", c.Name)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return names
}
