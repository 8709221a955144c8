package portable

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

// Links and names that lead out are passed over, and counted.
func TestNamesThatLeadOut(t *testing.T) {
	entries := []entry{
		{name: "cur/1.a", text: "one"}, {name: "../cur/2.a", text: "out"}, {name: "cur/../../3.a", text: "out"}, {name: "/cur/4.a", text: "out"},
		{name: "cur/5.a", link: true}, {name: "cur/../cur/6.a", text: "roundabout"}, {name: "cur/deep/7.a", text: "no message"},
	}
	for name, raw := range map[string][]byte{"zip": zipOf(t, entries...), "tar": tarOf(t, entries...)} {
		got, r, err := letters(raw, "x", 0)
		if err != nil || len(got) != 1 || !strings.Contains(got[0], "one") || r.Special == 0 {
			t.Errorf("%s: got %q, %v, %d special", name, got, err, r.Special)
		}
	}
	for name, want := range map[string]string{"./a/b/": "a/b", "a": "a", "./": "", "a..b/..c": "a..b/..c"} {
		if got, ok := clean(name); got != want || !ok {
			t.Errorf("%q: got %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"..", "../a", "a/../b", "a//b", "/a", "a/./b", "a\x00b", "./../a"} {
		if got, ok := clean(name); ok {
			t.Errorf("%q: got %q", name, got)
		}
	}
}

// What would unpack to more than it may is an error, before it is in memory.
func TestBombs(t *testing.T) {
	big := strings.Repeat("\x00", 3<<20)
	for name, raw := range map[string][]byte{
		"zip": zipOf(t, entry{name: "cur/1", text: big}, entry{name: "cur/2", text: big}),
		"tar": gzipped(t, tarOf(t, entry{name: "cur/1", text: big}, entry{name: "cur/2", text: big})),
		"box": gzipped(t, []byte("From a\n\n"+big+"\n\nFrom b\n\n"+big)),
	} {
		s, err := Archive(bytes.NewReader(raw), int64(len(raw)), "x")
		if err != nil {
			t.Fatal(err)
		}
		s.b.most = 4 << 20
		for range 2 { // each pass has the whole budget
			n := 0
			r := Reader{Folder: parley.Inbox, Take: func(Letter) error { n++; return nil }}
			if err := r.Read(s); parley.CodeOf(err) != parley.TooLarge || n > 1 {
				t.Errorf("%s: %d letters, %v", name, n, err)
			}
		}
	}
	many := gzipped(t, []byte(strings.Repeat("From a@b Mon May  6 07:08:09 2024\nX: y\n\nz\n\n", 3)))
	s, err := Archive(bytes.NewReader(many), int64(len(many)), "x")
	if err != nil {
		t.Fatal(err)
	}
	s.b.files = 2
	if _, err := s.Count(); parley.CodeOf(err) != parley.TooLarge {
		t.Errorf("too many messages: %v", err)
	}
}

// A directory that takes too much memory is not read.
func TestDirectoryOfAZip(t *testing.T) {
	raw := zipOf(t, slices.Repeat([]entry{{name: strings.Repeat("x", 60_000)}}, 300)...)
	if _, err := Archive(bytes.NewReader(raw), int64(len(raw)), "x"); parley.CodeOf(err) != parley.TooLarge {
		t.Errorf("got %v", err)
	}
}

// failing breaks in the middle, as a disk does.
type failing struct{ *bytes.Reader }

var errDisk = errors.New("the disk is ill")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.Reader.ReadAt(p, off)
	if off+int64(n) > 3000 {
		return 0, errDisk
	}
	return n, err
}

// A flipped byte is the archive's fault, a bad disk is not.
func TestDamage(t *testing.T) {
	text := strings.Repeat("some text\n", 100_000)
	for i := range text[:300] {
		text += string(rune('a'+i*7%26)) + text[i*911%5000:][:i]
	}
	raw := gzipped(t, tarOf(t, entry{name: "cur/1", text: text}))
	if _, _, err := letters(raw, "x", 0); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(raw)
	flipped[len(raw)/2] ^= 0x55
	if _, _, err := letters(flipped, "x", 0); parley.CodeOf(err) != parley.BadContent {
		t.Errorf("flipped: %v", err)
	}
	if _, _, err := letters(raw[:len(raw)/2], "x", 0); parley.CodeOf(err) != parley.BadContent {
		t.Errorf("cut: %v", err)
	}
	s, err := Archive(failing{bytes.NewReader(raw)}, int64(len(raw)), "x")
	if err == nil {
		_, err = s.Count()
	}
	if len(raw) < 3100 || !errors.Is(err, errDisk) {
		t.Errorf("%d bytes, a bad disk: %v", len(raw), err)
	}
}

// Any bytes give letters or a plain refusal.
func FuzzArchive(f *testing.F) {
	f.Add(zipOf(f, entry{name: "cur/1.a", text: "x"}, entry{name: "parley-folders.json", text: "[]"}))
	f.Add(tarOf(f, entry{name: "./a.eml", text: "A: b\n\n"}, entry{name: "b.mbox", text: "From \n\nx"}))
	f.Add(gzipped(f, []byte("From a\nb: c\n\nd\n")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, _, err := letters(raw, "x", 0); err != nil && err != ErrNothing {
			if code := parley.CodeOf(err); code != parley.BadContent && code != parley.TooLarge {
				t.Errorf("%v", err)
			}
		}
	})
}
