package mail

import (
	"sort"
	"strconv"
	"strings"
)

// paramSet collects parameters with the continuations and charsets of RFC 2231:
// name*0*=utf-8'en'%e2%82%ac; name*1=" rates". The set is small (parseMedia).
type paramSet struct {
	cs     *charsets
	plain  map[string]string
	pieces []piece
}

type piece struct {
	name, value string
	n           int
	extended    bool
}

func (p *paramSet) add(name, value string, quoted bool) {
	base, tail, star := strings.Cut(name, "*")
	if !isToken(base) {
		return
	}
	if !star {
		if p.plain == nil {
			p.plain = map[string]string{}
		}
		if _, twice := p.plain[base]; !twice {
			p.plain[base] = value
		}
		return
	}
	number, extended := strings.CutSuffix(tail, "*")
	n, err := strconv.Atoi(number)
	if number != "" && (err != nil || n < 0) {
		return
	}
	p.pieces = append(p.pieces, piece{base, value, n, extended || tail == ""})
}

// finish joins the pieces. A name in its extended form wins over its plain one
// (RFC 6266 4.3). Encoded words are undone in plain values only: they have no
// place there, and are common.
func (p *paramSet) finish() map[string]string {
	for name, v := range p.plain {
		p.plain[name] = p.plainValue(v)
	}
	if len(p.pieces) == 0 {
		return p.plain
	}
	if p.plain == nil {
		p.plain = map[string]string{}
	}
	sort.SliceStable(p.pieces, func(i, j int) bool {
		a, b := p.pieces[i], p.pieces[j]
		return a.name < b.name || a.name == b.name && a.n < b.n
	})
	for i := 0; i < len(p.pieces); {
		j := i + 1
		for j < len(p.pieces) && p.pieces[j].name == p.pieces[i].name {
			j++
		}
		p.plain[p.pieces[i].name] = p.join(p.pieces[i:j])
		i = j
	}
	return p.plain
}

// plainValue undoes what does not belong into a plain value: encoded words, and
// the extended form under the plain name.
func (p *paramSet) plainValue(v string) string {
	if label, text, ok := extendedValue(v); ok && strings.Contains(text, "%") {
		return p.cs.decode(unpercent(nil, text), label)
	}
	return p.cs.words(v)
}

// extendedValue cuts charset'language'text, also where the language was left out
// with its quote.
func extendedValue(v string) (label, text string, ok bool) {
	label, rest, ok := strings.Cut(v, "'")
	if !ok || label != "" && find(cleanLabel(label)).kind == none {
		return "", v, false
	}
	if lang, text, both := strings.Cut(rest, "'"); both && len(lang) <= 20 && !strings.ContainsAny(lang, "% ") {
		return label, text, true
	}
	return label, rest, label != ""
}

// join decodes the pieces of one name. The bytes are joined before the charset
// is undone, since a character may be cut between two pieces.
func (p *paramSet) join(pieces []piece) string {
	var b []byte
	label, extended := "", false
	for i, x := range pieces {
		if i > 0 && x.n == pieces[i-1].n {
			continue
		}
		v := x.value
		if x.extended {
			if i == 0 {
				if l, text, ok := extendedValue(v); ok {
					label, v = l, text
				} else if parts := strings.SplitN(v, "'", 3); len(parts) == 3 {
					label, v = parts[0], parts[2]
				}
			}
			extended = true
			b = unpercent(b, v)
			continue
		}
		b = append(b, v...)
	}
	if !extended {
		return p.cs.words(string(b))
	}
	return p.cs.words(p.cs.decode(b, label)) // encoded twice
}

// unpercent undoes %xx; what is no such triple stands for itself.
func unpercent(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return b
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
