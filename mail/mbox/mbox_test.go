package mbox

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ulikunitz/xz"
)

// seen is what one message looked like.
type seen struct {
	from, date, raw string
	offset          int64
}

func readAll(t *testing.T, r *Reader) (list []seen) {
	t.Helper()
	for {
		e, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(e)
		if err != nil {
			t.Fatal(err)
		}
		s := seen{e.EnvelopeFrom, "", string(raw), e.Offset}
		if !e.Date.IsZero() {
			s.date = e.Date.UTC().Format(time.RFC3339)
		}
		list = append(list, s)
	}
}

const day = "2003-07-01T10:52:37Z"

// RFC 4155, and the mailboxes that other programs write.
func TestRead(t *testing.T) {
	const from = "From a@b Tue Jul  1 10:52:37 2003\n"
	for name, tc := range map[string]struct {
		file string
		want []seen
	}{
		"empty":      {"", nil},
		"blank":      {"\n\r\n\n", nil},
		"one":        {from + "S: x\n\ny\n\n", []seen{{"a@b", day, "S: x\n\ny\n", 0}}},
		"no end":     {from + "S: x\n\ny", []seen{{"a@b", day, "S: x\n\ny", 0}}},
		"two":        {from + "x\n\n" + from + "y\n\n", []seen{{"a@b", day, "x\n", 0}, {"a@b", day, "y\n", 37}}},
		"CRLF":       {strings.ReplaceAll(from+"x\n\n"+from+"y\n\n", "\n", "\r\n"), []seen{{"a@b", day, "x\r\n", 0}, {"a@b", day, "y\r\n", 40}}},
		"blank ends": {from + "x\n\n\n\n" + from + "y\n", []seen{{"a@b", day, "x\n\n\n", 0}, {"a@b", day, "y\n", 39}}},
		"quoted":     {from + ">From x\n>>From y\n>> From z\n> q\n>\n", []seen{{"a@b", day, "From x\n>From y\n>> From z\n> q\n>\n", 0}}},
		"text begins with From": {from + "x\n\nFrom now on it is text.\n\nFrom 10:00 to 11:00 in 2003\n\n" + from + "y\n",
			[]seen{{"a@b", day, "x\n\nFrom now on it is text.\n\nFrom 10:00 to 11:00 in 2003\n", 0}, {"a@b", day, "y\n", 91}}},
		"no blank line before": {from + "x\n" + from + "y\n", []seen{{"a@b", day, "x\n" + from + "y\n", 0}}},
		"nothing in between":   {from + "\n" + from + "\n", []seen{{"a@b", day, "", 0}, {"a@b", day, "", 35}}},
		"no mailbox":           {"Subject: x\n\nFrom here\n", []seen{{"", "", "Subject: x\n\nFrom here\n", 0}}},
		"null sender":          {"From MAILER-DAEMON Tue Jul  1 10:52:37 2003\nx\n", []seen{{"", day, "x\n", 0}}},
		"other dates": {"From a@b  Tue Jul  1 10:52 2003\n\nFrom a at b.c Tue Jul 1 10:52:37 GMT 2003\n\nFrom a@b Tue, 1 Jul 2003 12:52:37 +0200\n\n" +
			"From \"a b\"@c Tue Jul  1 10:52:37 2003 +0000\n\nFrom h!u Tue Jul  1 10:52:37 2003 remote from h\n",
			[]seen{{"a@b", "2003-07-01T10:52:00Z", "", 0}, {"a at b.c", day, "", 33}, {"a@b", day, "", 76}, {`"a b"@c`, day, "", 117}, {"h!u", day, "", 162}}},
	} {
		for kind, r := range map[string]io.Reader{"whole": strings.NewReader(tc.file), "byte by byte": iotest.OneByteReader(strings.NewReader(tc.file))} {
			if got := readAll(t, NewReader(r)); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("%s, %s: got %+v, want %+v", name, kind, got, tc.want)
			}
		}
	}
}

func write(t *testing.T, messages ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for i, m := range messages {
		err := w.Add(fmt.Sprintf("u%d@example.org", i), time.Date(2003, 7, 1, 10, 52, 37, 0, time.UTC), strings.NewReader(m))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	want := []string{
		"", "\n", "\n\n", "a", "a\n", "a\n\n", "a\r\n", "a\r\n\r\n", "a\r", "From \n", "From", "Fro", "From x", "\nFrom x\n", ">From x\n",
		">>>>From x\n>>>>Fro\n", "From\tx\n", " \t\n", "a\n \t\n", "\n \t\n", "x\x00\xff\n", "From a@b Tue Jul  1 10:52:37 2003\n\nx",
		strings.Repeat("long ", 50_000), strings.Repeat(">", 200_000) + "From x\n", strings.Repeat(">", 200_000), strings.Repeat("\n", 70_000),
		strings.Repeat("From x\n", 20_000),
	}
	file := write(t, want...)
	for kind, in := range map[string]io.Reader{"whole": bytes.NewReader(file), "in halves": iotest.HalfReader(bytes.NewReader(file))} {
		got := readAll(t, NewReader(in))
		if len(got) != len(want) {
			t.Fatalf("%s: got %d messages, want %d", kind, len(got), len(want))
		}
		for i, s := range got {
			if s.raw != want[i] || s.from != fmt.Sprintf("u%d@example.org", i) || s.date != day {
				t.Errorf("%s: got %.100q of %s at %s, want %.100q", kind, s.raw, s.from, s.date, want[i])
			}
			if !bytes.HasPrefix(file[s.offset:], []byte("From "+s.from)) {
				t.Errorf("%s: no separator at %d", kind, s.offset)
			}
		}
	}
}

// Skipping a message is not reading it.
func TestSkip(t *testing.T) {
	r := NewReader(bytes.NewReader(write(t, "a\n\nb\n", "c", "d\n")))
	var last *Entry
	for range 3 {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if last != nil {
			if n, err := last.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Errorf("a message that is over: %d, %v", n, err)
			}
		}
		last = e
	}
	if b, err := io.ReadAll(last); string(b) != "d\n" || err != nil {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestSenderWord(t *testing.T) {
	for in, want := range map[string]string{"": nobody, " ": nobody, "a\nFrom b": "aFrom b", "a@b": "a@b", strings.Repeat("x", 2000): nobody} {
		if got := senderWord(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	plain := write(t, "a\n", "b\n")
	var gz, z bytes.Buffer
	g := gzip.NewWriter(&gz)
	x, err := xz.NewWriter(&z)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, x} {
		if _, err := w.Write(plain); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
	}
	for name, file := range map[string][]byte{"plain": plain, "gzip": gz.Bytes(), "xz": z.Bytes()} {
		r, err := Open(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, r); len(got) != 2 || got[1].raw != "b\n" {
			t.Errorf("%s: got %+v", name, got)
		}
		if name == "plain" {
			continue
		}
		for cut := 1; cut < len(file); cut++ {
			r, err := Open(bytes.NewReader(file[:cut]))
			for err == nil {
				_, err = r.Next()
			}
			if err == io.EOF && cut > 6 {
				t.Errorf("%s: cut off at %d of %d, and taken for whole", name, cut, len(file))
			}
		}
	}
}

// An error of the source ends the message with it, not with io.EOF.
func TestSourceFails(t *testing.T) {
	want := errors.New("disk")
	file := write(t, "a\n", strings.Repeat("b\n", 100))
	r := NewReader(io.MultiReader(bytes.NewReader(file[:len(file)-50]), iotest.ErrReader(want)))
	var err error
	for err == nil {
		var e *Entry
		if e, err = r.Next(); err == nil {
			_, err = io.Copy(io.Discard, e)
		}
	}
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if w := NewWriter(io.Discard); w.Add("", time.Time{}, iotest.ErrReader(want)) != want {
		t.Error("the writer hides the error of its source")
	}
}

// A file that asks for a dictionary of gigabytes is refused before it gets one,
// whichever block asks.
func TestDictionary(t *testing.T) {
	var z bytes.Buffer
	x, err := xz.WriterConfig{BlockSize: 1000, DictCap: 1 << 16}.NewWriter(&z)
	if err != nil {
		t.Fatal(err)
	}
	plain := write(t, strings.Repeat("line\n", 1000))
	if _, err := x.Write(plain); err != nil || x.Close() != nil {
		t.Fatal(err)
	}
	file := append(bytes.Clone(z.Bytes()), append(make([]byte, 8), z.Bytes()...)...) // two streams, padding
	r, err := Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, r); len(got) != 2 {
		t.Fatalf("got %d messages", len(got))
	}
	guard := &xzGuard{in: bufio.NewReader(bytes.NewReader(file))}
	if _, err := io.Copy(io.Discard, struct{ io.Reader }{guard}); err != nil || !guard.atEnd() {
		t.Fatalf("the guard is not at the end: %+v, %v", guard, err)
	}
	asks := 0
	for i := range len(file) - 3 {
		if !bytes.HasPrefix(file[i:], []byte{0x21, 1, 8}) { // LZMA2 with 64 KiB
			continue
		}
		asks++
		bad := bytes.Clone(file)
		bad[i+2] = 40
		guard := &xzGuard{in: bufio.NewReader(bytes.NewReader(bad))}
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{guard}); err != errDict {
			t.Errorf("block at %d: got %v, want %v", i, err, errDict)
		}
	}
	if asks < 10 {
		t.Errorf("%d blocks only", asks)
	}
}
