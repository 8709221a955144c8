package quote

// unmarked finds where a history without marks begins, which goes on to the end,
// and gives that line.
func (t *text) unmarked() int {
	for i := range t.lines {
		if t.lines[i] == "" || t.quoted(i) || t.kind[i] != own || t.said[i] {
			continue
		}
		kind, from, behind := t.opening(i)
		if kind == own || t.quotedNext(behind) {
			continue
		}
		from = t.above(from)
		t.mark(kind, from, len(t.lines))
		return from
	}
	return len(t.lines)
}

// opening recognises what opens a history or a forwarded message at line i, where
// that begins, and the line behind.
func (t *text) opening(i int) (kind Kind, from, behind int) {
	if kind, behind = t.delimiter(i); kind != own {
		return kind, i, behind
	}
	if behind = t.headerBlock(i, 3); behind > 0 {
		return History, i, behind
	}
	if from, ok := t.attribution(i, false); ok {
		return History, from, i + 1
	}
	return own, 0, 0
}

// above takes in the rule over an opening, and blank lines between.
func (t *text) above(from int) int {
	i := from
	for i > 0 && t.lines[i-1] == "" {
		i--
	}
	if i > 0 && IsRule(t.lines[i-1]) {
		return i - 1
	}
	return from
}

// quoted reports a line that is marked as a quote.
func (t *text) quoted(i int) bool { return t.lines[i] != "" && t.lines[i][0] == '>' }

// quotedNext reports that the next line that is not blank is marked.
func (t *text) quotedNext(i int) bool {
	i = t.skipBlank(i)
	return i < len(t.lines) && (t.quoted(i) || superCited(t.lines[i]))
}

func (t *text) skipBlank(i int) int {
	for i < len(t.lines) && t.lines[i] == "" {
		i++
	}
	return i
}

// trailing goes up from the end over quotes and signatures, in any order, to the
// author's last words.
func (t *text) trailing(end int) {
	for {
		for end > 0 && (t.lines[end-1] == "" || t.kind[end-1] != own) {
			end--
		}
		if end == 0 || t.said[end-1] {
			return
		}
		if from := t.quoteUp(end); from < end {
			t.mark(History, from, end)
			end = from
			continue
		}
		from := t.signature(end)
		if from == end {
			return
		}
		t.mark(Signature, from, end)
		end = from
	}
}

// quoteUp is where the quote that ends at end begins, with what introduces it.
func (t *text) quoteUp(end int) int {
	i := end
	for i > 0 && (t.lines[i-1] == "" || t.marked(i-1)) {
		i--
	}
	i = t.skipBlank(i)
	if i >= end {
		return end
	}
	return t.introduced(i)
}

// marked reports a line of a quote, also one that names its author.
func (t *text) marked(i int) bool {
	return t.quoted(i) || superCited(t.lines[i]) && t.introduced(i) < i
}

// introduced is where the lines begin that introduce a quote at line i; i if none.
func (t *text) introduced(i int) int {
	at := i - 1
	for at >= 0 && t.lines[at] == "" && i-at <= 3 {
		at--
	}
	if at < 0 || t.lines[at] == "" || t.kind[at] != own {
		return i
	}
	if from, ok := t.attribution(at, true); ok {
		return from
	}
	if kind, _ := t.delimiter(at); kind != own {
		return t.above(at)
	}
	return i
}

// leading folds a quote that all of the author's words stand behind. Where there
// is a further quote among them, they are answers to its parts, and no quote folds.
func (t *text) leading(end int) {
	i := t.skipBlank(0)
	begin := i
	for range maxAttribution { // what introduces it
		if i >= end || t.marked(i) {
			break
		}
		i++
		i = t.skipBlank(i)
	}
	if i >= end || !t.marked(i) || t.introduced(i) != begin && i != begin {
		return
	}
	for i < end && (t.lines[i] == "" || t.marked(i)) {
		i++
	}
	for j := i; j < end; j++ {
		if t.kind[j] == own && t.quoted(j) {
			return
		}
	}
	if t.kind[begin] == own {
		t.mark(History, begin, i)
	}
}
