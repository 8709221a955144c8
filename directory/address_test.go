package directory

import (
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

func TestNormalise(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"ana@example.org", "ana@example.org"},
		{"Ana.B+Tag@EXAMPLE.Org", "ana.b+tag@example.org"},
		{"ana@localhost", "ana@localhost"},
		{"JÖRG@Bücher.example", "jörg@xn--bcher-kva.example"},
		{"jo\u0308rg@xn--bcher-kva.example", "jörg@xn--bcher-kva.example"},
		{"ana@ｅｘａｍｐｌｅ.org", "ana@example.org"},
		{strings.Repeat("a", 64) + "@example.org", strings.Repeat("a", 64) + "@example.org"},
	} {
		if got, err := normalise(tc.in); err != nil || got != tc.want {
			t.Errorf("normalise(%q): got %q, %v, want %q", tc.in, got, err, tc.want)
		}
	}
	for _, in := range []string{
		"", "ana", "@", "@example.org", "ana@", "ana@@example.org", "ana b@example.org", `"ana b"@example.org`,
		".ana@example.org", "ana.@example.org", "a..b@example.org", "ana@[127.0.0.1]", "ana@exa mple.org", "ana@-a.org",
		"ana@example..org", "ana\x00@example.org", "ana\xff@example.org", "ana\r\n@example.org", "ana@example.org\r\n", "a\u202eb@example.org",
		strings.Repeat("a", 65) + "@example.org", "ana@" + strings.Repeat("a", 64) + ".org", "ana@" + strings.Repeat("abcdefg.", 40) + "org",
	} {
		got, err := normalise(in)
		if err == nil {
			t.Errorf("normalise(%q): got %q, want it refused", in, got)
			continue
		}
		wantCode(t, in, err, parley.BadAddress)
	}
}

// A normalised address is its own normal form, so that one mailbox has one claim.
func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"Ana@Example.org", "JÖRG@Bücher.example", "ẞ@straße.example", "İ@example.org", "a@\u0130.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		once, err := normalise(in)
		if err != nil {
			return
		}
		if twice, err := normalise(once); err != nil || twice != once {
			t.Errorf("normalise(%q) = %q, whose normal form is %q, %v", in, once, twice, err)
		}
	})
}
