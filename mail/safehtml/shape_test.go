package safehtml

import (
	"strings"
	"testing"
)

// TestShape: what mail is made of stays as it looks.
func TestShape(t *testing.T) {
	for in, want := range map[string]string{
		"":         "",
		"a & b":    "a &amp; b",
		"<p>a<p>b": "<p>a</p><p>b</p>",
		"<html><head><title>t</title></head><body><div>a</div></body></html>":                "<div>a</div>",
		"<ul><li>a<li>b<ul><li>c</ul><li>d</ul>":                                             "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>",
		"<dl><dt>a<dd>b<dt>c</dl>":                                                           "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>",
		"<table><tr><td>a<td>b<tr><th>c</table>d":                                            "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d",
		"<table><tbody><tr><td><table><tr><td>a</td></tr></table></td></tr></tbody></table>": "<table><tbody><tr><td><table><tr><td>a</td></tr></table></td></tr></tbody></table>",
		"<td>a</td><tr>b":        "ab",
		"<b>a<i>b</b>c</i>d":     "<b>a<i>b</i></b>cd",
		"<b><div>a</b>b</div>c":  "<b><div>ab</div></b>c",
		"<div><b>a</div>b":       "<div><b>a</b></div>b",
		"</div></td>a</p></br>b": "a<br>b",
		"<h1>a<h2>b</h2>":        "<h1>a</h1><h2>b</h2>",
		"<br/><hr/><div/>a":      "<br><hr><div>a</div>",
		"a<o:p>&nbsp;</o:p>b":    "a\u00a0b",
		"<center><font color=red face='Arial, x' size=+1>a</font></center>": `<center><font color="red" face="Arial, x" size="+1">a</font></center>`,
		`<p>a<a href=http://x><div>b</div></a>c</p>d`:                       `<div>a<a href="http://x" rel="noopener noreferrer nofollow" target="_blank"><div>b</div></a>c</div>d`,
		`<a href=http://x>a<a href=http://y>b</a>`:                          `<a href="http://x" rel="noopener noreferrer nofollow" target="_blank">a</a><a href="http://y" rel="noopener noreferrer nofollow" target="_blank">b</a>`,
		`<a name=top>a</a><div>b</div>`:                                     `a<div>b</div>`,
		`<body bgcolor="#eee" text=black style="margin:0">a</body>`:         `<div style="background-color:#eee;color:black;margin:0">a</div>`,
		`<pre>
 a
  b</pre>`: "<pre>\n a\n  b</pre>",
		`<p align=center style="color:#333;mso-x:y">a</p>`:             `<p align="center" style="color:#333">a</p>`,
		`<td width=100% nowrap>`:                                       ``,
		`<table><tr><td width=100% nowrap colspan=2>a</table>`:         `<table><tr><td width="100%" nowrap="" colspan="2">a</td></tr></table>`,
		`<details><summary>a</summary>b</details><summary>c</summary>`: `<details><summary>a</summary>b</details>c`,
	} {
		if got := sane(t, in, Options{}); got.HTML != want || got.Cut {
			t.Errorf("of %s\ngot  %+v\nwant %s", in, got, want)
		}
	}
}

// hostile are pieces of input that are made to be expensive when repeated.
var hostile = map[string]string{
	"deep":      "<div>",
	"cells":     "<table><tr><td>",
	"inline":    "<b style='color:red'><i>",
	"elements":  "<br>",
	"crossing":  "<b><p><i></b></p></i>",
	"links":     "<a href=http://x><div>",
	"attribute": "<p " + strings.Repeat("a=b ", 1000) + ">",
	"unknown":   "a<x>",
	"unclosed":  "<svg><math><object>",
	"style":     `<p style="` + strings.Repeat("color:red;", 800) + `">`,
	"address":   `<a href="http://x/` + strings.Repeat("'", 2000) + `">a`,
	"entities":  "&amp;&lt;&#1;",
	"open":      "<p title='",
	"comment":   "<!--",
	"ends":      "</b></p></td>",
}

// TestBounds: what is beyond a bound is left out, and said; the rest keeps the policy.
func TestBounds(t *testing.T) {
	cut := set("deep cells inline elements links")
	for name, unit := range hostile {
		r := policy.Sanitize(strings.Repeat(unit, 256<<10/len(unit)), Options{})
		holds(t, r.HTML, Options{})
		if r.Cut != cut[name] {
			t.Errorf("%s: cut is %v", name, r.Cut)
		}
	}
	r := policy.Sanitize(strings.Repeat("é", MaxBytes/2)+"<b>x", Options{})
	if !r.Cut || r.HTML != strings.Repeat("é", MaxBytes/2) {
		t.Errorf("cut %v, %d bytes", r.Cut, len(r.HTML))
	}
}
