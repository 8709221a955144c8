package embedded

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// The keys and values on disk are for ever: a change of this golden is a change of the layout version.
func TestLayoutGolden(t *testing.T) {
	s := openOn(t, crashfs.New(1))
	defer closed(t, s)
	tables := []persistence.Table{persistence.Mailbox, persistence.Thread, persistence.Archive, persistence.Directory, persistence.Account, persistence.Reminder}
	families := []persistence.Family{persistence.Log, persistence.Meta, persistence.Search, persistence.Arch, persistence.Dir, persistence.Remind}
	for i, table := range tables {
		cells := []persistence.Cell{{Family: families[i], Qualifier: []byte{0, 7}, Version: 1<<32 | 2, Value: []byte("value")}}
		if err := s.Put(t.Context(), table, []byte{0x2a, 0, 'x', byte('0' + i)}, cells); err != nil {
			t.Fatal(err)
		}
	}
	var got strings.Builder
	it, err := s.db.NewIter(&pebble.IterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		fmt.Fprintf(&got, "%s = %s\n", hex.EncodeToString(it.Key()), hex.EncodeToString(it.Value()))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/layout.txt", got.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n got\n%s\nwant\n%s", file, got, want)
	}
}

func FuzzRowKey(f *testing.F) {
	for _, r := range []string{"", "\x00", "\x00\x01", "\x00\xff", "a\x00", "a", "ab", "\xff\xff", "\x00\x00\x01"} {
		f.Add([]byte(r), []byte("a\x00b"), []byte("q\x00\x01"))
	}
	f.Fuzz(func(t *testing.T, a, b, q []byte) {
		ka, kb := rowKey('m', a), rowKey('m', b)
		if got, err := rowOf(cellKey(ka, 'l', q)); err != nil || !bytes.Equal(got, a) {
			t.Errorf("row %x came back as %x, %v", a, got, err)
		}
		if got, want := bytes.Compare(cellKey(ka, 'l', q), kb), bytes.Compare(a, b); want != 0 && got != want {
			t.Errorf("rows %x and %x compare as %d, their keys as %d", a, b, want, got)
		}
		if n := rowLen(cellKey(ka, 'l', q)); n != len(ka) {
			t.Errorf("row %x has a key of %d bytes, split at %d", a, len(ka), n)
		}
		if bytes.Compare(cellKey(ka, 0xff, q), afterRow(ka)) >= 0 || bytes.Compare(a, b) < 0 && bytes.Compare(afterRow(ka), kb) >= 0 {
			t.Errorf("the end of row %x is at %x, row %x at %x", a, afterRow(ka), b, kb)
		}
	})
}

// Pebble's rules for Split and its companions hold for keys that were never stored, too.
func FuzzComparer(f *testing.F) {
	f.Add([]byte("m\x00\x01l"), []byte("m\x00\x02"))
	f.Add([]byte("m\x00\xff\x00\x01l\x00"), []byte("m\x00"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if bytes.Compare(a, b) > 0 {
			a, b = b, a
		}
		pa, pb := a[:rowLen(a)], b[:rowLen(b)]
		if bytes.Compare(pa, pb) > 0 {
			t.Errorf("%x < %x but prefixes %x > %x", a, b, pa, pb)
		}
		if rowLen(pa) != len(pa) {
			t.Errorf("prefix %x of %x splits again at %d", pa, a, rowLen(pa))
		}
		next := comparer.ImmediateSuccessor(nil, pa)
		if rowLen(next) != len(next) || bytes.Compare(pa, next) >= 0 {
			t.Errorf("successor of %x is %x", pa, next)
		}
		if len(pa) < len(a) && bytes.Compare(a, next) >= 0 {
			t.Errorf("successor %x of %x is not behind its key %x", next, pa, a)
		}
	})
}

func TestKeysDoNotShareMemory(t *testing.T) {
	row := slices.Grow(rowKey('m', []byte("r")), 100)
	a, b := cellKey(row, 'l', []byte("a")), cellKey(row, 'l', []byte("b"))
	if bytes.Equal(a, b) {
		t.Error("two cell keys of one row are one")
	}
}
