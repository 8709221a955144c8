package storetest

import (
	"testing"

	"github.com/parley-im/parley/persistence"
)

func newestShown(t *testing.T, s *fixture) {
	row := s.row("r")
	for v := uint64(1); v < 5; v++ {
		s.put(row, cell(persistence.Log, "q", v<<32|v, string(rune('a'+v))))
	}
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 4<<32|4, "e"))
}

func lateLowerPut(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 5, "new"), cell(persistence.Log, "p", 2, "old"))
	s.put(row, cell(persistence.Log, "q", 4, "late"), cell(persistence.Log, "p", 4, "newer"), cell(persistence.Log, "r", 4, "only"))
	s.want(row, all(persistence.Log), cell(persistence.Log, "p", 4, "newer"),
		cell(persistence.Log, "q", 5, "new"), cell(persistence.Log, "r", 4, "only"))
	check := persistence.Check{Family: persistence.Log, Qualifier: []byte("q"), Want: []byte("new")}
	if err := s.Commit(t.Context(), table, row, check, []persistence.Cell{cell(persistence.Log, "q", 3, "later still")}); err != nil {
		t.Fatalf("a commit of hidden cells: %v", err)
	}
	s.want(row, persistence.Exactly(persistence.Log, []byte("q")), cell(persistence.Log, "q", 5, "new"))
}

func equalReplaces(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 5, "first"))
	s.put(row, cell(persistence.Log, "q", 5, "second"))
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 5, "second"))
}

func versionsPerCell(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", persistence.MaxVersion, "far ahead"))
	s.put(row, cell(persistence.Log, "p", 1, "1"), cell(persistence.Meta, "q", 1, "1"))
	s.put(s.row("other"), cell(persistence.Log, "q", 1, "1"))
	s.want(row, all(persistence.Log), cell(persistence.Log, "p", 1, "1"), cell(persistence.Log, "q", persistence.MaxVersion, "far ahead"))
	s.want(row, all(persistence.Meta), cell(persistence.Meta, "q", 1, "1"))
	s.want(s.row("other"), all(persistence.Log), cell(persistence.Log, "q", 1, "1"))
}

func dead(f persistence.Family, qualifier string, upTo uint64) persistence.Dead {
	return persistence.Dead{Family: f, Qualifier: []byte(qualifier), UpTo: upTo}
}

func eraseUpTo(t *testing.T, s *fixture) {
	row := s.row("r")
	kept := cell(persistence.Log, "c", 9, "kept")
	s.put(row, cell(persistence.Log, "a", 5, "1"), cell(persistence.Log, "b", 5, "2"), cell(persistence.Meta, "a", 5, "3"), kept)
	s.put(row, cell(persistence.Log, "a", 6, "1"))
	s.erase(row, dead(persistence.Log, "a", 6), dead(persistence.Log, "b", 7), dead(persistence.Meta, "a", 5))
	s.want(row, all(persistence.Log), kept)
	s.want(row, all(persistence.Meta))
}

func eraseKeepsNewer(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 5, "old"))
	s.put(row, cell(persistence.Log, "q", 6, "new"))
	s.erase(row, dead(persistence.Log, "q", 5))
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 6, "new"))
}

func erasePutAgain(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 5, "old"))
	s.erase(row, dead(persistence.Log, "q", 5))
	s.want(row, all(persistence.Log))
	s.put(row, cell(persistence.Log, "q", 6, "again"))
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 6, "again"))
	s.erase(row, dead(persistence.Log, "q", 5)) // the same erase, come late
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 6, "again"))
}

func eraseRepeats(t *testing.T, s *fixture) {
	row := s.row("r")
	kept := cell(persistence.Log, "a", 1, "kept")
	s.put(row, kept, cell(persistence.Log, "q", 5, "old"))
	for range 3 {
		s.erase(row, dead(persistence.Log, "q", 5), dead(persistence.Log, "q", 5))
		s.want(row, all(persistence.Log), kept)
	}
}

func eraseAbsent(t *testing.T, s *fixture) {
	row := s.row("r")
	s.erase(row, dead(persistence.Log, "q", 5))
	s.erase(row)
	s.put(row, cell(persistence.Log, "q", 6, "kept"))
	s.erase(row, dead(persistence.Log, "none", 9))
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 6, "kept"))
	if got := s.rowsFrom("", 10); len(got) != 1 {
		t.Errorf("rows: got %q, want r", got)
	}
}
