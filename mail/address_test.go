package mail

import (
	"reflect"
	"strings"
	"testing"
)

// RFC 5322 3.4 and appendix A, RFC 6532, and the wrong forms seen in mail.
func TestParseAddresses(t *testing.T) {
	for in, want := range map[string][]Address{
		"":                                    nil,
		" , ;, ":                              nil,
		"a@b":                                 {{"", "a@b"}},
		"<a@b>":                               {{"", "a@b"}},
		"Ana Bo <a@b>":                        {{"Ana Bo", "a@b"}},
		`"Bo, Ana" <a@b>, c@d`:                {{"Bo, Ana", "a@b"}, {"", "c@d"}},
		"a@b (Ana Bo)":                        {{"Ana Bo", "a@b"}},
		"(only) (comments)":                   nil,
		"Joe Q. Public <j@x>":                 {{"Joe Q. Public", "j@x"}},
		`"Giant; \"Big\" Box" <s@b>`:          {{`Giant; "Big" Box`, "s@b"}},
		"A Group:Ed <e@d>,j@w;, k@l":          {{"Ed", "e@d"}, {"", "j@w"}, {"", "k@l"}},
		"Undisclosed recipients:;":            nil,
		"undisclosed-recipients: ;":           nil,
		"Mary <@machine.tld:mary@x.example>":  {{"Mary", "mary@x.example"}},
		"jdoe@test   . example":               {{"", "jdoe@test.example"}},
		"John <jdoe@machine(comment). ex>":    {{"John", "jdoe@machine.ex"}},
		"Pete(A wonderful \\) chap) <p(x)@s>": {{"Pete", "p@s"}},
		"Ana <a@b":                            {{"Ana", "a@b"}},
		"Ana <a@b, Bo <c@d>":                  {{"Ana", "a@b"}, {"Bo", "c@d"}},
		"a@b; c@d":                            {{"", "a@b"}, {"", "c@d"}},
		"Doe, John <j@d>":                     {{"Doe, John", "j@d"}},
		`"Ana <a@b>`:                          {{"Ana", "a@b"}},
		`"Ana <a@b>, "Bo" <c@d>`:              {{"Ana", "a@b"}, {"Bo", "c@d"}},
		"'Ana' <a@b>":                         {{"Ana", "a@b"}},
		"<mailto:a@b>":                        {{"", "a@b"}},
		`"a b"@c`:                             {{"", `"a b"@c`}},
		`Ana <"a b"@c>`:                       {{"Ana", `"a b"@c`}},
		`<"a>b"@c>`:                           {{"", `"a>b"@c`}},
		"a@b <Ana>":                           {{"Ana", "a@b"}},
		"Ana Bo a@b":                          {{"Ana Bo", "a@b"}},
		"Ana <>":                              {{"Ana", ""}},
		"postmaster":                          {{"postmaster", ""}},
		"x@[IPv6:2001:db8::1]":                {{"", "x@[IPv6:2001:db8::1]"}},
		"=?utf-8?q?J=C3=B6rg?= <j@x>":         {{"Jörg", "j@x"}},
		"=?utf-8?q?A,_B_<x@y>?= <j@x>":        {{"A, B <x@y>", "j@x"}},
		`"=?utf-8?q?J=C3=B6rg?=" <j@x>`:       {{"Jörg", "j@x"}},
		"J\xf6rg <j@x>":                       {{"Jörg", "j@x"}},
		"\x1b$B#A\x1b(B <a@b>":                {{"Ａ", "a@b"}},
		"A\r\n\tB <a@b>":                      {{"A\tB", "a@b"}},
		"A\x00\x1bB <a@b\x00>":                {{"AB", "a@b"}},
	} {
		want := append([]Address(nil), want...)
		for i := range want {
			want[i].Name = strings.ReplaceAll(want[i].Name, "\t", " ")
		}
		if got := ParseAddresses(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", in, got, want)
		}
	}
}

func TestManyAddresses(t *testing.T) {
	m := Parse([]byte("To: " + strings.Repeat("a@b, ", MaxAddresses) + "\nTo: c@d\n\n"))
	if len(m.To) != MaxAddresses || m.Defects[0] != DefectTooManyAddress {
		t.Errorf("got %d addresses, defects %q", len(m.To), m.Defects)
	}
}

func TestAddressKey(t *testing.T) {
	for in, want := range map[string]string{
		"A.B@Example.ORG":  "a.b@example.org",
		"é@BÜCHER.example": "é@xn--bcher-kva.example",
		`"a"@b`:            "a@b",
		"Not An Address":   "not an address",
	} {
		if got := (Address{Addr: in}).Key(); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
