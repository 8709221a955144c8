package mail

import "strings"

// token is a piece of an address: an atom, a quoted string, an address in angle
// brackets or a comment, without its delimiters.
type token struct {
	kind  tokenKind
	text  string
	glued bool // no white space before it
}

type tokenKind uint8

const (
	atom tokenKind = iota
	quoted
	angled
	comment_
)

// addressScanner cuts a list into elements. quote, paren and angle are where
// the last closing delimiters stand: an opening one behind them is literal, so
// that one mistake does not swallow the list and nothing is searched twice.
type addressScanner struct {
	s                   string
	i                   int
	quote, paren, angle int
}

// maxSpan bounds how far a closing delimiter is looked for, so that no list of
// opening ones is searched over and over.
const maxSpan = 1100

// element gives the tokens up to the next separator and the separator: ',',
// ';', ':' behind the name of a group, or 0 at the end.
func (p *addressScanner) element() (tokens []token, end byte) {
	glued, named := false, false // named: what came cannot be the name of a group
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == ' ' || c == '\t':
			p.i++
			glued = false
			continue
		case c == ',' || c == ';', c == ':' && len(tokens) > 0 && !named:
			p.i++
			return tokens, c
		}
		t, ok := p.token(c)
		if t.glued = glued; ok {
			tokens = append(tokens, t)
			named = named || t.kind == angled || strings.Contains(t.text, "@") || strings.EqualFold(t.text, "mailto")
		}
		glued = t.kind != comment_
	}
	return tokens, 0
}

func (p *addressScanner) token(c byte) (token, bool) {
	switch {
	case c == '"' && p.i < p.quote:
		if text, n := quotedText(p.s[p.i+1:]); n >= 0 && !swallows(text) {
			p.i += n + 2
			return token{kind: quoted, text: text}, true
		}
		p.i++
		return token{}, false
	case c == '(' && p.i < p.paren:
		text, n := commentText(p.s[p.i+1:])
		p.i += n + 1
		return token{kind: comment_, text: text}, true
	case c == '<':
		return p.angled(), true
	case strings.IndexByte(`">)`, c) >= 0: // closes nothing
		p.i++
		return token{}, false
	}
	return p.atom(), true
}

// angled reads what stands in angle brackets. If they are not closed it ends
// where an address must. Quotes in it may hold anything: <"a>b"@c>.
func (p *addressScanner) angled() token {
	rest := p.s[p.i+1:]
	rest = rest[:min(len(rest), maxSpan)]
	end := strings.IndexByte(rest, '>')
	if p.i >= p.angle {
		end = -1
	}
	if strings.HasPrefix(rest, `"`) && p.i+1 < p.quote {
		if _, n := quotedText(rest[1:]); n >= 0 && n < 80 {
			if j := strings.IndexByte(rest[n+2:], '>'); j >= 0 && j <= 256 {
				end = n + 2 + j
			}
		}
	}
	if stop := strings.IndexAny(rest, ",;<"); end < 0 || stop >= 0 && stop < end && !strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, `"`) {
		if end = stop; end < 0 {
			end = len(rest)
		}
		p.i += end + 1
		return token{kind: angled, text: dropComments(rest[:end])}
	}
	p.i += end + 2
	return token{kind: angled, text: dropComments(rest[:end])}
}

// atom reads up to the next special. An encoded word is one atom, whatever
// stands in it.
func (p *addressScanner) atom() token {
	begin := p.i
	if w, ok := readWord(p.s[p.i:]); ok {
		p.i += w.size
		return token{text: p.s[begin:p.i]}
	}
	for p.i++; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		if strings.IndexByte(" \t,;:<>\"()", c) >= 0 || c == '=' && strings.HasPrefix(p.s[p.i:], "=?") {
			break
		}
	}
	return token{text: p.s[begin:p.i]}
}
