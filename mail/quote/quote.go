package quote

import "strings"

// Kind says what a range is.
type Kind string

// The kinds. What was forwarded is here for the first time; a reader shows it.
const (
	History   Kind = "history"
	Forwarded Kind = "forwarded"
	Signature Kind = "signature"
)

// Range is the lines From up to, not including, To of a text that is split at "\n".
type Range struct {
	Kind     Kind
	From, To int
}

// own is the kind of the author's words.
const own Kind = ""

// text is what is known of each line.
type text struct {
	lines []string // trimmed
	kind  []Kind
	said  []bool // an answer among what stands earlier, with what it answers

	fields []int8 // what field found, and 2; 0 where it did not look
}

// Find gives the ranges of a text, in order. earlier is what stands before it in the
// thread, as far as that is at hand; nil is nothing.
func Find(s string, earlier *Earlier) []Range {
	t := &text{lines: strings.Split(s, "\n")}
	t.kind, t.said, t.fields = make([]Kind, len(t.lines)), make([]bool, len(t.lines)), make([]int8, len(t.lines))
	for i, ln := range t.lines {
		t.lines[i] = strings.TrimSpace(ln)
	}
	t.compare(earlier)
	end := t.unmarked()
	t.trailing(end)
	t.leading(end)
	t.spare()
	return t.ranges()
}

func (t *text) mark(k Kind, from, to int) {
	for i := from; i < to; i++ {
		if !t.said[i] {
			t.kind[i] = k
		}
	}
}

// spare takes back what would leave nothing: signatures first, then all.
func (t *text) spare() {
	for _, k := range [...]Kind{Signature, History, Forwarded} {
		if t.hasOwn() {
			return
		}
		for i := range t.kind {
			if t.kind[i] == k {
				t.kind[i] = own
			}
		}
	}
}

func (t *text) hasOwn() bool {
	for i, ln := range t.lines {
		if ln != "" && t.kind[i] == own {
			return true
		}
	}
	return false
}

// ranges joins lines of one kind, over blank lines; none begins or ends with one.
func (t *text) ranges() (out []Range) {
	joined := false
	for i, ln := range t.lines {
		k, n := t.kind[i], len(out)
		switch {
		case ln == "":
			continue
		case k != own && joined && out[n-1].Kind == k:
			out[n-1].To = i + 1
		case k != own:
			out = append(out, Range{k, i, i + 1})
		}
		joined = k != own
	}
	return out
}

// Own is the text without its ranges.
func Own(s string, ranges []Range) string {
	lines := strings.Split(s, "\n")
	var out []string
	at := 0
	for _, r := range ranges {
		out = append(out, lines[at:r.From]...)
		at = r.To
	}
	return strings.TrimSpace(strings.Join(append(out, lines[at:]...), "\n"))
}
