package mail

import (
	"bytes"
	"io"
	"strings"

	"github.com/parley-im/parley/mail/htmltext"
)

// reader reads the bodies of one message.
type reader struct {
	src     io.ReaderAt
	cs      *charsets
	nested  int
	defects *defects
	cut     bool
	err     error
}

// bodies fills in what the message says.
func (r *reader) bodies(m *Message) {
	r.measure(m)
	text, html, _ := bodiesOf(m.Root)
	shown := textParts(text)
	for _, p := range html {
		if p.Type == "text/html" && m.HTML == "" {
			m.HTML = r.part(p, MaxHTMLBytes)
			shown = append(shown, p)
		}
	}
	for _, p := range leaves(m.Root) { // as in multipart/related, where the root may stand last
		if p.Type == "text/html" && m.HTML == "" && p.Disposition != "attachment" {
			m.HTML = r.part(p, MaxHTMLBytes)
			shown = append(shown, p)
		}
	}
	m.Text = r.text(m.Root, text, html)
	m.Attachments = attachmentsOf(m.Root, shown)
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
			if !p.spare {
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
		if p.isMessage() && (root.Type != "multipart/report" || out.empty()) {
			out.add(r.message(p))
		}
	}
	r.cut = r.cut || out.cut
	return out.String()
}

// anything reads what is meant to be kept or saved, if it is text after all.
func (r *reader) anything(root *Part, out *gather) {
	list := leaves(root)
	for _, p := range list {
		if strings.HasPrefix(p.Type, "text/") {
			out.add(r.readable(p, out.room()))
		}
	}
	for _, p := range list {
		if isVague(p) && out.empty() && r.looksText(p) {
			out.add(r.part(p, out.room()))
		}
	}
}

// isVague reports a type that may hide text: nobody saves a file without a
// name. What is encrypted or a signature stays what it is.
func isVague(p *Part) bool {
	if p.isMessage() || strings.Contains(p.Type, "pgp") || strings.Contains(p.Type, "pkcs7") {
		return false
	}
	return p.Filename == "" || strings.HasPrefix(p.Type, "message/") ||
		p.Type == "application/octet-stream" && strings.HasSuffix(strings.ToLower(p.Filename), ".txt")
}

// looksText reports whether the beginning of a part is text and nothing else.
func (r *reader) looksText(p *Part) bool {
	head, _ := r.read(p, 4<<10)
	for _, c := range head {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\r\n\f\x1b"), rune(c)) {
			return false
		}
	}
	return clean(strings.ToValidUTF8(string(head), "\ufffd"))
}

// readable is one part as text of at most limit bytes.
func (r *reader) readable(p *Part, limit int) string {
	switch p.Type {
	case "text/html", "text/enriched", "text/richtext":
		s := r.part(p, MaxHTMLBytes)
		return safeText(htmltext.Text(s, limit))
	}
	s := r.part(p, limit)
	if isMarkup(s) { // HTML under the label of plain text
		return safeText(htmltext.Text(s, limit))
	}
	if p.flowed {
		s = unflow(s, p.delSp)
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

// read decodes at most limit bytes of a part. uuencoded files are left out of the
// text around them.
func (r *reader) read(p *Part, limit int) (b []byte, cutOff bool) {
	var in io.Reader = p.Decode(r.src)
	if len(p.uu) > 0 {
		in = r.between(p)
	}
	b = make([]byte, min(max(p.Size, 0), int64(limit))+1)
	n, err := io.ReadFull(in, b)
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		r.fail(err)
	}
	cutOff = n > limit
	return b[:min(n, limit)], cutOff
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

// message is the text of a message that is a part of this one, under a line
// that says whose it is.
func (r *reader) message(p *Part) string {
	inner := &Message{}
	switch {
	case len(p.Children) > 0:
		root := p.Children[0]
		h, err := root.Fields(r.src)
		r.fail(err)
		inner.Header = h
		inner.readHeader(r.cs, &defects{})
		text, html, _ := bodiesOf(root)
		inner.Text = r.text(root, text, html)
	case p.Encoding != Identity && r.nested < maxNested:
		b, _ := r.read(p, MaxTextBytes)
		m, err := parse(linesOf(b), bytes.NewReader(b), r.nested+1)
		r.fail(err)
		inner = m
	default:
		return ""
	}
	if inner == nil || inner.Text == "" && inner.Subject == "" {
		return ""
	}
	return inner.quoted()
}

// quoted is a message as it stands in the text of another.
func (m *Message) quoted() string {
	var b strings.Builder
	b.WriteString("---------- Forwarded message ----------\n")
	for _, a := range m.From[:min(len(m.From), 1)] {
		b.WriteString("From: " + a.String() + "\n")
	}
	if !m.Date.IsZero() {
		b.WriteString("Date: " + m.Date.Format("Mon, 2 Jan 2006 15:04 -0700") + "\n")
	}
	if m.Subject != "" {
		b.WriteString("Subject: " + m.Subject + "\n")
	}
	return b.String() + "\n" + m.Text
}
