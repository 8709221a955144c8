package safehtml

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/parley-im/parley/mail/quote"
)

// The kinds of folds, as data-fold says them.
const (
	foldHistory   = "history"
	foldSignature = "signature"
)

// maxIntroduction is in bytes of text.
const maxIntroduction = 500

// folder finds what stands behind the author's last words.
type folder struct {
	shares map[*node]share
	paths  map[string]bool
	root   *node
}

// fold puts quoted history and signatures at the end into details elements. What
// has answers behind it stays open, and so does a message that is nothing else.
func (b *builder) fold() {
	root := b.open[0]
	if b.cut || b.deepest > maxDepth-4 || b.elements > maxElements-1000 || root.holds(folding) {
		return
	}
	f := folder{shares: map[*node]share{}, paths: b.paths, root: root}
	f.lift(root)
	all := f.weigh(root, plain)
	if !all.own && !all.signature {
		root.forget()
		return
	}
	f.within(root, all.own)
}

func folding(n *node) bool { return has(n.attrs, "data-fold") }

// holds reports a node of the tree that is something.
func (n *node) holds(is func(*node) bool) bool {
	if is(n) {
		return true
	}
	for _, k := range n.kids {
		if k.holds(is) {
			return true
		}
	}
	return false
}

// forget takes away the signs that would be seen again when the rest are gone.
func (n *node) forget() {
	for i, a := range n.attrs {
		if roleOf(n.name, a.Key, a.Val) != plain {
			n.attrs = slices.Delete(n.attrs, i, i+1)
			break
		}
	}
	for _, k := range n.kids {
		k.forget()
	}
}

// within folds in the node that has the author's last words, and in those of its
// children. signatures says whether signatures fold: not if they are all there is.
func (f *folder) within(n *node, signatures bool) {
	last := len(n.kids) - 1
	for last >= 0 && !f.left(n.kids[last], signatures) {
		last--
	}
	if last >= 0 {
		f.within(n.kids[last], signatures)
	}
	if !n.holdsBlocks() {
		return
	}
	at := f.introduced(n, last+1)
	n.kids = append(n.kids[:at:at], f.wrapped(n.kids[at:], signatures)...)
}

func (f *folder) left(n *node, signatures bool) bool {
	s := f.shares[n]
	return s.own || s.signature && !signatures
}

// holdsBlocks reports an element in which a fold may stand.
func (n *node) holdsBlocks() bool {
	switch n.name {
	case "div", "td", "th", "blockquote", "center", "section", "article", "main", "li", "dd":
		return true
	}
	return false
}

// introduced takes in the line above a quote that says who is quoted.
func (f *folder) introduced(n *node, at int) int {
	next := at
	for next < len(n.kids) && f.shares[n.kids[next]].blank() {
		next++
	}
	if next == len(n.kids) || !f.shares[n.kids[next]].history {
		return at
	}
	i := at - 1
	for i >= 0 && f.shares[n.kids[i]].blank() {
		i--
	}
	if i < 0 || f.shares[n.kids[i]].history || f.shares[n.kids[i]].signature {
		return at
	}
	var b strings.Builder
	n.kids[i].words(&b)
	for j := range i { // something else has to be left
		if f.shares[n.kids[j]].own && b.Len() <= maxIntroduction && quote.Introduces(b.String()) {
			return i
		}
	}
	return at
}

// words is the text of a node, up to a little more than an introduction has.
func (n *node) words(b *strings.Builder) {
	for _, s := range n.text {
		b.WriteString(s)
	}
	for _, k := range n.kids {
		if b.Len() > maxIntroduction {
			return
		}
		k.words(b)
	}
}

// wrapped puts runs of one kind into a fold each; what is blank in front stays.
func (f *folder) wrapped(kids []*node, signatures bool) (out []*node) {
	var fold *node
	kind := ""
	for _, k := range kids {
		s, is := f.shares[k], foldHistory
		switch {
		case s.blank() && fold == nil:
			out = append(out, k)
			continue
		case s.blank():
			fold.kids = append(fold.kids, k)
			continue
		case s.signature && !s.history:
			is = foldSignature
		}
		if fold == nil || is != kind {
			kind, fold = is, newFold(is)
			out = append(out, fold)
		}
		fold.kids = append(fold.kids, k)
	}
	return out
}

func newFold(kind string) *node {
	title := map[string]string{foldHistory: "Quoted text", foldSignature: "Signature"}[kind]
	return &node{name: "details", attrs: []html.Attribute{{Key: "data-fold", Val: kind}},
		kids: []*node{{name: "summary", kids: []*node{{text: []string{title}}}}}}
}
