package codec

import (
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-im/parley/actors/codec/filled"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// cell is one cell of a table: what it is, and its value in both forms.
type cell struct {
	name  string
	value any
	bytes []byte
}

// mailboxCells are one of each kind that table mailbox has, every field set.
func mailboxCells(t *testing.T) []cell {
	c := values(1, true)
	cells := commonCells(c)
	for _, a := range actions(c) {
		b, err := EncodeAction(&a)
		cells = append(cells, encoded(t, "action", a, b, err))
	}
	list := pages(c)
	for _, k := range slices.Sorted(maps.Keys(list)) {
		b, err := EncodePage(k, list[k])
		cells = append(cells, encoded(t, "page "+fmt.Sprintf("%q", k), list[k], b, err))
	}
	return cells
}

func threadCells(t *testing.T) []cell {
	c := values(1, true)
	e := filled.Value[thread.Event](c)
	b, err := EncodeEvent(&e)
	cells := append(commonCells(c), encoded(t, "event", e, b, err))
	list := threadPages(c)
	for _, k := range slices.Sorted(maps.Keys(list)) {
		b, err := EncodeThreadPage(k, list[k])
		cells = append(cells, encoded(t, "page "+fmt.Sprintf("%q", k), list[k], b, err))
	}
	return cells
}

// commonCells are the cells of both tables.
func commonCells(c filled.Config) []cell {
	f, m := filled.Value[Fence](c), filled.Value[Mark](c)
	s := Segment{First: 12, Last: 3456, Name: filled.Value[Segment](c).Name, Bytes: 4 << 20}
	return []cell{{"fence", f, EncodeFence(f)}, {"mark", m, EncodeMark(m)}, {"segment", s, EncodeSegment(s)}}
}

func encoded(t *testing.T, name string, value any, b []byte, err error) cell {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return cell{name, value, b}
}

// TestGolden pins the bytes of each table. A change of the form keeps the old
// file under another name: what was written once is read for ever.
func TestGolden(t *testing.T) {
	for table, cells := range map[string][]cell{"mailbox": mailboxCells(t), "thread": threadCells(t)} {
		t.Run(table, func(t *testing.T) {
			var b strings.Builder
			for _, c := range cells {
				fmt.Fprintf(&b, "%s\n%s%s\n", c.name, show(c.value), dump(c.bytes))
			}
			path := filepath.Join("testdata", table+".txt")
			if *rewrite {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != string(want) {
				t.Errorf("%s has changed (-rewrite writes it anew):\n%s", path, firstChange(got, string(want)))
			}
		})
	}
}

// TestGoldenIsRead reads the bytes of every golden file, also of old forms.
func TestGoldenIsRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 2 {
		t.Fatalf("golden files: %v, %v", files, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
			name, rest, _ := strings.Cut(block, "\n")
			t.Run(filepath.Base(path)+"/"+name, func(t *testing.T) { readBlock(t, path, name, rest) })
		}
	}
}

func readBlock(t *testing.T, path, name, rest string) {
	at := strings.Index(rest, "  = ")
	b, err := hex.DecodeString(strings.NewReplacer("  = ", "", "\n", "").Replace(rest[at:]))
	if err != nil {
		t.Fatal(err)
	}
	value, err := decodeCell(strings.Contains(path, "thread"), name, b)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(value), rest[:at]; got != want {
		t.Errorf("%s", firstChange(got, want))
	}
}

func decodeCell(room bool, name string, b []byte) (any, error) {
	var key string
	fmt.Sscanf(name, "page %q", &key)
	switch {
	case name == "fence":
		return DecodeFence(b)
	case name == "mark":
		return DecodeMark(b)
	case name == "segment":
		return DecodeSegment(b)
	case name == "event":
		return DecodeEvent(b)
	case name == "action":
		return DecodeAction(b)
	case room:
		return DecodeThreadPage(key, b)
	}
	return DecodePage(mailbox.Key(key), b)
}
