package mail

import "io"

// Raw reads the body as it stands in the message, or in the file that the part
// was found in.
func (p *Part) Raw(raw io.ReaderAt) io.Reader { return p.span(raw, p.Offset, p.Length) }

// Decode reads the body with its transfer encoding undone. Only the errors of
// raw come through: broken encodings give what can be read.
func (p *Part) Decode(raw io.ReaderAt) io.Reader { return p.decoded(p.Raw(raw)) }

func (p *Part) decoded(body io.Reader) io.Reader {
	switch p.Encoding {
	case Base64:
		return newDecoder(body, p.Length, &base64Step{})
	case QuotedPrintable:
		return newDecoder(body, p.Length, &qpStep{})
	case UUEncode:
		return newDecoder(body, p.Length, &uuStep{})
	}
	return body
}

// Fields reads the part's own header block.
func (p *Part) Fields(raw io.ReaderAt) (Header, error) {
	size := p.Offset - p.HeaderOffset
	if p.within == nil {
		in := linesAt(io.NewSectionReader(raw, p.HeaderOffset, size), size)
		h, _, _ := (&scan{in: in}).header()
		return h, in.err
	}
	b, err := io.ReadAll(p.span(raw, p.HeaderOffset, min(size, 2*MaxHeaderBytes)))
	h, _, _ := (&scan{in: linesOf(b)}).header()
	return h, err
}

// Text is the part in UTF-8, made safe, of at most limit bytes, as JMAP's
// EmailBodyValue has it (RFC 8621 4.1.4). The only errors are those of raw.
func (p *Part) Text(raw io.ReaderAt, limit int) (text string, truncated bool, err error) {
	r := &reader{src: raw, cs: &charsets{left: 2}}
	text = r.part(p, limit)
	return text, r.cut, r.err
}
