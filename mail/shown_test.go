package mail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkShown: every leaf of the tree is in one place, what is attached stands in
// Attachments once, and what is shown as HTML has a page to be shown on.
func checkShown(t *testing.T, m *Message) {
	t.Helper()
	times := map[*Part]int{}
	for _, p := range m.Attachments {
		times[p]++
	}
	for _, p := range leavesOf(m.Root) {
		want := 0
		if p.Shown == Attached {
			want = 1
		}
		if times[p] != want {
			t.Errorf("part %s is shown as %v and stands %d times in the attachments", p.Path, p.Shown, times[p])
		}
		if p.Shown == InHTML && m.HTML == "" && p.Size > 2 && !m.TextCut && len(m.Defects) == 0 && strings.TrimSpace(m.Text) != "" {
			t.Errorf("part %s is shown as HTML, and there is none", p.Path)
		}
		if p.Shown == Structure && !(p.isMultipart() && len(p.Children) == 0) {
			t.Errorf("part %s %s is lost", p.Path, p.Type)
		}
		delete(times, p)
	}
	for p := range times {
		t.Errorf("attachment %s is no leaf", p.Path)
	}
}

// leavesOf finds all leaves, without the help of what it checks: those of files
// that are shown in parts, too, and the messages that are files.
func leavesOf(p *Part) (list []*Part) {
	switch {
	case p.isMultipart() && len(p.Children) > 0, p.isMessage() && len(p.Children) > 0 && p.Shown == Structure:
		for _, c := range p.Children {
			list = append(list, leavesOf(c)...)
		}
		return list
	}
	list = append(append([]*Part{p}, p.uu...), p.files...)
	if p.signed != nil {
		list = append(list, leavesOf(p.signed)...)
	}
	return list
}

// tree draws messages of which every leaf says a word of its own.
type tree struct {
	rnd   *rand.Rand
	words []string
}

func (d *tree) word() string {
	d.words = append(d.words, fmt.Sprintf("leaf%04dx", len(d.words)))
	return d.words[len(d.words)-1]
}

func (d *tree) pick(list ...string) string { return list[d.rnd.IntN(len(list))] }

func (d *tree) part(depth int) string {
	if kind := d.rnd.IntN(12); depth > 0 && kind < 6 {
		return d.multipart(depth, d.pick("mixed", "mixed", "alternative", "related", "report", "signed", "digest", "x-unknown"))
	} else if depth > 0 && kind == 6 {
		inner := "Subject: inner\nMessage-ID: <i@example.org>\n" + d.part(depth-1)
		disposition := d.pick("", "", "Content-Disposition: inline\n", "Content-Disposition: attachment; filename=x.eml\n")
		if d.rnd.IntN(4) == 0 {
			return disposition + "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(inner)) + "\n"
		}
		return disposition + "Content-Type: message/rfc822\n\n" + inner
	}
	typ := d.pick("text/plain", "text/plain", "text/html", "text/html", "text/enriched", "text/calendar", "text/x-unknown", "image/png",
		"application/pdf", "application/octet-stream", "message/delivery-status", "application/pgp-signature", "message/rfc822x")
	name := d.pick("", "", "", "; name=a.bin")
	disposition := d.pick("", "", "", "Content-Disposition: inline\n", "Content-Disposition: attachment\n", "Content-Disposition: attachment; filename=b.txt\n")
	word := d.word()
	if typ == "text/html" {
		word = "<p>" + word + "</p>"
	}
	if d.rnd.IntN(4) == 0 {
		return disposition + "Content-Type: " + typ + name + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(word)) + "\n"
	}
	return disposition + "Content-Type: " + typ + name + "\n\n" + word + "\n"
}

func (d *tree) multipart(depth int, kind string) string {
	boundary := fmt.Sprintf("b%d", d.rnd.Uint32())
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=%s\n\n", kind, boundary)
	for range 1 + d.rnd.IntN(4) {
		fmt.Fprintf(&b, "--%s\n%s\n", boundary, d.part(depth-1))
	}
	if d.rnd.IntN(8) > 0 {
		fmt.Fprintf(&b, "--%s--\n", boundary)
	}
	return b.String()
}

// TestPartsInPartsShown: whatever the tree, each leaf is found again, by its
// word: in Text, in HTML, or in what one attachment holds, and never in an
// attachment and beside it.
func TestPartsInPartsShown(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		d := &tree{rnd: rnd}
		raw := []byte("From: a@example.org\nMessage-ID: <x@example.org>\nDate: Tue, 1 Jul 2003 10:52:37 +0200\n" + d.part(4))
		m := check(t, raw)
		var held []string
		for _, p := range m.Attachments {
			b, err := io.ReadAll(p.Decode(bytes.NewReader(raw)))
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, heldWords(b, 3))
		}
		for _, w := range d.words {
			in := 0
			for _, h := range held {
				if strings.Contains(h, w) {
					in++
				}
			}
			shown := strings.Contains(m.Text, w) || strings.Contains(m.HTML, w)
			if in > 1 || shown == (in == 1) {
				t.Errorf("%s: in %d attachments, shown %v, in\n%s\ntext %q\nhtml %q\nattachments %q", w, in, shown, raw, m.Text, m.HTML, held)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// heldWords is an attachment's content and what is encoded in it.
func heldWords(b []byte, depth int) string {
	s := string(b)
	if depth == 0 {
		return s
	}
	for _, ln := range bytes.Fields(b) {
		if dec, err := base64.StdEncoding.DecodeString(string(ln)); err == nil && len(dec) > 8 {
			s += "\n" + heldWords(dec, depth-1)
		}
	}
	return s
}

// TestAttachedOnce: an attachment that stands in a message inside is found by its
// path, and reads as what it is.
func TestAttachedOnce(t *testing.T) {
	inner := "Subject: in\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nsaid\n--i\nContent-Type: application/pdf; name=a.pdf\n\nPDF\n--i--\n"
	raw := []byte(head + "Content-Type: multipart/mixed; boundary=o\n\n--o\n\nouter\n--o\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString([]byte(inner)) + "\n--o--\n")
	m := check(t, raw)
	i := slices.IndexFunc(m.Attachments, func(p *Part) bool { return p.Filename == "a.pdf" })
	if len(m.Attachments) != 1 || i != 0 || m.Attachments[0].Path != "2.2" {
		t.Fatalf("attachments %+v", m.Attachments)
	}
	b, err := io.ReadAll(m.Attachments[0].Decode(bytes.NewReader(raw)))
	if err != nil || string(b) != "PDF" || !strings.Contains(m.Text, "said") {
		t.Errorf("read %q, %v; text %q", b, err, m.Text)
	}
}
