package safehtml

import (
	"strings"
	"testing"
)

// parts are what the messages of the tests have.
var parts = map[string]string{"pic@x": "/v1/blobs/blb_a", "a b": "/v1/blobs/blb_b"}

// TestHostile: mail that is made to get at its reader.
func TestHostile(t *testing.T) {
	for in, want := range map[string]string{
		// scripts
		`a<script>alert(1)</script>b`:                           `ab`,
		`a<SCRIPT SRC=//x.example/x.js></SCRIPT >b`:             `ab`,
		`<scr<script>ipt>alert(1)</script>`:                     `ipt&gt;alert(1)`,
		`<<script>alert(1)//<</script>`:                         `&lt;`,
		`<script>a</script><script>b`:                           ``,
		"<scr\x00ipt>alert(1)</scr\x00ipt>":                     `alert(1)`,
		`<b onclick=alert(1) onmouseover="x">a</b>`:             `<b>a</b>`,
		`<b/onclick=alert(1)>a</b>`:                             `<b>a</b>`,
		`<img src=x onerror=alert(1)>`:                          `<img>`,
		"<img src='x'\x0conerror=alert(1)>":                     `<img>`,
		`<img """><script>alert("x")</script>">`:                `<img>&#34;&gt;`,
		`<body onload=alert(1)>a`:                               `a`,
		`<details open ontoggle=alert(1)><summary>s</summary>x`: `<details open=""><summary>s</summary>x</details>`,
		`<marquee onstart=alert(1)>a</marquee>`:                 `a`,
		`<input autofocus onfocus=alert(1)>a`:                   `a`,
		`<video><source onerror=alert(1)></video>a`:             `a`,
		`<xss id=x tabindex=1 onfocus=alert(1)>a</xss>`:         `a`,
		// addresses
		`<a href="javascript:alert(1)">a</a>`:                                   `a`,
		`<a href=" &#1;javascript:alert(1)">a</a>`:                              `a`,
		`<a href="java&#9;script:alert(1)">a</a>`:                               `a`,
		`<a href="JaVaScRiPt&colon;alert(1)">a</a>`:                             `a`,
		`<a href="&#x6A&#x61vascript:alert(1)">a</a>`:                           `a`,
		`<a href="vbscript:x">a</a>`:                                            `a`,
		`<a href="data:text/html,<script>x</script>">a`:                         `a`,
		`<a href="view-source:https://x.example">a</a>`:                         `a`,
		`<a href="/v1/me">a</a><a href="#x">b</a>`:                              `ab`,
		`<a href="?q">a</a><a href="..\x">b</a>`:                                `ab`,
		`<a href="https:x.example">a</a>`:                                       `a`,
		`<a href="file:///etc/passwd">a</a>`:                                    `a`,
		`<a href="//x.example/y" target=_top rel=opener ping=//z.example>a</a>`: `<a href="https://x.example/y" rel="noopener noreferrer nofollow" target="_blank">a</a>`,
		"<a href=\"ht\ntps://x.example/a b\">a</a>":                             `<a href="https://x.example/a%20b" rel="noopener noreferrer nofollow" target="_blank">a</a>`,
		`<a href="https://x.example/?a=1&b=2;c='d'">a</a>`:                      `<a href="https://x.example/?a=1&amp;b=2;c=%27d%27" rel="noopener noreferrer nofollow" target="_blank">a</a>`,
		`<area href=javascript:alert(1)>a`:                                      `a`,
		`<base href="https://x.example/"><a href="y">a</a>`:                     `a`,
		`<meta http-equiv=refresh content="0;url=https://x.example">a`:          `a`,
		`<link rel=stylesheet href=https://x.example/x.css>a`:                   `a`,
		// pictures
		`<img src="https://x.example/p.png" alt=p>`:                              `<img data-remote-src="https://x.example/p.png" alt="p">`,
		`<img src="//x.example/p.png">`:                                          `<img data-remote-src="https://x.example/p.png">`,
		`<img srcset="https://x.example/p.png 2x" sizes=1 loading=eager>`:        `<img>`,
		`<img src="data:image/svg+xml,<svg onload=alert(1)>">`:                   `<img>`,
		`<img src="data:image/png;base64,AAAA">`:                                 `<img>`,
		`<img src="javascript:alert(1)"><img dynsrc=x lowsrc=y>`:                 `<img><img>`,
		`<img src="cid:pic@x"><img src="CID:a%20b"><img src="cid:other">`:        `<img src="/v1/blobs/blb_a"><img src="/v1/blobs/blb_b"><img>`,
		`<img src="/v1/blobs/blb_c"><img src="/v1/blobs/blb_a">`:                 `<img><img src="/v1/blobs/blb_a">`,
		`<img src="https://x.example/t.gif" width=1 height="1px">a`:              `a`,
		`<picture><source srcset=https://x.example/a><img alt=b></picture>`:      `<img alt="b">`,
		`<table background="https://x.example/b.png"><tr><td>a</table>`:          `<table data-remote-background="https://x.example/b.png"><tr><td>a</td></tr></table>`,
		`<td background="javascript:x">a</td>`:                                   `a`,
		`<img src=https://x.example/a src=cid:pic@x>`:                            `<img data-remote-src="https://x.example/a">`,
		`<img data-remote-src="javascript:alert(1)" data-remote-background=//x>`: `<img>`,
		// styles
		`<style>*{color:red}</style>a`:                                          `a`,
		`<style><!--</style><img src=x onerror=alert(1)>-->`:                    `<img>--&gt;`,
		`<p style="color:red;position:fixed;top:0">a</p>`:                       `<p style="color:red">a</p>`,
		`<p style="POSITION : absolute; Color: RED !important">a</p>`:           `<p style="color:RED">a</p>`,
		`<p style="background:url(https://x.example/x)">a</p>`:                  `<p>a</p>`,
		`<p style="background:u\72l(x);width:expression(alert(1))">a</p>`:       `<p>a</p>`,
		`<p style="width:ex/**/pression(alert(1));color:blue">a</p>`:            `<p style="color:blue">a</p>`,
		`<p style="margin:-99px;margin-left:-1em;padding:1px 2px">a</p>`:        `<p style="padding:1px 2px">a</p>`,
		`<p style="behavior:url(x);-moz-binding:url(x);z-index:9">a</p>`:        `<p>a</p>`,
		`<p style="font-family:'a;color:red'">a</p>`:                            `<p>a</p>`,
		`<p style="color:red}body{display:none">a</p>`:                          `<p>a</p>`,
		`<p style="width:calc(100vw);height:var(--x);color:rgb(1, 2, 3)">a</p>`: `<p style="color:rgb(1, 2, 3)">a</p>`,
		`<p style="width:99999px;transform:scale(9);animation:x">a</p>`:         `<p>a</p>`,
		`<p style='font:12px/1.5 "Segoe UI",Arial,sans-serif'>a</p>`:            `<p style="font:12px/1.5 &#34;Segoe UI&#34;,Arial,sans-serif">a</p>`,
		// ids, names and classes
		`<div id=app class="btn" name=x slot=y is=z data-x=1 role=alert>a</div>`: `<div>a</div>`,
		// forms and frames
		`<form action=https://x.example><input name=p type=password><button formaction=javascript:x>go</button></form>`: `go`,
		`<select><option>a</select><textarea><b>c</textarea>d`:                                                          `d`,
		`<iframe src=https://x.example>a</iframe>b`:                                                                     `b`,
		`<iframe srcdoc="<script>x</script>"></iframe>b`:                                                                `b`,
		`<object data=x><embed src=x>a</object>b<embed src=y>c`:                                                         `bc`,
		`<frameset><frame src=x></frameset>a`:                                                                           `a`,
		// what another parser reads in another way
		`<svg><style><a title="</style><img src=x onerror=alert(1)>">a`:                                         `<img>&#34;&gt;a`,
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`: `<table><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"></table>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">a`:                                        `<img>&#34;&gt;a`,
		`<template><script>x</script></template>a`:                                                              `a`,
		`<svg><script>alert(1)</script><p>a</p></svg>b`:                                                         `b`,
		`<svg></p><foreignobject><iframe></svg>a`:                                                               ``,
		`<textarea></textarea><img src=x onerror=alert(1)>`:                                                     `<img>`,
		`<title><a href="</title><img src=x onerror=alert(1)>">a`:                                               `<img>&#34;&gt;a`,
		`<xmp><p title="</xmp><img src=x onerror=alert(1)>">a`:                                                  `<img>&#34;&gt;a`,
		`<!--><img src=x onerror=alert(1)>-->a`:                                                                 `<img>--&gt;a`,
		`<!--a--!><script>x</script>b`:                                                                          `b`,
		`<![CDATA[<script>x</script>]]>a`:                                                                       `x]]&gt;a`,
		`<?xml version="1.0"?><b>a`:                                                                             `<b>a</b>`,
		`<!DOCTYPE html [<!ENTITY x "<script>">]>a`:                                                             `&#34;&gt;]&gt;a`,
		`<!--[if gte mso 9]><script>x</script><![endif]-->a<![if !mso]>b<![endif]>`:                             `ab`,
		`<p title="a>b" title='c'>d`:                                                                            `<p title="a&gt;b">d</p>`,
		"<p title=`a><img src=x onerror=alert(1)>`>b":                                                           "<p title=\"`a\"><img>`&gt;b</p>",
		`<p title=a"b='c>d</p>`:                                                                                 `<p title="a&#34;b=&#39;c">d</p>`,
		`<a href="https://x.example" <script>alert(1)</script>`:                                                 `<a href="https://x.example" rel="noopener noreferrer nofollow" target="_blank">alert(1)</a>`,
		`&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; &#60;b&#62; &lt`:                                        `&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; &lt;b&gt; &lt;`,
		"<b\x00>a\x00b</b>":                                                                                     `ab`,
		"a\x1b[31mb\xff\xfe":                                                                                    "a[31mb\ufffd",
		`+ADw-script+AD4-alert(1)+ADw-/script+AD4-`:                                                             `+ADw-script+AD4-alert(1)+ADw-/script+AD4-`,
		"%3Cscript%3E ＜script＞ <ſcript>x</ſcript>":                                                              "%3Cscript%3E ＜script＞ &lt;ſcript&gt;x",
	} {
		if got := sane(t, in, Options{CID: parts}); got.HTML != want {
			t.Errorf("of %s\ngot  %s\nwant %s", in, got.HTML, want)
		}
		sane(t, in, Options{Remote: true})
	}
}

// TestRemote: what is remote is held back, counted, and shown when asked for.
func TestRemote(t *testing.T) {
	in := `<body background=http://x.example/0><table background=http://x.example/1><tr><td background="//x.example/2"><img src="http://x.example/3"><img src=cid:pic@x></table>`
	got := sane(t, in, Options{CID: parts})
	if got.Blocked != 3 || strings.Contains(got.HTML, ` background=`) || strings.Count(got.HTML, ` src=`) != 1 {
		t.Errorf("blocked: got %+v", got)
	}
	shown := sane(t, in, Options{CID: parts, Remote: true})
	if want := `<table background="http://x.example/1"><tr><td background="https://x.example/2"><img src="http://x.example/3"><img src="/v1/blobs/blb_a"></td></tr></table>`; shown.HTML != want || shown.Blocked != 0 {
		t.Errorf("shown:\ngot  %+v\nwant %s", shown, want)
	}
	if later := sane(t, got.HTML, Options{CID: parts, Remote: true}); later.HTML != shown.HTML {
		t.Errorf("asked for later:\ngot  %s\nwant %s", later.HTML, shown.HTML)
	}
}
