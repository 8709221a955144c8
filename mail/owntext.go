package mail

import "strings"

// OwnText strips what follows the author's words: the quoted history at the
// end with the line that introduces it, a signature, the footer of a list. It
// serves to compare arrivals of one message by different ways, not to show. A
// text that would be stripped bare is returned whole.
func OwnText(text string) string {
	lines := strings.Split(text, "\n")
	end := len(lines)
	for i := max(1, end-maxFooter); i < len(lines); i++ {
		if ln := lines[i]; ln == "-- " || ln == "--" || isRule(ln) {
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

// maxFooter is how many lines a signature or a list's footer has at most. What
// stands before is never taken for one.
const maxFooter = 15

// isRule recognises the line above a list's footer.
func isRule(ln string) bool {
	ln = strings.TrimSpace(ln)
	return len(ln) >= 30 && (strings.Trim(ln, "_") == "" || strings.Trim(ln, "-") == "" || strings.Trim(ln, "=") == "")
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
