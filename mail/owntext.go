package mail

import (
	"strings"

	"github.com/parley-im/parley/mail/quote"
)

// OwnText strips what follows the author's words: the quoted history at the
// end with the line that introduces it, a signature, the footer of a list. It
// serves to compare arrivals of one message by different ways, not to show. A
// text that would be stripped bare is returned whole. Stored digests depend on what
// it says; what is folded for people is told by package quote, which may learn.
func OwnText(text string) string {
	lines := strings.Split(text, "\n")
	end := len(lines)
	for i := max(1, end-quote.MaxFooter); i < len(lines); i++ {
		if ln := lines[i]; quote.IsDelimiter(ln) || quote.IsRule(ln) {
			end = i
			break
		}
	}
	end = trimQuote(lines, end)
	if own := trimBlank(strings.Join(lines[:end], "\n")); strings.TrimSpace(own) != "" {
		return own
	}
	return text
}

// trimQuote moves end before a quote that goes up to it, and before "... wrote:".
func trimQuote(lines []string, end int) int {
	i, quoted := end, false
	for i > 0 {
		ln := strings.TrimSpace(lines[i-1])
		if ln != "" && ln[0] != '>' {
			break
		}
		quoted = quoted || ln != ""
		i--
	}
	if !quoted {
		return end
	}
	if i > 0 && strings.HasSuffix(strings.TrimSpace(lines[i-1]), ":") {
		i--
		if i > 0 && strings.HasPrefix(lines[i-1], "On ") { // folded onto two lines
			i--
		}
	}
	return i
}
