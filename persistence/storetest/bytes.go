package storetest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parley-im/parley/persistence"
)

// hardBytes are those at which escapes, prefixes and terminators go wrong.
var hardBytes = []string{"\x00", "\x00\x00", "\x00\x01", "\x00\x02", "\x00\xff", "\x01", "a", "a\x00", "a\x00\x01", "a\x00\xff", "aa", "\xfe", "\xff", "\xff\x00", "\xff\xff"}

func binaryQualifiers(t *testing.T, s *fixture) {
	row := s.row("r")
	var want []persistence.Cell
	for i, q := range append([]string{""}, hardBytes...) {
		c := cell(persistence.Log, q, 1, fmt.Sprint(i))
		want = append(want, c)
		s.put(row, c)
	}
	s.want(row, all(persistence.Log), want...)
	for i, c := range want {
		s.want(row, persistence.Exactly(persistence.Log, c.Qualifier), c)
		s.want(row, persistence.Range{Family: persistence.Log, From: c.Qualifier, Limit: 100}, want[i:]...)
		s.want(row, persistence.Range{Family: persistence.Log, To: c.Qualifier, Limit: 100}, want[:i]...)
	}
}

func binaryRows(t *testing.T, s *fixture) {
	for _, r := range hardBytes {
		s.put(s.row(r), cell(persistence.Log, r, 1, r))
	}
	for _, r := range hardBytes {
		s.want(s.row(r), all(persistence.Log), cell(persistence.Log, r, 1, r))
	}
	if got := s.rowsFrom("", 1000); !slices.Equal(got, hardBytes) {
		t.Errorf("rows: got %q, want %q", got, hardBytes)
	}
}

func tenThousandCells(t *testing.T, s *fixture) {
	row := s.row("r")
	const n, page = 10_000, 1000
	var want []persistence.Cell
	for i := range n {
		want = append(want, cell(persistence.Log, string(binary.BigEndian.AppendUint64(nil, uint64(i))), 1, fmt.Sprint(i)))
	}
	for part := range slices.Chunk(want, page) {
		s.put(row, part...)
	}
	s.want(row, all(persistence.Log), want...)
	for i := 0; i < n; i += page {
		s.want(row, persistence.Range{Family: persistence.Log, From: want[i].Qualifier, Limit: page}, want[i:i+page]...)
	}
}

func bigValue(t *testing.T, s *fixture) {
	row := s.row("r")
	rng := rand.NewChaCha8([32]byte{1})
	big := make([]byte, 4<<20)
	rng.Read(big)
	c := persistence.Cell{Family: persistence.Search, Qualifier: []byte("segment"), Version: 1, Value: big}
	for _, v := range []uint64{1, 2, 3} {
		c.Version = v
		s.put(row, c)
	}
	if got := s.read(row, all(persistence.Search))[0]; len(got) != 1 || !sameCell(got[0], c) {
		t.Errorf("got %s", show(got))
	}
}
