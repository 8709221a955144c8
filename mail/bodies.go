package mail

// Bodies sorts the leaves of a message as RFC 8621 4.1.4 says: the parts to
// show where text is preferred, those where HTML is, and the attachments. Media
// that stand between texts are in both lists.
func (m *Message) Bodies() (text, html, attached []*Part) { return bodiesOf(m.Root) }

func bodiesOf(root *Part) (text, html, attached []*Part) {
	b := bodies{}
	text, html = []*Part{}, []*Part{}
	b.sort([]*Part{root}, "mixed", false, &text, &html)
	return text, html, b.attached
}

type bodies struct{ attached []*Part }

// sort walks one multipart. A nil list is one that this branch of an
// alternative does not feed.
func (b *bodies) sort(parts []*Part, multipart string, inAlternative bool, text, html *[]*Part) {
	texts, htmls := length(text), length(html)
	for i, p := range parts {
		if p.isMultipart() && !p.Opaque {
			kind := p.Type[len("multipart/"):]
			b.sort(p.Children, kind, inAlternative || kind == "alternative", text, html)
			continue
		}
		if !isInline(p, i, multipart) {
			b.attached = append(b.attached, p)
			continue
		}
		if multipart == "alternative" {
			switch {
			case p.Type == "text/plain":
				push(text, p)
			case p.Type == "text/html":
				push(html, p)
			default:
				b.attached = append(b.attached, p)
			}
			continue
		}
		if inAlternative {
			if p.Type == "text/plain" {
				html = nil
			}
			if p.Type == "text/html" {
				text = nil
			}
		}
		push(text, p)
		push(html, p)
		if (text == nil || html == nil) && isMedia(p) {
			b.attached = append(b.attached, p)
		}
	}
	if multipart != "alternative" || text == nil || html == nil {
		return
	}
	if texts == len(*text) && htmls != len(*html) { // HTML alone serves both
		*text = append(*text, (*html)[htmls:]...)
	} else if htmls == len(*html) && texts != len(*text) {
		*html = append(*html, (*text)[texts:]...)
	}
}

func isInline(p *Part, i int, multipart string) bool {
	if p.Opaque || p.Disposition == "attachment" {
		return false
	}
	if p.Type != "text/plain" && p.Type != "text/html" && !isMedia(p) {
		return false
	}
	return i == 0 || multipart != "related" && (isMedia(p) || p.Filename == "")
}

func isMedia(p *Part) bool {
	for _, kind := range [...]string{"image/", "audio/", "video/"} {
		if len(p.Type) > len(kind) && p.Type[:len(kind)] == kind {
			return true
		}
	}
	return false
}

func length(list *[]*Part) int {
	if list == nil {
		return -1
	}
	return len(*list)
}

func push(list *[]*Part, p *Part) {
	if list != nil {
		*list = append(*list, p)
	}
}

// leaves lists the parts of one message that have none below them. A message
// inside it counts as one.
func leaves(p *Part) []*Part {
	if !p.isMultipart() || len(p.Children) == 0 {
		return append(append([]*Part{p}, p.uu...), p.files...)
	}
	var list []*Part
	for _, c := range p.Children {
		list = append(list, leaves(c)...)
	}
	return list
}
