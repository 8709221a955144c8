package quote

import (
	"regexp"
	"strings"
)

// An introduction ("On Monday, Bo wrote:") has a verb, a time and an address, in
// any order and language; two of them in a line that ends with a colon are enough.
const (
	maxAttribution = 4   // lines
	maxIntroduced  = 500 // bytes
)

var (
	wroteVerb = regexp.MustCompile(`(?i)(?:^|[\s>"')*\]])(?:` + strings.Join(verbs, "|") + `)(?:[\s:：*_]|$)`)
	wroteCJK  = regexp.MustCompile(`写道|寫道|寫下|编写|撰寫|書きました|のメール|のメッセージ|님이 작성|작성:|씀:|yazdı|yazmış`)
	clock     = regexp.MustCompile(`\d{1,2}[:.h]\d{2}`)
	fullDate  = regexp.MustCompile(`\d{1,4}[-./]\d{1,2}[-./]\d{2,4}|(?:^|\D)\d{1,2}\D.{0,30}(?:19|20)\d\d|(?:19|20)\d\d.{1,3}\d{1,2}|\p{L} \d{1,2}, (?:19|20)\d\d`)
	mailbox   = regexp.MustCompile(`[^\s@<>(":]+@[^\s@<>)":]+`)
	starter   = regexp.MustCompile(`^["*_(]*(?i:` + strings.Join(starters, "|") + `)[\s,]`)
	dateFirst = regexp.MustCompile(`^(?:\d{1,4}[./年년-]|\p{L}{1,12}\.?,? \d{1,2}\b)`)
)

// attribution recognises an introduction that ends with line i, and where it
// begins. Before a quote that is marked, less is enough.
func (t *text) attribution(i int, beforeQuote bool) (from int, ok bool) {
	if end := strings.TrimRight(t.lines[i], " *_"); !strings.HasSuffix(end, ":") && !strings.HasSuffix(end, "：") {
		return 0, false
	}
	joined := ""
	for from = i; from >= 0 && i-from < maxAttribution; from-- {
		ln := t.lines[from]
		if ln == "" || t.quoted(from) || t.kind[from] != own || len(joined)+len(ln) > maxIntroduced {
			break
		}
		joined = strings.TrimSpace(ln + " " + joined)
		if (starter.MatchString(ln) || dateFirst.MatchString(ln)) && introduces(joined, beforeQuote) {
			return from, true
		}
	}
	if !introduces(t.lines[i], beforeQuote) {
		return 0, false
	}
	for from = i; from > 0 && i-from < maxAttribution-1 && mailbox.MatchString(t.lines[from-1]) && !t.quoted(from-1) && !mailbox.MatchString(t.lines[from]); {
		from--
	}
	return from, true
}

// Introduces recognises a text that says who is quoted below it.
func Introduces(s string) bool {
	t := &text{lines: []string{strings.Join(strings.Fields(s), " ")}, kind: []Kind{own}}
	_, ok := t.attribution(0, true)
	return ok
}

// introduces weighs the signs of an introduction.
func introduces(s string, beforeQuote bool) bool {
	verb := wroteVerb.MatchString(s) || wroteCJK.MatchString(s)
	when := clock.MatchString(s) || fullDate.MatchString(s)
	who := mailbox.MatchString(s)
	if beforeQuote {
		return verb || when || who
	}
	return verb && (when || who) || when && who
}

// superCited recognises a quote whose lines name their author: "Bo> text".
func superCited(ln string) bool {
	i := strings.IndexByte(ln, '>')
	return i > 0 && i <= 12 && i+1 < len(ln) && ln[i+1] == ' ' && !strings.ContainsAny(ln[:i], " <=-")
}
