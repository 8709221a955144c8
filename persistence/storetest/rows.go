package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parley-im/parley/persistence"
)

func rowsInOrder(t *testing.T, s *fixture) {
	var want []string
	for i := range 20 {
		name := fmt.Sprintf("%02d", i)
		want = append(want, name)
		s.put(s.row(name), cell(persistence.Log, "a", 1, "1"), cell(persistence.Log, "b", 1, "1"), cell(persistence.Search, "c", 1, "1"))
	}
	if got := s.rowsFrom("", 20); !slices.Equal(got, want) {
		t.Errorf("all: got %q, want %q", got, want)
	}
	if got := s.rowsFrom("05", 3); !slices.Equal(got, want[5:8]) {
		t.Errorf("three from 05: got %q, want %q", got, want[5:8])
	}
	if got := s.rowsFrom("055", 2); !slices.Equal(got, want[6:8]) {
		t.Errorf("two from between: got %q, want %q", got, want[6:8])
	}
	if got := s.rowsFrom("99", 5); len(got) != 0 {
		t.Errorf("behind the last: got %q", got)
	}
	if _, err := s.Rows(t.Context(), table, nil, 0); err == nil {
		t.Error("rows without a limit were listed")
	}
}

func rowsVanish(t *testing.T, s *fixture) {
	row := s.row("b")
	s.put(s.row("a"), cell(persistence.Log, "q", 1, "1"))
	s.put(row, cell(persistence.Log, "q", 1, "1"), cell(persistence.Search, "q", 2, "2"))
	s.put(s.row("c"), cell(persistence.Log, "q", 1, "1"))
	s.erase(row, dead(persistence.Log, "q", 1))
	if got := s.rowsFrom("", 10); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("with one cell left: got %q", got)
	}
	s.erase(row, dead(persistence.Search, "q", 2))
	if got := s.rowsFrom("", 10); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("with no cell left: got %q", got)
	}
	s.put(row, cell(persistence.Log, "q", 3, "again"))
	if got := s.rowsFrom("", 10); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("put again: got %q", got)
	}
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 3, "again"))
}

func closedRefuses(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 1, "x"))
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	if err := s.Put(t.Context(), table, row, []persistence.Cell{cell(persistence.Log, "q", 2, "x")}); err == nil || persistence.Ambiguous(err) {
		t.Errorf("put: got %v, want a clear refusal", err)
	}
	if _, err := s.Read(t.Context(), table, row, all(persistence.Log)); err == nil {
		t.Error("read after close succeeded")
	}
}
