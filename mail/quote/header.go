package quote

import (
	"regexp"
	"strings"
)

// maxHeader is how many lines the header of a quoted message has at most; long
// lists of recipients are wrapped.
const maxHeader = 40

// labels recognise the fields of a quoted header.
var labels = func() []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, words := range [...][]string{fromWords, dateWords, toWords, subjectWords} {
		all = append(all, regexp.MustCompile(`^[>\s*_]*(?i:`+strings.Join(words, "|")+`)[\s*_]*[:：]`))
	}
	return all
}()

// field says which of labels a line begins with; -1 is none.
func field(ln string) int {
	if len(ln) > 2000 || !strings.ContainsAny(ln[:min(len(ln), 60)], ":：") {
		return -1
	}
	for k, label := range labels {
		if label.MatchString(ln) {
			return k
		}
	}
	return -1
}

// field is remembered: a line may be looked at from each of those above.
func (t *text) field(i int) int {
	if t.fields[i] == 0 {
		t.fields[i] = int8(field(t.lines[i]) + 2)
	}
	return int(t.fields[i]) - 2
}

// headerBlock recognises the header of a quoted message at line i: its author, and
// at least as many kinds of fields. It gives the line behind, or 0.
func (t *text) headerBlock(i, kinds int) int {
	if t.field(i) < 0 {
		return 0
	}
	var seen [4]bool
	n, at := 0, i
	for ; at < len(t.lines) && at-i < maxHeader && t.lines[at] != ""; at++ {
		k := t.field(at)
		if k >= 0 && !seen[k] {
			seen[k] = true
			n++
		}
	}
	if !seen[0] || n < kinds {
		return 0
	}
	return at
}

var (
	dashes    = regexp.MustCompile(`^[>\s]*[-_=]{2,}\s*(\p{L}[^-_=]{2,80}?)\s*[-_=]{2,}$`)
	original  = regexp.MustCompile(`(?i)` + strings.Join(originalWords, "|"))
	bare      = regexp.MustCompile(`(?i)^(?:` + strings.Join(originalWords, "|") + `)$`)
	forwarded = regexp.MustCompile(`(?i)` + strings.Join(forwardedWords, "|"))
)

// delimiter recognises a line such as "-----Original Message-----" or "Begin
// forwarded message:", and gives the line behind it and the header below.
func (t *text) delimiter(i int) (Kind, int) {
	ln := t.lines[i]
	next := t.skipBlank(i + 1)
	header := 0
	if next < len(t.lines) {
		header = t.headerBlock(next, 2)
	}
	between := dashes.FindStringSubmatch(ln)
	switch {
	case len(ln) > 200:
		return own, 0
	case between != nil && forwarded.MatchString(between[1]):
		return Forwarded, max(next, header)
	case between != nil && (header > 0 || original.MatchString(between[1])):
		return History, max(next, header)
	case header > 0 && bare.MatchString(ln): // BlackBerry
		return History, header
	case header > 0 && strings.HasSuffix(ln, ":") && forwarded.MatchString(ln):
		return Forwarded, header
	}
	return own, 0
}

// forwardMark begins the subject of what is passed on, as mail programs write it.
var forwardMark = regexp.MustCompile(`(?i)^\s*(?:\[[^\]]{1,40}\]\s*)?(?:fwd?|wg|tr|rv|enc|i|doorst|vs|vb|vl|vid|pd|przek|ilt|továbbítás|转发|轉寄|転送|전달)\s*[:：]`)

// IsForward recognises the subject of a message that passes another on. Its HTML
// often has no other sign.
func IsForward(subject string) bool { return forwardMark.MatchString(subject) }
