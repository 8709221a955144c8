package actors

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/faulty"
)

// A long tail, as an import leaves it, is not read to its end for every segment; one
// that purges have made short is, and its size is then exact.
func TestSealingReadsWhatItSeals(t *testing.T) {
	inner, err := embedded.Open(embedded.Config{Dir: "store", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	store := faulty.New(inner, nil)
	const n, size = 2000, 1000
	var cells []persistence.Cell
	for i := range uint64(n) {
		cells = append(cells, persistence.Cell{Family: persistence.Log, Qualifier: actionQualifier(i + 1), Version: 1, Value: make([]byte, size)})
	}
	row := []byte("row")
	if err := store.Put(t.Context(), persistence.Mailbox, row, cells); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name             string
		segment, applied uint64
		last, rest       uint64
		cells            int64
	}{
		{"a full segment", 150 * size, n, 150, 7_000_000 - 150*size, 200},
		{"little is in the pages", 150 * size, 10, 10, 7_000_000 - 10*size, 200},
		{"no full segment", 3000 * size, n, n, 0, n},
	} {
		a := &activation{rowConfig: rowConfig{store: store, table: persistence.Mailbox, row: row, tune: tuning{segment: tc.segment}}}
		before := store.Counts()
		part, err := (&archiver{a: a}).oldest(t.Context(), view{applied: tc.applied, committed: n, tail: 7_000_000})
		read := store.Counts().Since(before).CellsRead
		if err != nil || part.last != tc.last || part.bytes != tc.last*size || part.rest != tc.rest || read != tc.cells {
			t.Errorf("%s: last %d, %d bytes, rest %d, %d cells read, %v", tc.name, part.last, part.bytes, part.rest, read, err)
		}
	}
}
