package faulty

import (
	"errors"
	"testing"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/storetest"
)

func inner(t *testing.T) persistence.Store {
	t.Helper()
	s, err := embedded.Open(embedded.Config{Dir: "/store", FS: crashfs.New(1)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStoreBehindFaults(t *testing.T) {
	seed := uint64(0)
	storetest.Run(t, func(t *testing.T) persistence.Store {
		seed++
		t.Logf("faults of seed %d", seed)
		return New(inner(t), Seeded(seed, Rates{Refuse: 8, LoseAnswer: 8, LoseRequest: 8}))
	})
}

func TestOutcomes(t *testing.T) {
	row, q := []byte("r"), []byte("q")
	held := persistence.Check{Family: persistence.Log, Qualifier: q}
	wrong := persistence.Check{Family: persistence.Log, Qualifier: q, Want: []byte("wrong")}
	for _, tc := range []struct {
		name             string
		outcome          Outcome
		check            persistence.Check
		failed, unknown  bool
		checkFailed, put bool
	}{
		{name: "pass", outcome: Pass, check: held, put: true},
		{name: "pass, check fails", outcome: Pass, check: wrong, failed: true, checkFailed: true},
		{name: "refuse", outcome: Refuse, check: held, failed: true},
		{name: "lose the answer", outcome: LoseAnswer, check: held, failed: true, unknown: true, put: true},
		{name: "lose the answer, check fails", outcome: LoseAnswer, check: wrong, failed: true, unknown: true},
		{name: "lose the request", outcome: LoseRequest, check: held, failed: true, unknown: true},
		{name: "ignore the check", outcome: IgnoreCheck, check: wrong, put: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := New(inner(t), Script(tc.outcome))
			defer s.Close()
			cells := []persistence.Cell{{Family: persistence.Log, Qualifier: q, Version: 1, Value: []byte("v")}}
			err := s.Commit(t.Context(), persistence.Mailbox, row, tc.check, cells)
			if (err != nil) != tc.failed || persistence.Ambiguous(err) != tc.unknown || errors.Is(err, persistence.ErrCheckFailed) != tc.checkFailed {
				t.Errorf("commit: got %v, want failed %t, unknown %t, check failed %t", err, tc.failed, tc.unknown, tc.checkFailed)
			}
			got, err := s.Read(t.Context(), persistence.Mailbox, row, persistence.Exactly(persistence.Log, q))
			if err != nil || (len(got[0]) == 1) != tc.put {
				t.Errorf("read: got %d cells, %v, want put %t", len(got[0]), err, tc.put)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	s := New(inner(t), Nth(Commit, 2, Refuse))
	defer s.Close()
	row := []byte("r")
	cells := []persistence.Cell{{Family: persistence.Log, Qualifier: []byte("q"), Version: 1, Value: []byte("1234")}, {Family: persistence.Meta, Qualifier: []byte("q"), Version: 1}}
	before := s.Counts()
	for range 3 {
		s.Commit(t.Context(), persistence.Mailbox, row, persistence.Check{Family: persistence.Log, Qualifier: []byte("none")}, cells)
	}
	s.Read(t.Context(), persistence.Mailbox, row, persistence.Exactly(persistence.Log, []byte("q")))
	s.Erase(t.Context(), persistence.Mailbox, row, persistence.Dead{Family: persistence.Log, Qualifier: []byte("q"), UpTo: 1})
	s.Rows(t.Context(), persistence.Mailbox, nil, 5)
	want := Counts{Commits: 3, Reads: 1, Erases: 1, Rows: 1, CellsPut: 4, BytesPut: 12, CellsRead: 1, BytesRead: 5, CellsErased: 1}
	if got := s.Counts().Since(before); got != want || got.Ops() != 6 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
