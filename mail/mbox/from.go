package mbox

import (
	"strings"
	"time"
)

const (
	fromPrefix  = "From "
	maxFromLine = 1 << 10
	nobody      = "MAILER-DAEMON" // stands for the null sender

	// noEOL is the line behind a message that does not end in a line end. One was
	// added then; other readers see a blank line.
	noEOL = " \t\n"
)

// fromLine is a separator line: "From address date".
type fromLine struct {
	from string
	date time.Time
	off  int64
}

// layouts are the dates of separator lines: RFC 4155's asctime and its variants.
var layouts = [...]string{
	"Mon Jan 2 15:04:05 2006",
	"Mon Jan 2 15:04 2006",
	"Mon Jan 2 15:04:05 MST 2006",
	"Mon Jan 2 15:04:05 2006 -0700",
	"Mon Jan 2 15:04:05 -0700 2006",
	"Mon, 2 Jan 2006 15:04:05 -0700",
	"Mon, 2 Jan 2006 15:04:05 MST",
	"Jan 2 15:04:05 2006",
}

// parseFrom reads a separator line. Text that happens to begin with "From " is
// told by the date that it does not end in.
func parseFrom(ln string) (fromLine, bool) {
	ln = strings.TrimRight(strings.TrimPrefix(ln, fromPrefix), "\r\n\t ")
	if i := strings.LastIndex(ln, " remote from "); i >= 0 { // UUCP
		ln = ln[:i]
	}
	words := strings.Fields(ln)
	for n := min(7, len(words)); n >= 4; n-- {
		date := strings.Join(words[len(words)-n:], " ")
		for _, layout := range layouts {
			if t, err := time.Parse(layout, date); err == nil {
				return fromLine{from: sender(ln, words[:len(words)-n], n), date: t}, true
			}
		}
	}
	return fromLine{}, false
}

// sender is what stands before the last n words of the line.
func sender(ln string, words []string, n int) string {
	if len(words) == 0 || len(words) == 1 && words[0] == nobody {
		return ""
	}
	for range n {
		ln = strings.TrimRight(ln, " \t")
		ln = ln[:strings.LastIndexAny(ln, " \t")+1]
	}
	return strings.Trim(ln, " \t")
}
