package mailbox

import (
	"strings"
	"unicode/utf8"
)

// maxExcerpt is the longest excerpt in bytes.
const maxExcerpt = 140

// ExcerptRunes is how many characters of a mail's text are worth looking at for
// an excerpt.
const ExcerptRunes = maxExcerpt

// Excerpt is the first words of a text on one line.
func Excerpt(text string) string {
	if len(text) > 8*maxExcerpt { // enough for any run of blanks that a person typed
		text = text[:8*maxExcerpt]
	}
	s := strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(s) <= maxExcerpt {
		return s
	}
	cut := maxExcerpt - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.TrimRight(s[:cut], " ") + "…"
}
