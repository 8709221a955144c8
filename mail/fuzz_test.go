package mail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func addSeeds(f *testing.F) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
}

// FuzzParse: any bytes give a message that keeps the promises of the package.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw []byte) { check(t, raw) })
}

// FuzzParseAddrSpec: what parses prints and parses back to itself, and its key
// is a fixed point.
func FuzzParseAddrSpec(f *testing.F) {
	for _, s := range []string{`a@b`, `"a b"@c.example`, `é@bücher.example`, `x@[192.0.2.1]`, `x@[IPv6:2001:db8::1]`, `A.B@C.D`, `"\""@x`, `İ@x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddrSpec(s)
		if err != nil {
			return
		}
		b, err := ParseAddrSpec(a.String())
		if err != nil || a != b {
			t.Fatalf("%q is %+v, printed and parsed again %+v, %v", s, a, b, err)
		}
		if len(a.String()) > maxAddr {
			t.Fatalf("%q: %d bytes", s, len(a.String()))
		}
		k, err := ParseAddrSpec(a.Key())
		if err == nil && k.Key() != a.Key() {
			t.Fatalf("%q: key %q has the key %q", s, a.Key(), k.Key())
		}
		if one := ParseAddresses(a.String()); len(one) != 1 || one[0].Key() != a.Key() {
			t.Fatalf("%q: in a list it is %+v", a.String(), one)
		}
	})
}

// FuzzHeaderValue: every reader of one header value takes anything.
func FuzzHeaderValue(f *testing.F) {
	for _, s := range []string{
		`"a" <b@c>, d@e (f), g: h@i, j@k;`, "=?utf-8?q?=c3=a4?= =?utf-8?b?w6Q=?=", `attachment; filename*0*=utf-8''%e2%82; filename*1*=%ac`,
		"<a@b> <c@d>", "Tue, 1 Jul 2003 10:52:37 +0200", "Re: [x] Fwd: y (fwd)", "AdEbZdjuKQzTUeN2TvyoZGxPmJgL8g==", `text/plain charset=utf-8`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, a := range ParseAddresses(string(raw)) {
			if strings.ContainsFunc(a.Name+a.Addr, isControl) || !utf8.ValidString(a.Name+a.Addr) || a.Name+a.Addr == "" {
				t.Errorf("address %+v", a)
			}
		}
		if s := (Field{Raw: raw}).Text(); strings.ContainsFunc(s, isControl) || !utf8.ValidString(s) {
			t.Errorf("text %q", s)
		}
		for _, id := range parseIDs(raw, MaxReferences) {
			if id != NormalizeID(id) || id == "" {
				t.Errorf("id %q is not normal", id)
			}
		}
		value, params := parseMedia(raw, &charsets{left: 4})
		for name, v := range params {
			if !isToken(name) || !utf8.ValidString(v) || !utf8.ValidString(value) {
				t.Errorf("parameter %q=%q of %q", name, v, value)
			}
		}
		if base := SubjectBase(string(raw)); SubjectBase(base) != base {
			t.Errorf("subject base %q of %q is none", base, raw)
		}
		if d, ok := parseDate(oneLine(string(raw))); ok == d.IsZero() {
			t.Errorf("date %v, %v", d, ok)
		}
		threadIndex(raw)
		listID(oneLine(string(raw)))
	})
}

// FuzzCharset: any bytes under any label are text.
func FuzzCharset(f *testing.F) {
	for _, label := range []string{"", "utf-8", "us-ascii", "iso-8859-1", "gb2312", "iso-2022-jp", "iso-2022-kr", "utf-7", "utf-7-imap", "cp50221", "utf-16", "koi8-r", "hz-gb-2312", "x"} {
		f.Add([]byte("+AOQ- \x1b$B$\"\x1b(B \xc4\xe3\xba\xc3 \xff\xfe"), label)
	}
	f.Fuzz(func(t *testing.T, b []byte, label string) {
		if s := (&charsets{left: 4}).decode(b, label); !utf8.ValidString(s) {
			t.Errorf("%q in %q is %q", b, label, s)
		}
	})
}
