package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parley-im/parley/persistence"
)

func check(qualifier string, want []byte) persistence.Check {
	return persistence.Check{Family: persistence.Log, Qualifier: []byte(qualifier), Want: want}
}

func (f *fixture) commit(row []byte, c persistence.Check, cells ...persistence.Cell) error {
	return f.Commit(f.t.Context(), table, row, c, cells)
}

func checkAbsent(t *testing.T, s *fixture) {
	row := s.row("r")
	if err := s.commit(row, check("fence", nil), cell(persistence.Log, "fence", 1, "a")); err != nil {
		t.Fatalf("on an absent row: %v", err)
	}
	s.wantCheckFailed(s.commit(row, check("fence", nil), cell(persistence.Log, "fence", 2, "b")))
	if err := s.commit(row, check("other", nil), cell(persistence.Log, "q", 2, "c")); err != nil {
		t.Fatalf("on an absent cell of a row: %v", err)
	}
	s.erase(row, dead(persistence.Log, "fence", 1))
	if err := s.commit(row, check("fence", nil), cell(persistence.Log, "fence", 3, "d")); err != nil {
		t.Fatalf("on an erased cell: %v", err)
	}
}

func checkValue(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "fence", 1, "one"))
	if err := s.commit(row, check("fence", []byte("one")), cell(persistence.Log, "fence", 2, "two"), cell(persistence.Meta, "m", 2, "x")); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"one", "tw", "twoo", "TWO", ""} {
		s.wantCheckFailed(s.commit(row, check("fence", []byte(wrong)), cell(persistence.Log, "fence", 3, "three")))
	}
	s.wantCheckFailed(s.commit(row, check("none", []byte("x")), cell(persistence.Log, "fence", 3, "three")))
	s.want(row, all(persistence.Log), cell(persistence.Log, "fence", 2, "two"))
}

func checkEmptyValue(t *testing.T, s *fixture) {
	row := s.row("r")
	s.wantCheckFailed(s.commit(row, check("fence", []byte{}), cell(persistence.Log, "q", 1, "x")))
	s.put(row, cell(persistence.Log, "fence", 1, ""))
	s.wantCheckFailed(s.commit(row, check("fence", nil), cell(persistence.Log, "q", 1, "x")))
	if err := s.commit(row, check("fence", []byte{}), cell(persistence.Log, "q", 1, "x")); err != nil {
		t.Errorf("an empty value that is there: %v", err)
	}
}

func failedCheckWritesNothing(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "fence", 1, "mine"))
	s.wantCheckFailed(s.commit(row, check("fence", []byte("yours")),
		cell(persistence.Log, "fence", 2, "yours"), cell(persistence.Meta, "m", 2, "x"), cell(persistence.Search, "s", 2, "x")))
	s.want(row, all(persistence.Log), cell(persistence.Log, "fence", 1, "mine"))
	s.want(row, all(persistence.Meta))
	s.want(row, all(persistence.Search))
	s.wantCheckFailed(s.commit(s.row("no row"), check("fence", []byte("x")), cell(persistence.Log, "q", 1, "x")))
	if got := s.rowsFrom("", 10); len(got) != 1 {
		t.Errorf("a failed commit made a row: %q", got)
	}
}

func severalFamilies(t *testing.T, s *fixture) {
	row := s.row("r")
	l, m, x := cell(persistence.Log, "q", 1, "l"), cell(persistence.Meta, "q", 1, "m"), cell(persistence.Search, "q", 7, "s")
	if err := s.commit(row, check("q", nil), l, m, x); err != nil {
		t.Fatal(err)
	}
	s.want(row, all(persistence.Log), l)
	s.want(row, all(persistence.Meta), m)
	s.want(row, all(persistence.Search), x)
}

// oneWinner lets many compare-and-set one cell from the same value, round by round.
func oneWinner(t *testing.T, s *fixture) {
	const callers, rounds = 16, 25
	row := s.row("r")
	var held []byte
	for round := uint64(1); round <= rounds; round++ {
		var wins atomic.Int32
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				value := fmt.Sprintf("round %d caller %d", round, i)
				err := s.commit(row, check("fence", held), cell(persistence.Log, "fence", round, value), cell(persistence.Meta, "m", round, value))
				if err == nil {
					wins.Add(1)
				} else if !errors.Is(err, persistence.ErrCheckFailed) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		got := s.read(row, persistence.Exactly(persistence.Log, []byte("fence")), persistence.Exactly(persistence.Meta, []byte("m")))
		if wins.Load() != 1 || string(got[0][0].Value) != string(got[1][0].Value) {
			t.Fatalf("round %d: %d won, row holds %s and %s", round, wins.Load(), show(got[0]), show(got[1]))
		}
		held = got[0][0].Value
	}
}

func refusals(t *testing.T, s *fixture) {
	row := s.row("r")
	good := cell(persistence.Log, "good", 1, "x")
	for name, cells := range map[string][]persistence.Cell{
		"a cell twice":     {good, cell(persistence.Log, "q", 1, "1"), cell(persistence.Log, "q", 2, "2")},
		"version 0":        {good, cell(persistence.Log, "q", 0, "1")},
		"version too high": {good, cell(persistence.Log, "q", persistence.MaxVersion+1, "1")},
		"unknown family":   {good, cell("nope", "q", 1, "1")},
		"no cells at all":  nil,
	} {
		if err := s.Put(t.Context(), table, row, cells); err == nil || persistence.Ambiguous(err) {
			t.Errorf("%s: got %v, want a clear refusal", name, err)
		}
	}
	if err := s.Put(t.Context(), "nope", row, []persistence.Cell{good}); err == nil {
		t.Error("unknown table was taken")
	}
	if err := s.Put(t.Context(), table, nil, []persistence.Cell{good}); err == nil {
		t.Error("empty row key was taken")
	}
	s.want(row, all(persistence.Log))
}

func endedContext(t *testing.T, s *fixture) {
	row := s.row("r")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.Put(ctx, table, row, []persistence.Cell{cell(persistence.Log, "q", 1, "x")})
	if err == nil || persistence.Ambiguous(err) {
		t.Errorf("got %v, want a clear refusal", err)
	}
	s.want(row, all(persistence.Log))
}
