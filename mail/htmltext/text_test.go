package htmltext

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                                    "",
		"plain":                               "plain",
		"a  b\n\tc&nbsp;d":                    "a b c d",
		"<p>a</p><p>b</p>":                    "a\n\nb",
		"<div>a</div><div>b</div>":            "a\nb",
		"<div><div><div>a</div></div></div>b": "a\nb",
		"a<br>b<br/>c<br><br><br><br>d":       "a\nb\nc\n\nd",
		"a<hr>b":                              "a\n\n----\n\nb",
		"<h1>T</h1>x":                         "T\n\nx",
		"&lt;b&gt; &copy; &#8364; &#x20AC; &nosuch; &amp":                        "<b> © € € &nosuch; &",
		`<a href="https://x.example/a">text</a>!`:                                "text (https://x.example/a)!",
		`<a href="https://x.example/">x.example</a>`:                             "x.example",
		`<a href="mailto:a@b">a@b</a>`:                                           "a@b",
		`<a href="javascript:x()">y</a> <a href="#z">z</a>`:                      "y z",
		`<a href="http://x"><img src=y></a>`:                                     "",
		`<a href="http://x">a<a href="http://y">b`:                               "a (http://x)b",
		`<div><a href="http://x"><div>a</div></a></div>b`:                        "a (http://x)\nb",
		`<a href="http://` + strings.Repeat("x", maxLink) + `">a</a>`:            "a",
		`<img alt="A cat"> <img alt="">`:                                         "[A cat]",
		"<ul><li>a<li>b<ul><li>c</ul></ul>d":                                     "- a\n- b\n\n  - c\n\nd",
		"<ol><li>a</li><li>b</li></ol>":                                          "1. a\n2. b",
		"<li>alone":                                                              "- alone",
		"<table><tr><th>N<th>A<tr><td>Bo<td>5</table>":                           "N\tA\nBo\t5",
		"<blockquote>a<blockquote>b</blockquote></blockquote>c":                  "> a\n\n> > b\n\nc",
		"<pre>a  b\n  c\n</pre>d":                                                "a  b\n  c\n\nd",
		"<script>x</script><style>y</style><title>z</title>a<!-- b -->":          "a",
		"<noscript>x</noscript><template>y</template><svg><text>z</text></svg>a": "a",
		`<div style="DISPLAY : none !important">x<div>y</div></div>a`:            "a",
		`<span style="font-size:0px">x</span>a`:                                  "a",
		`<span style="font-size:10px">x</span>a`:                                 "xa",
		`<span style="opacity:0.5">x</span>a`:                                    "xa",
		`<p hidden>x<p>a`:                                                        "a",
		`<table><tr><td style="display:none">x<td>a</table>`:                     "a",
		`<input style="display:none">a`:                                          "a",
		`<div style="display:none">all of it</div>`:                              "all of it",
		"<p>a\u200b\u00adb&zwnj;\u200c c</p>":                                    "ab\u200c\u200c c",
		"&zwnj;&nbsp;&zwnj;&nbsp;a":                                              "a",
		"<body><div style=\"display:none\">x</body>":                             "x",
		"<unclosed": "",
		"a<b<c":     "a",
		"<![if !mso]>a<![endif]><o:p/>b<o:p></o:p>": "ab",
		"</p></div></blockquote></ul></a>a":         "a",
	} {
		if got := Text(in, 1<<10); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	for _, limit := range []int{0, 1, 5, 6, 100} {
		got := Text("<p>"+strings.Repeat("äöü", 20), limit)
		if len(got) > limit || !strings.HasPrefix(strings.Repeat("äöü", 20), got) || len(got) < limit-1 {
			t.Errorf("limit %d: got %d bytes, %q", limit, len(got), got)
		}
	}
}

// Nesting costs no stack and no more than bounded indentation.
func TestNesting(t *testing.T) {
	got := Text(strings.Repeat("<blockquote><ul><li>", 100_000)+"x", 1<<10)
	if want := strings.Repeat("> ", maxIndent) + strings.Repeat("  ", maxIndent-1) + "- x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
