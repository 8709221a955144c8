package safehtml

import "testing"

// FuzzSanitize: any bytes give HTML that keeps the policy, and once is as good as
// twice.
func FuzzSanitize(f *testing.F) {
	for _, s := range []string{
		`<p onclick=x style="color:red;position:fixed">a<b>c<div>d</b>`, `<a href="java&#9;script:x">a<a href=//y>b`,
		`<svg><style><a title="</style><img src=x onerror=y>">`, `<table><td><table><tr><form><td background=//x>a`,
		`<img src=cid:pic@x><img src=/v1/blobs/blb_a srcset=x>`, `<noscript><p title="</noscript><img src=x>">`,
		`<ul><li>a<dl><dd>b</ul><h1><h2>`, `<details open><summary>a<p><details></summary>`, `<body bgcolor=red><blockquote type=cite class=gmail_quote>`,
		`<p><a href=http://x><table><caption><a href=http://y>`, "<b\x00><!--a--!><![CDATA[x]]>&lt&#x00;&nbsp",
		`a<div class=gmail_quote>b<blockquote class=gmail_quote>c</blockquote>d</div><div class=gmail_signature>e`,
		`<p>a<div id=divRplyFwdMsg>b</div>c<ul><li>d<blockquote type=cite>e`, `<blockquote type=cite>a</blockquote><div style="border-top:solid #E1E1E1 1.0pt">b`,
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, src string, remote bool) {
		sane(t, src, Options{CID: parts, Remote: remote})
	})
}
