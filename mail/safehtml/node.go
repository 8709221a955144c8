package safehtml

import (
	"strings"

	"golang.org/x/net/html"
)

// node is an element that passed, or a text where name is "".
type node struct {
	name  string
	attrs []html.Attribute
	text  []string // in pieces
	kids  []*node
	ended bool // its end tag came while a block inside of it was open
	wasP  bool // a paragraph that became a block
	role  role
}

// write is the tree as HTML; depth is bounded. The tokens are written as the
// second gate writes them.
func (n *node) write(b *strings.Builder) {
	if n.name == "" {
		for _, s := range n.text {
			b.WriteString(html.EscapeString(s))
		}
		return
	}
	b.WriteString(html.Token{Type: html.StartTagToken, Data: n.name, Attr: n.attrs}.String())
	if elements[n.name].void {
		return
	}
	n.inner(b)
	b.WriteString("</" + n.name + ">")
}

func (n *node) inner(b *strings.Builder) {
	for _, k := range n.kids {
		k.write(b)
	}
}

// say appends text; texts that touch are one, as they will be when read again.
func (n *node) say(text string) {
	if k := len(n.kids); k > 0 && n.kids[k-1].name == "" {
		n.kids[k-1].text = append(n.kids[k-1].text, text)
		return
	}
	n.kids = append(n.kids, &node{text: []string{text}})
}

// clean takes out what HTML does not hold (NUL and other controls) and what is
// read in another way when it is read again.
func clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return r
		case r == '\r' || r == '\f':
			return '\n'
		case r < ' ', 0x7f <= r && r < 0xa0, r == '\ufeff':
			return -1
		}
		return r
	}, s)
}

// bounded is the input up to MaxBytes.
func bounded(s string) (string, bool) {
	if len(s) <= MaxBytes {
		return s, false
	}
	n := MaxBytes
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n], true
}
