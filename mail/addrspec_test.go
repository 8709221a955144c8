package mail

import (
	"errors"
	"strings"
	"testing"
)

// RFC 5321 4.1.2 and 4.1.3, RFC 6531 3.3, RFC 5890.
func TestParseAddrSpec(t *testing.T) {
	for in, want := range map[string]string{
		"a@b":                          "a@b",
		"Ana.Bo+tag@Example.ORG":       "Ana.Bo+tag@example.org",
		"!#$%&'*+-/=?^_`{|}~@x.y":      "!#$%&'*+-/=?^_`{|}~@x.y",
		`"a b"@c.d`:                    `"a b"@c.d`,
		`"a.b"@c.d`:                    "a.b@c.d",
		`"\a\"\\"@c.d`:                 `"a\"\\"@c.d`,
		`""@c.d`:                       `""@c.d`,
		`"a@b"@c.d`:                    `"a@b"@c.d`,
		"é@bücher.example":             "é@xn--bcher-kva.example",
		"x@XN--BCHER-KVA.example":      "x@xn--bcher-kva.example",
		"x@bu\u0308cher.example":       "x@xn--bcher-kva.example",
		"x@例え。テスト":                     "x@xn--r8jz45g.xn--zckzah",
		"x@[192.0.2.1]":                "x@[192.0.2.1]",
		"x@[ipv6:2001:DB8:0::1]":       "x@[IPv6:2001:db8::1]",
		strings.Repeat("a", 64) + "@b": strings.Repeat("a", 64) + "@b",
	} {
		got, err := ParseAddrSpec(in)
		if err != nil || got.String() != want {
			t.Errorf("%q: got %q, %v, want %q", in, got, err, want)
		}
	}
	label := strings.Repeat("d", 60) + "."
	for in, want := range map[string]error{
		"": ErrAddrSyntax, "a": ErrAddrSyntax, "@b": ErrAddrSyntax, "a@": ErrAddrDomain, "a.@b": ErrAddrSyntax,
		".a@b": ErrAddrSyntax, "a..b@c": ErrAddrSyntax, "a b@c": ErrAddrSyntax, "<a@b>": ErrAddrSyntax,
		`"a@b`: ErrAddrSyntax, `"a"b@c`: ErrAddrSyntax, "a@b@c": ErrAddrDomain, "a@b.": ErrAddrDomain,
		"a@b..c": ErrAddrDomain, "a@-b": ErrAddrDomain, "a@b-": ErrAddrDomain, "a@b_c": ErrAddrDomain, "a@b c": ErrAddrDomain,
		"a@[300.0.0.1]": ErrAddrDomain, "a@[2001:db8::1]": ErrAddrDomain, "a@[IPv6:192.0.2.1]": ErrAddrDomain,
		"a@[192.0.2.1": ErrAddrDomain, "a@[IPv6:fe80::1%eth0]": ErrAddrDomain, "a\x00@b": ErrAddrSyntax,
		"a\n@b": ErrAddrSyntax, "a@b\n": ErrAddrDomain, "a\xff@b": ErrAddrSyntax, "a\u202e@b": ErrAddrSyntax, "a\u00a0@b": ErrAddrSyntax,
		`"a` + "\x7f" + `"@b`: ErrAddrSyntax, "a (comment)@b": ErrAddrSyntax, "a@xn--a": ErrAddrDomain,
		strings.Repeat("a", 65) + "@b":                                          ErrAddrLong,
		"a@" + strings.Repeat("d", 64):                                          ErrAddrDomain,
		strings.Repeat("a", 60) + "@" + label + label + label + "d.example.org": ErrAddrLong,
		strings.Repeat("é", 33) + "@b":                                          ErrAddrLong, // octets count
	} {
		if got, err := ParseAddrSpec(in); !errors.Is(err, want) {
			t.Errorf("%q: got %q, %v, want %v", in, got, err, want)
		}
	}
}

func TestAddrUnicode(t *testing.T) {
	a, err := ParseAddrSpec("x@xn--bcher-kva.example")
	if err != nil || a.Unicode() != "x@bücher.example" {
		t.Errorf("got %q, %v", a.Unicode(), err)
	}
}
