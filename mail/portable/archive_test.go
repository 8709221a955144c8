package portable

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

// entry is a file of an archive that a test makes.
type entry struct {
	name, text string
	link       bool
}

var at = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func zipOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		if e.link {
			h.SetMode(0o777 | 1<<27) // fs.ModeSymlink
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.text)), Mode: 0o600, ModTime: at}
		switch {
		case e.link:
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, "/etc/passwd", 0
		case strings.HasSuffix(e.name, "/"):
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil && !e.link {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t testing.TB, raw []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// letters reads all of an archive, behind from, in a form to compare.
func letters(raw []byte, name string, from int64) (all []string, r *Reader, err error) {
	r = &Reader{Folder: parley.Inbox, From: from, Take: func(l Letter) error {
		when := ""
		if !l.At.IsZero() {
			when = l.At.UTC().Format(" " + time.DateTime)
		}
		all = append(all, fmt.Sprintf("%d %q %v%v%s", l.N, l.Raw, l.Folders, l.Keywords, when))
		return nil
	}}
	r.Own = func(f OwnFolder, above parley.FolderID) (parley.FolderID, error) { return f.ID, nil }
	s, err := Archive(bytes.NewReader(raw), int64(len(raw)), name)
	if err != nil {
		return nil, r, err
	}
	n, err := s.Count()
	if err != nil {
		return nil, r, err
	}
	if err := r.Read(s); err != nil {
		return all, r, err
	}
	if r.n != n {
		err = fmt.Errorf("counted %d, read %d", n, r.n)
	}
	return all, r, err
}

// Whatever it is kept in, the same mail comes out, also from the middle.
func TestArchive(t *testing.T) {
	label := parley.FolderID(parley.FormatID(parley.LabelPrefix, [16]byte{1}))
	own := fmt.Sprintf(`[{"id":%q,"name":"Boats","subfolder":".Labels.Boats"}]`, label)
	maildir := []entry{
		{name: ".Labels.Boats/cur/2.a:2,S", text: "two"}, {name: "cur/1.a:2,F", text: "one"}, {name: "new/3.a", text: "three"}, {name: "tmp/4.a", text: "half"},
		{name: ".Sent/cur/"}, {name: ".Sent/cur/5.a:2,ST", text: "five"}, {name: "parley-folders.json", text: own}, {name: "notes.eml", text: "no mail of the Maildir"},
	}
	below := func(dir string) (out []entry) {
		out = append(out, entry{name: dir})
		for _, e := range maildir {
			out = append(out, entry{name: dir + e.name, text: e.text})
		}
		return out
	}
	const when = " 2024-05-06 07:08:09"
	want := []string{`1 "one" [inbox][$flagged]` + when, `2 "three" [inbox][]` + when, `3 "five" [trash][$seen]` + when,
		fmt.Sprintf(`4 "two" [%s][$seen]`, label) + when}
	box := "From a@b Mon May  6 07:08:09 2024\nStatus: R\n\none\n\nFrom c@d Mon May  6 07:08:09 2024\nX: y\n\ntwo\n\n"
	boxed := []string{`1 "Status: R\n\none\n" [inbox][$seen]` + when, `2 "X: y\n\ntwo\n" [inbox][]` + when}
	emls := []entry{{name: "mail/b.eml", text: "A: b\n\n"}, {name: "mail/._b.eml", text: "x"}, {name: "mail/20250303T080000.000001Z-00000001.archive+inbox.FS.eml", text: "C: d\n\n"}}
	singles := []string{`1 "A: b\n\n" [inbox][]`, `2 "C: d\n\n" [archive inbox][$flagged $seen] 2025-03-03 08:00:00`}
	for _, tc := range []struct {
		name string
		raw  []byte
		want []string
	}{
		{"zip of a Maildir", zipOf(t, maildir...), want},
		{"zip of a folder with one", zipOf(t, below("Mail of Ana/")...), want},
		{"tar of a Maildir", tarOf(t, maildir...), want},
		{"tar from within", tarOf(t, below("./")...), want},
		{"tar of a folder with one, compressed", gzipped(t, tarOf(t, below("./Maildir/")...)), want},
		{"mbox", []byte(box), boxed},
		{"mbox, compressed", gzipped(t, []byte(box)), boxed},
		{"zip of .eml files", zipOf(t, emls...), singles},
		{"tar of .eml files", tarOf(t, emls...), singles},
		{"zip of mboxes", zipOf(t, entry{name: "Takeout/Mail/All.mbox", text: box}, entry{name: "Takeout/Mail/Sent.mbox", text: box}),
			append(slices.Clone(boxed), strings.ReplaceAll(strings.Replace(boxed[0], "1", "3", 1), "inbox", "sent"), strings.ReplaceAll(strings.Replace(boxed[1], "2", "4", 1), "inbox", "sent"))},
		{"one message", []byte("Subject: x\n\nbody\n"), []string{`1 "Subject: x\n\nbody\n" [inbox][]`}},
	} {
		for from := range int64(len(tc.want)) + 2 {
			got, r, err := letters(tc.raw, "box", from)
			if err != nil || !slices.Equal(got, tc.want[min(from, int64(len(tc.want))):]) || len(r.Strange) > 0 {
				t.Errorf("%s, from %d: got %v, %s, strange %q", tc.name, from, err, strings.Join(got, "\n"), r.Strange)
			}
		}
	}
}

// What is no archive is told at once.
func TestNoArchive(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing": "", "a picture": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR:\n", "text": "Hello there\n", "half a zip": "PK\x03\x04and then",
		"no gzip": "\x1f\x8bx", "a line without an end": "Subject: x", "no xz": "\xfd7zXZ\x00xxxxxxxxxxxxxx", "a compressed picture": string(gzipped(t, []byte("\x89PNG"))),
	} {
		if _, err := Archive(strings.NewReader(raw), int64(len(raw)), "x"); parley.CodeOf(err) != parley.BadContent {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, raw := range map[string][]byte{"an empty zip": zipOf(t), "a zip of pictures": zipOf(t, entry{name: "a.png"}), "an empty tar": tarOf(t, entry{name: "a.txt", text: "x"})} {
		if _, _, err := letters(raw, "x", 0); err != ErrNothing {
			t.Errorf("%s: %v", name, err)
		}
	}
}
