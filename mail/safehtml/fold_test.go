package safehtml

import (
	"regexp"
	"strings"
	"testing"
)

var (
	folds = regexp.MustCompile(`(?s)<details data-fold="(history|signature)"><summary>[^<]*</summary>(.*?)</details>`)
	tags  = regexp.MustCompile(`<[^>]*>`)
)

// foldsOf writes folds as [h text] and [s text].
func foldsOf(out string) string {
	out = folds.ReplaceAllString(out, " [$1 $2] ")
	out = tags.ReplaceAllString(out, " ")
	out = strings.NewReplacer("[history", "[h", "[signature", "[s").Replace(out)
	return strings.Join(strings.Fields(strings.ReplaceAll(out, "\u00a0", " ")), " ")
}

// TestFold: what mail programs write around what they quote.
func TestFold(t *testing.T) {
	const said = `On Tue, Jan 5, 2016 at 12:34 PM, Bo wrote:`
	for name, c := range map[string]struct{ in, want string }{
		"gmail": {`<div dir="ltr">Fine.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">` + said + `<br></div><blockquote class="gmail_quote" style="margin:0">Can we?</blockquote></div>`,
			"Fine. [h " + said + " Can we? ]"},
		"gmail, old": {`Hello<br><br><div class="gmail_quote">` + said + `<br><blockquote class="gmail_quote">Hi</blockquote></div><br>`, "Hello [h " + said + " Hi ]"},
		"gmail, answers between": {`<div>See below.</div><div class="gmail_quote"><div class="gmail_attr">` + said + `</div><blockquote class="gmail_quote">Can we?</blockquote><div>Yes.</div><blockquote class="gmail_quote">And so on.</blockquote></div>`,
			"See below. " + said + " Can we? Yes. [h And so on. ]"},
		"gmail, forwarded": {`<div>Look.<br><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Bo</div>Can we?</div></div>`,
			"Look. ---------- Forwarded message --------- From: Bo Can we?"},
		"gmail, signature": {`Fine.<br><div class="gmail_signature">Ana</div><div class="gmail_quote">` + said + `<blockquote class="gmail_quote">Can we?</blockquote></div>`,
			"Fine. [s Ana ] [h " + said + " Can we? ]"},
		"thunderbird":               {`<p>Fine.</p><div class="moz-cite-prefix">` + said + `<br></div><blockquote type="cite" cite="mid:x">Can we?</blockquote><div class="moz-signature">-- <br>Ana</div>`, "Fine. [h " + said + " Can we? ] [s -- Ana ]"},
		"thunderbird, answer below": {`<div class="moz-cite-prefix">` + said + `</div><blockquote type="cite">Can we?</blockquote><p>Yes.</p>`, said + " Can we? Yes."},
		"apple mail":                {`<div>Fine.<br><div><br><blockquote type="cite"><div>` + said + `</div><div>Can we?</div></blockquote></div></div>`, "Fine. [h " + said + " Can we? ]"},
		"iphone":                    {`Fine.<br><br><div id="AppleMailSignature" dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">` + said + `<br>Can we?</blockquote></div>`, "Fine. [s Sent from my iPhone ] [h " + said + " Can we? ]"},
		"outlook on the web": {`<div>Fine.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Bo<br><b>Sent:</b> Tuesday</div><div>Can we?</div>`,
			"Fine. [h From: Bo Sent: Tuesday Can we? ]"},
		"outlook": {`<div class="WordSection1"><p class="MsoNormal">Fine.</p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'><p>From: Bo<br>Sent: Tuesday</p></div></div><p>Can we?</p></div>`,
			"Fine. [h From: Bo Sent: Tuesday Can we? ]"},
		"outlook, flat": {`<div><p>Fine.</p><div style='border-top:solid #B5C4DF 1.0pt'><p>From: Bo</p></div><p>Can we?</p></div>`, "Fine. [h From: Bo Can we? ]"},
		"yahoo":         {`<div>Fine.</div><div id="yahoo_quoted_12" class="yahoo_quoted"><div>` + said + `</div><div>Can we?</div></div>`, "Fine. [h " + said + " Can we? ]"},
		"sparrow":       {`<div>Fine.</div><p>` + said + `</p><blockquote type="cite"><div>Can we?</div></blockquote>`, "Fine. [h " + said + " Can we? ]"},
		"an own quote":  {`<p>As the book says:</p><blockquote>Close the lid.</blockquote>`, "As the book says: Close the lid."},
		"all quoted":    {`<div class="moz-cite-prefix">` + said + `</div><blockquote type="cite">Can we?</blockquote>`, said + " Can we?"},
		"no own word":   {`<div class="gmail_signature">Ana</div><blockquote type="cite">Can we?</blockquote>`, "Ana [h Can we? ]"},
		"a picture":     {`Fine.<blockquote type="cite">Can we?</blockquote><img src="cid:pic@x">`, "Fine. Can we?"},
		"in a table":    {`<table><tr><td>Fine.<blockquote type="cite">Can we?</blockquote></td></tr></table>`, "Fine. [h Can we? ]"},
		"forged":        {`<details data-fold="history" class="x"><summary>x</summary>a</details><details data-fold="evil">b</details>`, "[h a] b"},
	} {
		r := sane(t, c.in, Options{CID: parts})
		if got := foldsOf(r.HTML); got != c.want {
			t.Errorf("%s: got %s\nwant %s\nof %s", name, got, c.want, r.HTML)
		}
		if r := sane(t, c.in, Options{Whole: true}); name != "forged" && strings.Contains(r.HTML, "data-fold") {
			t.Errorf("%s: folded: %s", name, r.HTML)
		}
	}
}
