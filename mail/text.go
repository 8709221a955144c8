package mail

import (
	"io"
	"strings"

	"github.com/parley-im/parley/mail/htmltext"
)

// reader reads the bodies of one message.
type reader struct {
	src      io.ReaderAt
	cs       *charsets
	nested   int // files that this message was in
	defects  *defects
	last     *Part // the HTML read last
	lastHTML string
	file     *file // the last that parts were read from, and its content
	fileAt   io.ReaderAt
	spent    int64 // on parts in files
	cut      bool
	err      error
}

// bodies fills in what the message says.
func (r *reader) bodies(m *Message) {
	r.measure(m.Parts)
	r.open(m)
	text, page := &gather{limit: MaxTextBytes}, &page{}
	r.show(view{m.Root, text, page})
	m.Text, m.HTML = text.String(), r.pageHTML(page)
	m.Attachments = attachedTo(m.Root)
	m.refer()
	if m.TextCut = r.cut || text.cut; m.TextCut {
		r.defects.add(DefectTextCut)
	}
}

// measure finds the decoded sizes.
func (r *reader) measure(parts []*Part) {
	for _, p := range parts {
		switch {
		case len(p.Children) > 0:
		case p.Encoding == Identity:
			p.Size = p.Length
		default:
			n, err := io.Copy(io.Discard, r.decode(p))
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

// readable is one part as text of at most limit bytes, or one more that tells
// that it was cut.
func (r *reader) readable(p *Part, limit int) string {
	switch {
	case isHTML(p):
		return safeText(htmltext.Text(r.markup(p), limit+1))
	case p.Type == "text/enriched", p.Type == "text/richtext":
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
			return b[:r.fill(r.decode(p), b)]
		}
	}
	return nil
}

// read decodes at most limit bytes of a part. uuencoded files are left out of the
// text around them.
func (r *reader) read(p *Part, limit int) (b []byte, cutOff bool) {
	in := r.decode(p)
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
	src, at := r.source(p), p.Offset
	for _, f := range p.uu {
		pieces = append(pieces, io.NewSectionReader(src, at, f.HeaderOffset-at))
		at = f.Offset + f.Length
	}
	return io.MultiReader(append(pieces, io.NewSectionReader(src, at, p.Offset+p.Length-at))...)
}
