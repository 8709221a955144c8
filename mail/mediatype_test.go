package mail

import (
	"fmt"
	"strings"
	"testing"
)

// RFC 2045 5.1, RFC 2231, RFC 2183, and what mailers make of them.
func TestParseMedia(t *testing.T) {
	for in, want := range map[string]string{
		"":                                                  " map[]",
		"text/plain":                                        "text/plain map[]",
		"Text/PLAIN; CharSet=UTF-8":                         "text/plain map[charset:UTF-8]",
		"text/plain;charset=\"utf-8\";":                     "text/plain map[charset:utf-8]",
		"text/plain charset=utf-8 name=x y.txt":             "text/plain map[charset:utf-8 name:x y.txt]",
		"text/plain (comment); (x) charset=a":               "text/plain map[charset:a]",
		`a/b; name="x \"y\" \z\\"; n=1`:                     `a/b map[n:1 name:x "y" \z\]`,
		`a/b; name="C:\temp\x.txt"`:                         `a/b map[name:C:\temp\x.txt]`,
		`a/b; name="never closed; n=1`:                      "a/b map[n:1 name:never closed]",
		"a/b; name=two words.txt; n=1":                      "a/b map[n:1 name:two words.txt]",
		"a/b; boundary=----=_Next.Part=1; n=2":              "a/b map[boundary:----=_Next.Part=1 n:2]",
		"a/b; name = x ; name=second":                       "a/b map[name:x]",
		"a/b; =x; ;; y":                                     "a/b map[]",
		`filename="x.pdf"`:                                  " map[filename:x.pdf]",
		"attachment;\r\n filename=\"a\r\n b\"":              "attachment map[filename:a b]",
		"a/b; name*=utf-8''%c3%a4%zz":                       "a/b map[name:ä%zz]",
		"a/b; name*=x":                                      "a/b map[name:x]",
		"a/b; name*1=b; name*0=a; name*2*=%63":              "a/b map[name:abc]",
		"a/b; name*0*=iso-8859-1''%e4; name*1=b":            "a/b map[name:äb]",
		"a/b; name*=utf-8''new; name=old":                   "a/b map[name:new]",
		"a/b; name*0*=utf-8''%e2%82; name*1*=%ac":           "a/b map[name:€]",
		"a/b; name*x*=1; name*-1=2":                         "a/b map[]",
		"a/b; name=\"=?utf-8?q?=C3=A4?= x\"":                "a/b map[name:ä x]",
		"a/b; name==?utf-8?q?=C3=A4?=":                      "a/b map[name:ä]",
		"a/b; name=\"\xe4\"":                                "a/b map[name:ä]",
		"a/b; name=\"utf-8''%c3%a4.txt\"":                   "a/b map[name:ä.txt]",
		"a/b; name*=\"utf-8''%c3%a4.txt\"":                  "a/b map[name:ä.txt]",
		"a/b; name*=utf-8'%c3%a4.txt":                       "a/b map[name:ä.txt]",
		"a/b; name*=%c3%a4.txt":                             "a/b map[name:ä.txt]",
		"a/b; name*=''%c3%a4.txt":                           "a/b map[name:ä.txt]",
		"a/b; name=it's 100%ab's.txt":                       "a/b map[name:it's 100%ab's.txt]",
		"a/b; name*=us-ascii''%c3%a4.txt":                   "a/b map[name:ä.txt]",
		"a/b; name*0*=gb2312''%c4; name*1*=%e3":             "a/b map[name:你]",
		"a/b; name*0==?utf-8?B?w6Q=; name*1=?=":             "a/b map[name:ä]",
		"a/b; name*=utf-8''=?utf-8?q?=C3=A4?=":              "a/b map[name:ä]",
		"a/b; name*0=\"=?utf-8?b?w6\"; name*1=\"TDtg==?=\"": "a/b map[name:äö]",
	} {
		value, params := parseMedia([]byte(in), &charsets{left: 4})
		if got := fmt.Sprintf("%s %v", value, params); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestSafeFilename(t *testing.T) {
	for in, want := range map[string]string{
		"a.txt": "a.txt", "": "", ".": "", "..": "", "/etc/passwd": "passwd", `C:\a\b.doc`: "b.doc", `..\..\x`: "x",
		"../../x": "x", "invoice 2024/05.pdf": "invoice 2024_05.pdf", ".hidden": "hidden", "a\x00b\r\n.txt": "ab  .txt",
		"\u202etxt.exe": "txt.exe", " x ": "x", "a/../../b": "a_.._.._b", "/": "", `\\host\share\f`: "f",
		strings.Repeat("ä", 200) + ".pdf": strings.Repeat("ä", 125) + ".pdf",
		"x." + strings.Repeat("y", 300):   "x." + strings.Repeat("y", 253),
	} {
		if got := safeFilename(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
