package mail

import (
	"io"
	"slices"
	"strings"

	"github.com/parley-im/parley/mail/htmltext"
)

// reader reads the bodies of one message.
type reader struct {
	src     io.ReaderAt
	cs      *charsets
	nested  int
	defects *defects
	shown   []*Part // by Text or HTML
	html    *Part   // the part that is Message.HTML, and its text
	markup  string
	cut     bool
	err     error
}

// bodies fills in what the message says.
func (r *reader) bodies(m *Message) {
	r.measure(m)
	text, html, _ := bodiesOf(m.Root)
	r.shown = textParts(text)
	// After the list come other leaves: in multipart/related the root may stand last.
	for _, p := range append(slices.Clip(html), leaves(m.Root)...) {
		if p.Type == "text/html" && p.Disposition != "attachment" && m.HTML == "" {
			m.HTML = r.part(p, MaxHTMLBytes)
			r.html, r.markup = p, m.HTML
			r.shown = append(r.shown, p)
		}
	}
	m.Text = r.text(m.Root, text, html)
	m.Attachments = attachmentsOf(m.Root, r.shown)
	if m.TextCut = r.cut; r.cut {
		r.defects.add(DefectTextCut)
	}
}

// measure finds the decoded sizes.
func (r *reader) measure(m *Message) {
	for _, p := range m.Parts {
		switch {
		case len(p.Children) > 0:
		case p.Encoding == Identity:
			p.Size = p.Length
		default:
			n, err := io.Copy(io.Discard, p.Decode(r.src))
			p.Size = n
			r.fail(err)
		}
	}
}

func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
	}
}

// textParts are those of a list that hold text.
func textParts(list []*Part) (out []*Part) {
	for _, p := range list {
		if !isMedia(p) {
			out = append(out, p)
		}
	}
	return out
}

// text is the best readable text of a message: its plain text, else its HTML as
// text, else whatever can be read; then the messages in it, except what a
// report returns (RFC 3462 3).
func (r *reader) text(root *Part, text, html []*Part) string {
	out := &gather{limit: MaxTextBytes}
	for _, list := range [...][]*Part{textParts(text), textParts(html)} {
		for _, p := range list {
			if !p.spare && out.room() > 0 {
				out.add(r.readable(p, out.room()))
			}
		}
		if !out.empty() {
			break
		}
	}
	if out.empty() {
		r.anything(root, out)
	}
	for _, p := range leaves(root) {
		if p.isMessage() && out.room() > 0 && (root.Type != "multipart/report" || out.empty()) {
			out.add(r.message(p))
		}
	}
	r.cut = r.cut || out.cut
	return out.String()
}

// readable is one part as text of at most limit bytes, or one more that tells
// that it was cut.
func (r *reader) readable(p *Part, limit int) string {
	switch {
	case p == r.html:
		return safeText(htmltext.Text(r.markup, limit+1))
	case p.Type == "text/html", p.Type == "text/enriched", p.Type == "text/richtext":
		return safeText(htmltext.Text(r.part(p, MaxHTMLBytes), limit+1))
	}
	s := r.part(p, limit)
	switch {
	case isMarkup(s): // HTML under the label of plain text
		return safeText(htmltext.Text(s, limit+1))
	case p.flowed:
		return unflow(s, p.delSp)
	}
	return s
}

// isMarkup reports a text that begins as a whole HTML document.
func isMarkup(s string) bool {
	s = strings.ToLower(s[:min(len(s), 20)])
	return strings.HasPrefix(s, "<!doctype html") || strings.HasPrefix(s, "<html")
}

// part is one part in UTF-8, made safe, of at most limit bytes.
func (r *reader) part(p *Part, limit int) string {
	b, cutOff := r.read(p, limit)
	label := p.Charset
	if label == "" && p.Type == "text/html" {
		label = metaCharset(b)
	}
	s := r.cs.decode(b, label)
	if len(s) > limit {
		s, cutOff = cut(s, limit), true
	}
	r.cut = r.cut || cutOff
	return safeText(s)
}

// sample is the beginning of the first text.
func (r *reader) sample(parts []*Part) []byte {
	for _, p := range parts {
		if len(p.Children) == 0 && strings.HasPrefix(p.Type, "text/") {
			b := make([]byte, detectSample)
			return b[:r.fill(p.Decode(r.src), b)]
		}
	}
	return nil
}

// read decodes at most limit bytes of a part. uuencoded files are left out of the
// text around them.
func (r *reader) read(p *Part, limit int) (b []byte, cutOff bool) {
	var in io.Reader = p.Decode(r.src)
	if len(p.uu) > 0 {
		in = r.between(p)
	}
	b = make([]byte, min(max(p.Size, 0), int64(limit))+1)
	n := r.fill(in, b)
	cutOff = n > limit
	return b[:min(n, limit)], cutOff
}

// fill reads b full or up to the end. io.ReadFull would make the early end of
// a source look like that of the part.
func (r *reader) fill(in io.Reader, b []byte) (n int) {
	for n < len(b) {
		k, err := in.Read(b[n:])
		n += k
		if err == io.EOF {
			break
		}
		if err != nil {
			r.fail(err)
			break
		}
	}
	return n
}

// between reads the text around the files in it.
func (r *reader) between(p *Part) io.Reader {
	var pieces []io.Reader
	at := p.Offset
	for _, f := range p.uu {
		pieces = append(pieces, io.NewSectionReader(r.src, at, f.HeaderOffset-at))
		at = f.Offset + f.Length
	}
	return io.MultiReader(append(pieces, io.NewSectionReader(r.src, at, p.Offset+p.Length-at))...)
}
