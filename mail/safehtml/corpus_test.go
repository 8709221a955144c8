//go:build corpus

package safehtml

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-im/parley/mail"
	"github.com/parley-im/parley/mail/htmltext"
	"github.com/parley-im/parley/mail/mbox"
)

// TestCorpus: the HTML of real mail keeps the policy, and all of its text.
func TestCorpus(t *testing.T) {
	n := 0
	each(t, func(name string, raw []byte) {
		src := mail.Parse(raw).HTML
		if src == "" {
			return
		}
		n++
		sane(t, src, Options{Remote: true})
		r := sane(t, src, Options{Whole: true})
		if got, want := words(r.HTML), words(src); got != want || r.Cut {
			t.Errorf("%s: cut %v\ngot  %q\nwant %q", name, r.Cut, got, want)
		}
	})
	if n < 30 {
		t.Errorf("%d messages have HTML, want 30 at least", n)
	}
}

func words(src string) string {
	text := strings.NewReplacer("[", " ", "]", " ").Replace(htmltext.Text(src, 1<<20))
	return strings.Join(strings.Fields(text), " ")
}

// each reads the messages of the corpus that PARLEY_CORPUS names.
func each(t *testing.T, do func(name string, raw []byte)) {
	dir := os.Getenv("PARLEY_CORPUS")
	if dir == "" {
		t.Fatal("PARLEY_CORPUS is not set")
	}
	err := filepath.WalkDir(filepath.Join(dir, "mail"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		do(path, raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "list.mbox.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := mbox.Open(f)
	for err == nil {
		var e *mbox.Entry
		if e, err = r.Next(); err == nil {
			raw, _ := io.ReadAll(e)
			do("list", raw)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
}
