package parley_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-im/parley"
)

// RFC 5321 4.2.1 gives the class, RFC 3463 2 the enhanced code.
func TestReject(t *testing.T) {
	for _, tc := range []struct {
		name                 string
		code                 int
		enhanced, text, from string
		want                 parley.Rejection
		says                 string
	}{
		{"permanent", 550, "5.1.1", "No such user", "mx.example.net",
			parley.Rejection{Permanent: true, Code: 550, Enhanced: "5.1.1", Text: "No such user", Server: "mx.example.net"},
			"mx.example.net said: 550 5.1.1 No such user"},
		{"temporary", 451, "4.7.1", "Greylisted", "",
			parley.Rejection{Code: 451, Enhanced: "4.7.1", Text: "Greylisted"}, "451 4.7.1 Greylisted"},
		{"no text", 554, "", "", "",
			parley.Rejection{Permanent: true, Code: 554, Enhanced: "5.0.0"}, "554 5.0.0"},
		{"enhanced code of another class", 550, "4.2.1", "no", "",
			parley.Rejection{Permanent: true, Code: 550, Enhanced: "5.0.0", Text: "no"}, "550 5.0.0 no"},
		{"enhanced code that is none", 450, "4.7.1000", "no", "",
			parley.Rejection{Code: 450, Enhanced: "4.0.0", Text: "no"}, "450 4.0.0 no"},
		{"a class that is no refusal is never for good", 250, "5.0.0", "what?", "",
			parley.Rejection{Code: 451, Enhanced: "4.0.0", Text: "what?"}, "451 4.0.0 what?"},
		{"lines, controls and turned text", 550, "5.7.1", "a\r\nb\x1b[31m\u202etxt.exe\x00", "evil\r\nhost",
			parley.Rejection{Permanent: true, Code: 550, Enhanced: "5.7.1", Text: "a b [31mtxt.exe", Server: "evil host"},
			"evil host said: 550 5.7.1 a b [31mtxt.exe"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := parley.Reject(tc.code, tc.enhanced, tc.text, tc.from)
			if *got != tc.want {
				t.Errorf("got %+v\nwant %+v", *got, tc.want)
			}
			if got.Error() != tc.says {
				t.Errorf("says %q\nwant %q", got.Error(), tc.says)
			}
		})
	}
}

func FuzzReject(f *testing.F) {
	f.Add(550, "5.1.1", "No such user", "mx.example.net")
	f.Add(-1, "..", strings.Repeat("ü", 2000), "\xff\xfe")
	f.Fuzz(func(t *testing.T, code int, enhanced, text, server string) {
		r := parley.Reject(code, enhanced, text, server)
		if r.Permanent != (r.Code/100 == 5) || r.Code < 400 || r.Code > 599 {
			t.Errorf("code %d, permanent %v", r.Code, r.Permanent)
		}
		if s := r.Error(); !utf8.ValidString(s) || strings.ContainsAny(s, "\r\n\x00") || len(s) > 1100 {
			t.Errorf("says %q", s)
		}
	})
}
