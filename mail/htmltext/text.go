package htmltext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxLink is the longest address that is worth its place in a text.
const maxLink = 1000

// Text gives the text of HTML, at most limit bytes. Where everything is hidden,
// what is hidden is shown: a message must not read as empty for a mistake in it.
func Text(src string, limit int) string {
	for _, hide := range [...]bool{true, false} {
		c := &converter{out: writer{limit: limit}, hiding: hide}
		c.run(src)
		if s := c.out.String(); strings.TrimSpace(s) != "" || !hide {
			return s
		}
	}
	return ""
}

type converter struct {
	out    writer
	hiding bool
	hidden region // what is not shown
	link   string // address of the open link
	linkAt int    // where its text began
	lists  []int  // open lists: the next number, 0 for marks
}

// region is an element whose whole content is dropped. Elements of its name
// inside of it are counted, so that its own end is found without a tree.
type region struct {
	name  string
	depth int
}

func (c *converter) run(src string) {
	z := html.NewTokenizer(strings.NewReader(src))
	for !c.out.full() {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if c.hidden.depth == 0 {
				c.out.text(string(z.Text()))
			}
		case html.StartTagToken:
			c.start(read(z), false)
		case html.SelfClosingTagToken:
			c.start(read(z), true)
		case html.EndTagToken:
			name, _ := z.TagName()
			c.end(atom.String(name))
		}
	}
}

// start opens an element. closed says that it was written as <a/>, which
// counts for elements that HTML does not know.
func (c *converter) start(e element, closed bool) {
	void := voids[e.name] || closed && strings.Contains(e.name, ":")
	if c.hidden.depth > 0 {
		if !c.hidden.ends(e.name) {
			if e.name == c.hidden.name && !void {
				c.hidden.depth++
			}
			return
		}
		c.hidden = region{}
	}
	if dropped[e.name] || c.hiding && e.hidden {
		if !void {
			c.hidden = region{e.name, 1}
		}
		return
	}
	c.open(e)
}

// ends reports whether a start tag closes the region: HTML leaves out the end
// tags of these.
func (r region) ends(name string) bool {
	switch r.name {
	case "p":
		return blocks[name] > 0
	case "td", "th":
		return name == "td" || name == "th" || name == "tr"
	case "tr", "li", "dd", "dt", "option":
		return name == r.name
	}
	return name == "body"
}

// open writes what an element that is shown begins with.
func (c *converter) open(e element) {
	c.out.breaks(blocks[e.name])
	switch e.name {
	case "br":
		c.out.newline()
	case "hr":
		c.out.text("----")
		c.out.breaks(blocks[e.name])
	case "td", "th":
		c.out.cell()
	case "a":
		c.closeLink()
		c.link, c.linkAt = e.href, c.out.mark()
	case "img":
		if alt := strings.TrimSpace(e.alt); alt != "" {
			c.out.text("[" + alt + "]")
		}
	case "ul", "ol", "menu", "dir":
		next := 0
		if e.name == "ol" {
			next = 1
		}
		if len(c.lists) < maxIndent {
			c.lists = append(c.lists, next)
		}
	case "li":
		c.out.item(c.lists)
	case "blockquote":
		c.out.quote(1)
	case "pre":
		c.out.pre++
	}
}

// end closes an element.
func (c *converter) end(name string) {
	if c.hidden.depth > 0 {
		if name == c.hidden.name {
			c.hidden.depth--
		} else if c.hidden.name != "script" && c.hidden.name != "style" && (name == "body" || name == "html") {
			c.hidden = region{}
		}
		return
	}
	switch name {
	case "a":
		c.closeLink()
	case "ul", "ol", "menu", "dir":
		if n := len(c.lists); n > 0 {
			c.lists = c.lists[:n-1]
		}
	case "blockquote":
		c.out.quote(-1)
	case "pre":
		c.out.pre = max(0, c.out.pre-1)
	}
	c.out.breaks(blocks[name])
}

// closeLink writes the address behind the text of a link, unless it says the same.
func (c *converter) closeLink() {
	href := c.link
	c.link = ""
	if href == "" || len(href) > maxLink {
		return
	}
	text := c.out.since(c.linkAt)
	if text == "" || sameAddress(text, href) {
		return
	}
	c.out.tail(" (" + href + ")")
}

func sameAddress(text, href string) bool {
	strip := func(s string) string {
		s = strings.ToLower(strings.TrimSpace(s))
		for _, p := range [...]string{"mailto:", "tel:", "https://", "http://", "www."} {
			s = strings.TrimPrefix(s, p)
		}
		return strings.TrimRight(s, "/")
	}
	return strip(text) == strip(href)
}
