package storetest

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/parley-im/parley/persistence"
)

// fixture is one subtest's store, with a table and rows that no other subtest uses.
type fixture struct {
	persistence.Store // repeats what failed clearly
	t                 *testing.T
	prefix            []byte
}

const table = persistence.Mailbox

func newFixture(t *testing.T, open Open) *fixture {
	t.Helper()
	s := open(t)
	t.Cleanup(func() { s.Close() }) // the second time where a subtest has closed it
	prefix := make([]byte, 8)
	rand.Read(prefix)
	t.Logf("rows start with %x", prefix)
	return &fixture{Store: &insist{s}, t: t, prefix: prefix}
}

// row names a row of this subtest.
func (f *fixture) row(name string) []byte { return append(bytes.Clone(f.prefix), name...) }

func cell(fam persistence.Family, qualifier string, version uint64, value string) persistence.Cell {
	return persistence.Cell{Family: fam, Qualifier: []byte(qualifier), Version: version, Value: []byte(value)}
}

func all(fam persistence.Family) persistence.Range {
	return persistence.Range{Family: fam, Limit: 1 << 20}
}

func (f *fixture) put(row []byte, cells ...persistence.Cell) {
	f.t.Helper()
	if err := f.Put(f.t.Context(), table, row, cells); err != nil {
		f.t.Fatalf("put: %v", err)
	}
}

func (f *fixture) read(row []byte, ranges ...persistence.Range) [][]persistence.Cell {
	f.t.Helper()
	got, err := f.Read(f.t.Context(), table, row, ranges...)
	if err != nil {
		f.t.Fatalf("read: %v", err)
	}
	if len(got) != len(ranges) {
		f.t.Fatalf("read of %d ranges gave %d", len(ranges), len(got))
	}
	return got
}

func (f *fixture) erase(row []byte, dead ...persistence.Dead) {
	f.t.Helper()
	if err := f.Erase(f.t.Context(), table, row, dead...); err != nil {
		f.t.Fatalf("erase: %v", err)
	}
}

// want compares a range with the cells that should be there.
func (f *fixture) want(row []byte, r persistence.Range, want ...persistence.Cell) {
	f.t.Helper()
	got := f.read(row, r)[0]
	if !slices.EqualFunc(got, want, sameCell) {
		f.t.Fatalf("range %s [%x, %x) limit %d:\n got %s\nwant %s", r.Family, r.From, r.To, r.Limit, show(got), show(want))
	}
}

func (f *fixture) wantCheckFailed(err error) {
	f.t.Helper()
	if !errors.Is(err, persistence.ErrCheckFailed) {
		f.t.Fatalf("got %v, want ErrCheckFailed", err)
	}
}

// rowsFrom lists this subtest's rows.
func (f *fixture) rowsFrom(from string, limit int) []string {
	f.t.Helper()
	rows, err := f.Rows(f.t.Context(), table, f.row(from), limit)
	if err != nil {
		f.t.Fatalf("rows: %v", err)
	}
	var names []string
	for _, r := range rows {
		if name, ours := bytes.CutPrefix(r, f.prefix); ours {
			names = append(names, string(name))
		}
	}
	return names
}

func sameCell(a, b persistence.Cell) bool {
	return a.Family == b.Family && a.Version == b.Version &&
		bytes.Equal(a.Qualifier, b.Qualifier) && bytes.Equal(a.Value, b.Value)
}

func show(cells []persistence.Cell) string {
	var b bytes.Buffer
	for i, c := range cells {
		if i == 20 {
			fmt.Fprintf(&b, "... %d cells", len(cells))
			break
		}
		fmt.Fprintf(&b, "%s:%q@%d=%.40q ", c.Family, c.Qualifier, c.Version, c.Value)
	}
	return b.String()
}
