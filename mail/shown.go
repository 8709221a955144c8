package mail

import (
	"bytes"
	"slices"
)

// Shown says where a part of the MIME tree is to be found in a Message. Each
// leaf is in one place: nothing is shown twice, and nothing is lost.
type Shown uint8

// The places.
const (
	Structure Shown = iota // holds other parts, which are shown for themselves
	InText                 // in Message.Text
	InHTML                 // in Message.HTML, and in Message.Text where that has no other
	Attached               // in Message.Attachments
)

// String is for tests and logs.
func (s Shown) String() string {
	return [...]string{"structure", "text", "html", "attached"}[s&3]
}

// view is one message, the whole or one inside it, and where it is shown.
type view struct {
	root *Part
	text *gather
	page *page
}

// show puts one message into its view, and marks its leaves.
func (r *reader) show(v view) {
	text, html, _ := bodiesOf(v.root)
	text, html = textParts(text), textParts(html)
	all := leaves(v.root)
	html = r.showHTML(v, text, html, all)
	r.showText(v, text, InText)
	if v.text.empty() {
		r.showText(v, html, InHTML)
	}
	r.showSigned(v, all)
	if v.text.empty() {
		r.showHidden(v, all)
	}
	for _, p := range all {
		if p.returned && v.text.empty() {
			p.returned = false
		}
		if p.opened() {
			r.showMessage(v, p)
		}
	}
	for _, p := range all {
		if p.Shown == Structure && !p.opened() && r.isLeaf(p) {
			p.Shown = Attached
			if len(p.Children) > 0 { // a message that is a file
				p.Size = p.Length
			}
		}
	}
}

// isLeaf leaves out a multipart without parts, unless it holds something.
func (r *reader) isLeaf(p *Part) bool {
	if !p.isMultipart() || p.Opaque {
		return true
	}
	head, cutOff := r.read(p, 4<<10)
	return cutOff || len(bytes.TrimSpace(head)) > 0
}

// showHTML puts the HTML that is preferred to text on the page, with the plain
// text between it (RFC 8621 4.1.4). Where none stands in its place, another leaf
// will do, if it is not rather a file: in multipart/related the root may stand
// last. It gives the list that was shown.
func (r *reader) showHTML(v view, text, html, all []*Part) []*Part {
	found := slices.ContainsFunc(html, isHTML)
	for _, p := range html {
		if found && (isHTML(p) || !slices.Contains(text, p)) {
			p.Shown = InHTML
		}
		v.page.add(stretch{part: p})
	}
	for _, p := range all {
		file := p.Disposition == "attachment" || p.Filename != "" && len(text) > 0
		if !found && isHTML(p) && !file && !slices.Contains(text, p) {
			p.Shown, found = InHTML, true
			v.page.add(stretch{part: p})
			html = append(html, p)
		}
	}
	return html
}

func isHTML(p *Part) bool { return p.Type == "text/html" }

// showText gathers the texts of a list. What an alternative says a second time is
// left out, unless it is something else.
func (r *reader) showText(v view, list []*Part, where Shown) {
	first := ""
	for _, p := range list {
		if p.Shown == Structure {
			p.Shown = where
		}
		if v.text.room() <= 0 {
			v.text.cut = true
			continue
		}
		s := r.readable(p, v.text.room())
		switch {
		case !p.spare:
			first = s
		case squeeze(s) == squeeze(first):
			continue
		}
		v.text.add(s)
	}
}

// showMessage shows a message that is a part of this one, under a line that says
// whose it is.
func (r *reader) showMessage(v view, p *Part) {
	root := p.Children[0]
	h, err := root.Fields(r.src)
	r.fail(err)
	inner := &Message{Header: h}
	inner.readHeader(r.cs, &defects{})
	head := inner.forwarded()
	text, on := &gather{limit: max(0, v.text.room()-len(head)-4)}, len(v.page.pieces)
	v.page.add(stretch{text: head})
	r.show(view{root, text, v.page})
	v.text.cut = v.text.cut || text.cut
	if text.empty() && inner.Subject == "" {
		v.page.pieces = slices.Delete(v.page.pieces, on, on+1)
		return
	}
	v.text.add(head + "\n" + text.String())
}

// opened reports a message inside of this one that is shown by its parts, and is
// no file. What a report returns is one (RFC 3462 3).
func (p *Part) opened() bool {
	return p.isMessage() && len(p.Children) > 0 && p.Disposition != "attachment" && !p.returned
}

// attachedTo lists what is attached to a message and to those that are opened in
// it, in order; behind a file stands what was found in it.
func attachedTo(root *Part) (list []*Part) {
	for _, p := range leaves(root) {
		if p.Shown == Attached {
			list = append(list, p)
		}
		switch {
		case p.opened():
			list = append(list, attachedTo(p.Children[0])...)
		case p.signed != nil:
			list = append(list, attachedTo(p.signed)...)
		}
	}
	return list
}

// showSigned shows what stands in opaque signatures; they stay attached too, for
// whoever can check them.
func (r *reader) showSigned(v view, all []*Part) {
	for _, p := range all {
		if p.signed == nil {
			continue
		}
		text := &gather{limit: max(0, v.text.room())}
		r.show(view{p.signed, text, v.page})
		v.text.add(text.String())
		v.text.cut = v.text.cut || text.cut
	}
}
