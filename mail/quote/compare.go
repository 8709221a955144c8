package quote

import "strings"

// Bounds of what is compared, and what it takes to be a repetition: a text from
// its first words on, most of it or a good deal of it.
const (
	maxEarlier  = 200      // texts
	maxCompared = 64 << 10 // bytes of each
	keyWords    = 5
	enoughWords = 30
	maxInserted = 100 // lines of one answer
)

// Earlier is the texts that stand before one in its thread. Its zero value is none.
type Earlier struct{ begins map[string][]string } // words, by the first of them

// Add takes one more; of two that begin with the same words, the later counts.
func (e *Earlier) Add(s string) {
	words := wordsOf(s[:min(len(s), maxCompared)])
	if len(words) < keyWords || len(e.begins) >= maxEarlier {
		return
	}
	if e.begins == nil {
		e.begins = map[string][]string{}
	}
	e.begins[strings.Join(words[:keyWords], " ")] = words
}

// compare marks what repeats an earlier text, and tells the answers within it.
// Words are compared, not lines: replies are wrapped anew.
func (t *text) compare(earlier *Earlier) {
	if earlier == nil || len(earlier.begins) == 0 {
		return
	}
	words := make([][]string, len(t.lines))
	for i, ln := range t.lines {
		words[i] = wordsOf(ln)
	}
	for i := 0; i < len(words); i++ {
		if len(words[i]) == 0 || t.quoted(i) {
			continue
		}
		if e := earlier.begins[key(words[i:])]; e != nil {
			i = max(i, t.repeated(i, words, e)-1)
		}
	}
}

// key is the first words of lines.
func key(lines [][]string) string {
	var first []string
	for _, ws := range lines[:min(len(lines), 2*keyWords)] {
		first = append(first, ws[:min(len(ws), keyWords-len(first))]...)
		if len(first) == keyWords {
			return strings.Join(first, " ")
		}
	}
	return ""
}

// repeated follows an earlier text from line i on, over what was put in between,
// and gives the line behind.
func (t *text) repeated(i int, words [][]string, e []string) int {
	end, at, answered := i, 0, i
	for j := i; j < len(words) && at < len(e); j++ {
		if len(words[j]) == 0 {
			continue
		}
		next := resume(words, j, e[at:])
		if next < 0 {
			break
		}
		if next > j {
			answered = next
		}
		j, at, end = next, at+len(words[next]), next+1
	}
	if at < enoughWords && 2*at < len(e) {
		return i
	}
	for j := i; j < answered; j++ {
		t.said[j] = true
	}
	if from := t.introduced(i); answered == i {
		t.mark(History, from, i)
	}
	t.mark(History, answered, end)
	return end
}

// resume finds the line, j or one of those behind, with which a text goes on. A
// line must say something to be found again behind an answer.
func resume(words [][]string, j int, e []string) int {
	for k := j; k < min(len(words), j+maxInserted); k++ {
		ws := words[k]
		if len(ws) == 0 || len(ws) > len(e) || k > j && len(ws) < 3 && len(ws) < len(e) {
			continue
		}
		same := true
		for n, w := range ws {
			same = same && e[n] == w
		}
		if same {
			return k
		}
	}
	return -1
}

// wordsOf leaves out marks of quotes and of emphasis.
func wordsOf(s string) (out []string) {
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if w = strings.Trim(w, `*_<>|"'“”`); w != "" {
			out = append(out, w)
		}
	}
	return out
}
