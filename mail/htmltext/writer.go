package htmltext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIndent bounds what nesting does to the beginning of a line.
const maxIndent = 10

// writer lays text out: white space runs together outside of <pre>; line ends,
// blanks and list marks are due until there is something behind them.
type writer struct {
	b      strings.Builder
	limit  int
	due    int    // line ends
	gap    string // blank or tab
	lead   string // mark of a list item
	begun  bool   // the line has text
	quotes int
	pre    int
}

func (w *writer) full() bool  { return w.b.Len() >= w.limit }
func (w *writer) mark() int   { return w.b.Len() }
func (w *writer) quote(n int) { w.quotes = max(0, w.quotes+n) }

// String is the text so far, cut at the limit.
func (w *writer) String() string {
	s := w.b.String()
	if len(s) <= w.limit {
		return s
	}
	n := w.limit
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// since is the text written after a mark.
func (w *writer) since(mark int) string { return strings.Trim(w.b.String()[mark:], "> \t\n") }

// breaks asks for n line ends at least.
func (w *writer) breaks(n int) {
	if n > 0 && w.b.Len() > 0 {
		w.due, w.gap = max(w.due, n), ""
	}
}

// newline asks for one more, up to a blank line.
func (w *writer) newline() {
	if w.b.Len() > 0 {
		w.due, w.gap = min(w.due+1, 2), ""
	}
}

// cell begins a table cell: a tab behind the one before.
func (w *writer) cell() {
	if w.begun && w.due == 0 {
		w.gap = "\t"
	}
}

// item begins a list item and counts it.
func (w *writer) item(lists []int) {
	w.breaks(1)
	w.lead = strings.Repeat("  ", max(0, len(lists)-1)) + "- "
	if n := len(lists); n > 0 && lists[n-1] > 0 {
		w.lead = w.lead[:len(w.lead)-2] + strconv.Itoa(lists[n-1]) + ". "
		lists[n-1]++
	}
}

// text writes characters.
func (w *writer) text(s string) {
	for _, r := range s {
		switch {
		case w.pre > 0 && r == '\n':
			w.newline()
		case w.pre > 0 && (r == ' ' || r == '\t') && len(w.gap) < 100:
			w.gap += string(r)
		case unicode.IsSpace(r):
			if w.gap == "" && w.begun && w.due == 0 {
				w.gap = " "
			}
		case invisible(r), (r == '\u200c' || r == '\u200d') && (!w.begun || w.gap != "" || w.due > 0):
		default:
			w.flush()
			w.b.WriteRune(r)
		}
	}
}

// tail writes s behind the text before, even where a line end is due.
func (w *writer) tail(s string) { w.b.WriteString(s) }

// flush writes what is due.
func (w *writer) flush() {
	if w.due > 0 {
		w.b.WriteString("\n\n"[:min(w.due, 2)])
		w.due, w.begun = 0, false
	}
	if !w.begun {
		w.b.WriteString(strings.Repeat("> ", min(w.quotes, maxIndent)))
		w.b.WriteString(w.lead)
		if w.begun, w.lead = true, ""; w.pre == 0 {
			w.gap = ""
		}
	}
	w.b.WriteString(w.gap)
	w.gap = ""
}

// invisible are the fillers of preheaders and the break marks inside of words.
func invisible(r rune) bool {
	switch r {
	case '\u00ad', '\u034f', '\u200b', '\u2060', '\ufeff', '\u180e', 0:
		return true
	}
	return false
}
