package quote

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// marks begin the lines of the cases in testdata.
var marks = map[string]Kind{"": own, "H": History, "F": Forwarded, "S": Signature}

// TestForms: what mail programs write. Each line of a case begins with its kind.
func TestForms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range strings.Split(string(raw), "== ")[1:] {
			title, body, _ := strings.Cut(c, "\n")
			t.Run(filepath.Base(name)+"/"+title, func(t *testing.T) { form(t, body) })
		}
	}
}

func form(t *testing.T, body string) {
	var lines, want []string
	for _, ln := range strings.Split(strings.TrimRight(body, "\n"), "\n") {
		kind, s := "", ""
		if len(ln) >= 2 {
			kind, s = strings.TrimSpace(ln[:1]), ln[2:]
		}
		if _, ok := marks[kind]; !ok {
			t.Fatalf("no such mark: %q", ln)
		}
		lines, want = append(lines, s), append(want, kind)
	}
	got := kinds(lines, Find(strings.Join(lines, "\n"), nil))
	for i, s := range lines {
		if strings.TrimSpace(s) != "" && got[i] != marks[want[i]] {
			t.Errorf("line %d %q is %q, want %q", i, s, got[i], marks[want[i]])
		}
	}
}

func kinds(lines []string, ranges []Range) []Kind {
	out := make([]Kind, len(lines))
	for _, r := range ranges {
		for i := r.From; i < r.To; i++ {
			out[i] = r.Kind
		}
	}
	return out
}

const before = "Hello Ana,\n\nshall we meet on Saturday at nine, or is that too early for you?\n\nThe boat is ready. I painted it twice.\n\nWho else should come along?\n\nBo"

func thread(texts ...string) *Earlier {
	var e Earlier
	for _, s := range texts {
		e.Add(s)
	}
	return &e
}

// TestCompared: what stands earlier in the thread is known without any form.
func TestCompared(t *testing.T) {
	for name, c := range map[string]struct{ text, own string }{
		"bare below":      {"Nine is fine.\n\n" + before, "Nine is fine."},
		"wrapped anew":    {"Nine is fine.\n\n" + strings.ReplaceAll(before, "nine, or", "nine,\nor"), "Nine is fine."},
		"unknown intro":   {"Nine is fine.\n\n05-01-2016 Bo frobnicated bo@example.net:\n" + before, "Nine is fine."},
		"bare above":      {before + "\n\nNine is fine.", "Nine is fine."},
		"outlook, inside": {"See below.\n\nFrom: Bo\nSent: Tuesday 12:34\nTo: Ana\nSubject: S\n\n" + strings.Replace(before, "for you?", "for you?\n\nNine is fine.", 1), "See below."},
		"half of it said": {"Hello Ana,\n\nshall we meet on Sunday?", "Hello Ana,\n\nshall we meet on Sunday?"},
		"all of it":       {before, before},
		"earlier history": {"Yes.\n\n" + before + "\n\nOn Mon, Jan 4, 2016 at 12:34 PM, Ana <ana@example.org> wrote:\n> What now?", "Yes."},
	} {
		got := Own(c.text, Find(c.text, thread("Something else that stands before it.", before)))
		if name == "outlook, inside" {
			if !strings.Contains(got, "Nine is fine.") || strings.Contains(got, "Sent:") || strings.Contains(got, "painted") {
				t.Errorf("%s: got %q", name, got)
			}
			continue
		}
		if got != c.own {
			t.Errorf("%s: got %q, want %q", name, got, c.own)
		}
	}
}

func TestIsForward(t *testing.T) {
	for subject, want := range map[string]bool{
		"Fwd: boat": true, "FW: boat": true, "[list] Fwd: boat": true, "WG: Boot": true, "TR : bateau": true, "转发：船": true,
		"Re: Fwd: boat": false, "boat": false, "": false, "Forward: march": false, "Vs": false,
	} {
		if got := IsForward(subject); got != want {
			t.Errorf("%q: got %v", subject, got)
		}
	}
}

// FuzzFind: ranges are in order, within the text, begin and end with a line that
// says something, and leave something.
func FuzzFind(f *testing.F) {
	f.Add("a\n\nOn Tue, Jan 5, 2016 at 12:34 PM, Bo <bo@x> wrote:\n> b\n\n-- \nc", before)
	f.Add("a\n\n"+before, before)
	f.Add("> a\n\nb\n> c\nSent from my iPhone\n***", "")
	f.Add("From: a\nSent: b\nTo: c\n\nd\n-----Original Message-----\n", "d")
	f.Fuzz(func(t *testing.T, s, earlier string) {
		lines := strings.Split(s, "\n")
		at, left := 0, strings.TrimSpace(s) == ""
		said := func(i int) bool { return strings.TrimSpace(lines[i]) != "" }
		for _, r := range append(Find(s, thread(earlier)), Range{From: len(lines), To: len(lines)}) {
			if r.From < at || r.To < r.From || r.To > len(lines) || r.Kind != "" && (r.From == r.To || !said(r.From) || !said(r.To-1)) {
				t.Fatalf("range %+v of %d lines", r, len(lines))
			}
			for ; at < r.From; at++ {
				left = left || said(at)
			}
			at = r.To
		}
		if !left {
			t.Fatalf("nothing is left of %q", s)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for name, s := range map[string]string{
		"reply":   "Yes.\n\nOn Tue, Jan 5, 2016 at 12:34 PM, Bo <bo@example.net> wrote:\n" + strings.Repeat("> some words of a line that was quoted\n", 100),
		"colons":  strings.Repeat("On 5 Jan 2016, bo@example.net wrote:\n", 1<<20/37),
		"headers": strings.Repeat("From: a\nTo: b\nTo: c\n", 1<<20/20),
		"blanks":  strings.Repeat("> a\n\n\n\n", 1<<20/7),
		"same":    strings.Repeat(before+"\n", 1<<20/len(before)),
	} {
		b.Run(fmt.Sprintf("%s/bytes=%d", name, len(s)), func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Find(s, thread(before))
			}
		})
	}
}
