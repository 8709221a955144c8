package safehtml

import (
	"maps"
	"strings"

	"golang.org/x/net/html"
)

// builder makes the tree of what may stay out of tokens. It follows the parser of
// HTML 13.2.6 in what most mail relies on (elements that end others, tables, raw
// text) and is simpler where tags cross: it opens nothing twice, so that the tree
// is never larger than its source.
type builder struct {
	Options
	paths    map[string]bool // addresses that CID leads to
	open     []*node         // the elements under way; the first is the root
	have     map[string]int  // how many of a name are open
	styles   map[string]string
	elements int
	deepest  int
	blocked  int
	cut      bool
	hidden   region
	unclosed map[string]bool // dropped elements that never end: their content counts
}

// region is a dropped element that is open, and how many of its kind are inside.
type region struct {
	name  string
	depth int
}

// build reads src. Where a dropped element never ends, it is read again without
// dropping that kind, and if that is not enough, any kind: a message must not end
// where a tag was forgotten.
func build(src string, o Options) *builder {
	paths := map[string]bool{}
	for _, p := range o.CID {
		paths[p] = formPath.MatchString(p)
	}
	unclosed := map[string]bool{}
	for {
		b := &builder{Options: o, paths: paths, open: []*node{{name: "div"}}, have: map[string]int{}, styles: map[string]string{}, unclosed: unclosed}
		b.read(src)
		if b.hidden.depth == 0 || raw[b.hidden.name] {
			return b
		}
		if len(unclosed) > 0 {
			maps.Copy(unclosed, dropped)
			maps.DeleteFunc(unclosed, func(name string, _ bool) bool { return raw[name] })
		}
		unclosed[b.hidden.name] = true
	}
}

func (b *builder) read(src string) {
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			b.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			b.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(string(name))
		}
	}
}

// html is the tree, in an element of its own if the body of the message had
// attributes.
func (b *builder) html() string {
	var out strings.Builder
	if root := b.open[0]; len(root.attrs) > 0 {
		root.write(&out)
	} else {
		root.inner(&out)
	}
	return out.String()
}

func (b *builder) top() *node { return b.open[len(b.open)-1] }

func (b *builder) text(s string) {
	if s = clean(s); b.hidden.depth == 0 && s != "" {
		b.top().say(s)
	}
}

// start takes a start tag. "/>" means nothing in HTML.
func (b *builder) start(z *html.Tokenizer) {
	tag, more := z.TagName()
	name := string(tag)
	if b.hidden.depth > 0 {
		if name == b.hidden.name {
			b.hidden.depth++
		}
		return
	}
	if dropped[name] && !b.unclosed[name] {
		if name != "embed" { // which has no content
			b.hidden = region{name, 1}
		}
		return
	}
	if name == "body" {
		b.body(z, more)
		return
	}
	el, ok := elements[name]
	if !ok {
		return
	}
	n := &node{name: name}
	if more {
		n.attrs, n.role = b.attributes(name, z)
	}
	if name == "a" && !has(n.attrs, "href") {
		return // an anchor
	}
	b.implied(name, el)
	b.add(n)
}

// add puts an element where it may stand.
func (b *builder) add(n *node) {
	el, in := elements[n.name], b.top()
	if el.table && !tables[n.name][in.name] || n.name == "summary" && in.name != "details" {
		return
	}
	if b.elements >= maxElements || len(b.open) >= maxDepth && !el.void {
		b.cut = true
		return
	}
	if n.name == "img" && dot(n.attrs) {
		return
	}
	b.elements++
	in.kids = append(in.kids, n)
	if attr := loads[n.name]; attr != "" && has(n.attrs, heldBack+attr) {
		b.blocked++
	}
	if !el.void {
		b.open = append(b.open, n)
		b.have[n.name]++
		b.deepest = max(b.deepest, len(b.open))
	}
}
