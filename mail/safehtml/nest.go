package safehtml

// Where the search for an open element ends: what is in a cell ends in it.
var (
	walls      = set("td th caption table")
	listWalls  = set("td th caption table ul ol dl blockquote")
	tableWalls = set("table")
	betweens   = set("table colgroup thead tbody tfoot tr") // of a table, but no cell
	headings   = set("h1 h2 h3 h4 h5 h6")
)

// implied ends the elements that the start of another ends.
func (b *builder) implied(name string, el element) {
	if el.block {
		b.endParagraph(name)
	}
	switch {
	case name == "li":
		b.endWithin("li", listWalls)
	case name == "dd" || name == "dt":
		b.endWithin("dd", listWalls)
		b.endWithin("dt", listWalls)
	case name == "a":
		b.endLink()
	case headings[name] && headings[b.top().name]:
		b.pop(len(b.open) - 1)
	case name == "table" && betweens[b.top().name]:
		b.endWithin("table", nil)
	case tables[name] != nil:
		b.endCells(name)
	}
}

// find is the nearest open element that is what is looked for within walls; 0 is none.
func (b *builder) find(is func(*node) bool, walls map[string]bool) int {
	for i := len(b.open) - 1; i > 0; i-- {
		if is(b.open[i]) {
			return i
		}
		if walls[b.open[i].name] {
			return 0
		}
	}
	return 0
}

// endWithin ends the nearest open element of a name.
func (b *builder) endWithin(name string, walls map[string]bool) {
	if i := b.named(name, walls); i > 0 {
		b.pop(i)
	}
}

// named finds without a search where nothing of that name is open.
func (b *builder) named(name string, walls map[string]bool) int {
	if b.have[name] == 0 {
		return 0
	}
	return b.find(func(n *node) bool { return n.name == name }, walls)
}

func (n *node) paragraph() bool { return n.name == "p" || n.wasP }

// endParagraph ends the open paragraph before a block. Where links or fonts are
// open in it, browsers would go on with them in the block; here, the paragraph
// becomes a block that may hold others.
func (b *builder) endParagraph(before string) {
	i := b.named("p", walls)
	switch {
	case i == 0:
	case before == "p" || i == len(b.open)-1:
		b.pop(i)
	default:
		b.rename(b.open[i], "div")
		b.open[i].wasP = true
	}
}

// endLink ends the open link before another. One that holds open blocks is none
// any more, since ending it would end them.
func (b *builder) endLink() {
	i := b.named("a", walls)
	if i == 0 {
		return
	}
	if b.holdsBlock(i) {
		b.rename(b.open[i], "span")
		b.open[i].attrs = nil
		return
	}
	b.pop(i)
}

func (b *builder) holdsBlock(i int) bool {
	for _, inner := range b.open[i+1:] {
		if !elements[inner.name].inline() {
			return true
		}
	}
	return false
}

// endCells goes up to the part of the open table that may hold such an element.
func (b *builder) endCells(name string) {
	if i := b.find(func(n *node) bool { return tables[name][n.name] }, tableWalls); i > 0 {
		b.pop(i + 1)
	}
}

// pop ends the elements from the i-th on, and those around whose end came before.
func (b *builder) pop(i int) {
	for len(b.open) > i || len(b.open) > 1 && b.top().ended {
		b.have[b.top().name]--
		b.open = b.open[:len(b.open)-1]
	}
}

func (b *builder) rename(n *node, name string) {
	b.have[n.name]--
	n.name = name
	b.have[name]++
}

// end takes an end tag.
func (b *builder) end(name string) {
	if b.hidden.depth > 0 {
		if name == b.hidden.name {
			b.hidden.depth--
		}
		return
	}
	el, ok := elements[name]
	switch {
	case name == "br":
		b.add(&node{name: name})
	case !ok || el.void:
	case name == "p":
		if i := b.find((*node).paragraph, walls); i > 0 {
			b.pop(i)
		}
	case name == "table" || tables[name] != nil:
		b.endWithin(name, tableWalls)
	case el.inline():
		b.endInline(name)
	default:
		b.endWithin(name, walls)
	}
}

// endInline ends an inline element. One that holds an open block ends with it:
// ending it here would end the block, and what comes would stand somewhere else.
func (b *builder) endInline(name string) {
	i := 0
	if b.have[name] > 0 {
		i = b.find(func(n *node) bool { return n.name == name && !n.ended }, walls)
	}
	if i == 0 {
		return
	}
	if b.holdsBlock(i) {
		b.open[i].ended = true
		return
	}
	b.pop(i)
}
