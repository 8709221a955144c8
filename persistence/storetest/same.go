package storetest

import (
	"slices"
	"testing"

	"github.com/parley-im/parley/persistence"
)

// Same fails the test where two stores do not hold the same rows, cell by cell:
// qualifier, version and value. It gives the number of cells.
func Same(t testing.TB, one, other persistence.Store, families map[persistence.Table][]persistence.Family) (cells int) {
	t.Helper()
	for table, fs := range families {
		rows, err := one.Rows(t.Context(), table, nil, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		want, err := other.Rows(t.Context(), table, nil, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(rows, want, slices.Equal[[]byte]) {
			t.Errorf("rows of %s:\n got %x\nwant %x", table, rows, want)
		}
		for _, row := range rows {
			cells += sameRow(t, one, other, table, row, fs)
		}
	}
	return cells
}

func sameRow(t testing.TB, one, other persistence.Store, table persistence.Table, row []byte, families []persistence.Family) (cells int) {
	t.Helper()
	for _, f := range families {
		got, err := one.Read(t.Context(), table, row, all(f))
		if err != nil {
			t.Fatal(err)
		}
		want, err := other.Read(t.Context(), table, row, all(f))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got[0], want[0], sameCell) {
			t.Errorf("%s row %x family %s:\n got %s\nwant %s", table, row, f, show(got[0]), show(want[0]))
		}
		cells += len(got[0])
	}
	return cells
}
