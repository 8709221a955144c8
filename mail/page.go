package mail

import (
	"html"
	"slices"
	"strings"
)

// page is the HTML of a message: pieces in the order in which they are read.
type page struct{ pieces []stretch }

// stretch is a part, or a text that stands between two.
type stretch struct {
	part *Part
	text string // plain
	html string // as it came
}

func (g *page) add(p stretch) { g.pieces = append(g.pieces, p) }

// pageHTML reads the page in UTF-8, as it came: hostile. A page without any HTML is
// none; beside HTML, plain text stands in a block of its own.
func (r *reader) pageHTML(g *page) string {
	rich := func(p stretch) bool { return p.html != "" || p.part != nil && isHTML(p.part) }
	if !slices.ContainsFunc(g.pieces, rich) {
		return ""
	}
	out := &gather{limit: MaxHTMLBytes}
	for _, p := range g.pieces {
		switch {
		case out.room() <= 2:
			out.cut = true
		case rich(p) && p.part != nil:
			out.add(r.markup(p.part))
		case rich(p):
			out.add(p.html)
		case p.part != nil:
			out.add(blockOf(r.readable(p.part, out.room()/2)))
		default:
			out.add(blockOf(p.text))
		}
	}
	r.cut = r.cut || out.cut
	return out.String()
}

// blockOf is plain text as HTML.
func blockOf(s string) string {
	if s == "" {
		return ""
	}
	return "<div>" + strings.ReplaceAll(html.EscapeString(s), "\n", "<br>\n") + "</div>"
}

// markup is a part's HTML. It is read twice, for Text and for the page.
func (r *reader) markup(p *Part) string {
	if p != r.last {
		r.last, r.lastHTML = p, r.part(p, MaxHTMLBytes)
	}
	return r.lastHTML
}

// squeeze makes texts comparable that differ by white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
