package quote

import (
	"regexp"
	"strings"
)

// MaxFooter is how many lines a signature or a list's footer has at most. What
// stands before is never taken for one.
const MaxFooter = 15

var (
	sentFromLine = regexp.MustCompile(`(?i)^[<(\["“*_\s]*(?:` + strings.Join(sentFrom, "|") + `)[>)\]"”*_\s]*$`)
	reachable    = regexp.MustCompile(`(?i)https?://|www\.|\S@\S|unsubscribe|abmelden|désabonner|mailing list|\btel\b|\+\d`)
)

// IsDelimiter recognises the line above a signature: RFC 3676 4.3, also where the
// blank was lost.
func IsDelimiter(ln string) bool { return ln == "-- " || ln == "--" }

// IsRule recognises the line above a list's footer.
func IsRule(ln string) bool {
	ln = strings.TrimSpace(ln)
	return len(ln) >= 30 && (strings.Trim(ln, "_") == "" || strings.Trim(ln, "-") == "" || strings.Trim(ln, "=") == "")
}

// signature is where what ends at end begins, if it is one; end if not.
func (t *text) signature(end int) int {
	if from := t.footer(end); from < end {
		return from
	}
	if ln := t.lines[end-1]; isOrnament(ln) || len(ln) <= 120 && sentFromLine.MatchString(ln) {
		return end - 1
	}
	return end
}

// footer looks for a delimiter, and for a rule over something of how to reach
// somebody. Nothing in between may be a quote.
func (t *text) footer(end int) int {
	from, linked := end, false
	for i := end - 1; i >= max(0, end-MaxFooter) && t.kind[i] == own && !t.quoted(i); i-- {
		linked = linked || reachable.MatchString(t.lines[i])
		if IsDelimiter(t.lines[i]) || IsRule(t.lines[i]) && linked {
			from = i
		}
	}
	return from
}

// isOrnament reports a line that says nothing.
func isOrnament(ln string) bool {
	if ln == "ᐧ" { // of programs that watch whether mail is read
		return true
	}
	return len(ln) >= 2 && strings.ContainsRune("-_=*#~+", rune(ln[0])) && strings.Trim(ln, ln[:1]) == ""
}
