package mail

import "bytes"

// block collects one header block. Fields are cut out of buf at the end, since
// buf moves while it grows.
type block struct {
	buf   []byte
	spans []span
	known bool // one of its names is well known
	cut   bool // beyond a bound: lines are read and dropped
	open  bool // the last line kept belongs to the last span
}

type span struct{ name, value, end int }

func (b *block) start(name, value []byte) {
	b.known = b.known || known(name)
	if b.open = b.room(len(name) + len(value)); !b.open {
		return
	}
	at := len(b.buf)
	b.buf = append(append(b.buf, name...), value...)
	b.spans = append(b.spans, span{at, at + len(name), len(b.buf)})
}

// fold adds a further line, or piece of a line, to the last field.
func (b *block) fold(text []byte) {
	if b.open = b.open && b.room(len(text)); b.open {
		b.buf = append(b.buf, text...)
		b.spans[len(b.spans)-1].end = len(b.buf)
	}
}

func (b *block) room(n int) bool {
	b.cut = b.cut || len(b.buf)+n > MaxHeaderBytes || len(b.spans) >= MaxFields
	return !b.cut
}

func (b *block) fields() Header {
	h := make(Header, len(b.spans))
	for i, s := range b.spans {
		h[i] = Field{string(b.buf[s.name:s.value]), trimEOL(b.buf[s.value:s.end:s.end])}
	}
	return h
}

// header reads a header block and leaves the lines at the body. ended says that
// the part ended in its header, at st.
func (s *scan) header() (h Header, st stop, ended bool) {
	var b block
	begin := s.in.at()
	for first := true; ; first = false {
		ln, ok := s.in.next()
		if !ok {
			st, ended = stop{level: atEnd, end: s.in.size}, true
			break
		}
		if level, closes, ok := s.delimiter(ln); ok {
			st, ended = stop{level, closes, ln.off}, true
			break
		}
		took := s.headerLine(&b, ln, first)
		if took == isBody {
			s.in.seek(ln.off)
		}
		if took == isFromLine {
			begin = s.in.at()
		}
		if took == isBody || took == isBlank {
			break
		}
	}
	if b.cut {
		s.defects.add(DefectHeaderCut)
	}
	if len(b.spans) > 0 && !b.known { // "Note: a text" is no header
		s.defects.add(DefectNoHeader)
		s.in.seek(begin)
		return nil, stop{}, false
	}
	return b.fields(), st, ended
}

// taken says what a line in the header was.
type taken int

const (
	isHeader taken = iota
	isFromLine
	isBlank // the end of the header
	isBody  // no blank line stood before it
)

// headerLine takes one line into the block.
func (s *scan) headerLine(b *block, ln line, first bool) taken {
	name, value, isField := splitField(ln.text)
	indented := ln.text[0] == ' ' || ln.text[0] == '\t'
	switch {
	case ln.rest:
		b.fold(ln.text)
	case len(trimEOL(ln.text)) == 0:
		return isBlank
	case isField && !indented:
		b.start(name, value)
	case first && isFrom(ln.text) && s.fieldAhead(false):
		s.defects.add(DefectFromLine)
		return isFromLine
	case indented:
		return s.indented(b, ln)
	default:
		return s.junk(b, ln)
	}
	return isHeader
}

// indented takes a line that continues a field. One of blanks alone is that
// too (obs-FWS), but where no field follows it stands for the blank line.
func (s *scan) indented(b *block, ln line) taken {
	if len(bytes.TrimSpace(ln.text)) == 0 {
		if s.fieldAhead(true) {
			return isHeader
		}
		return isBlank
	}
	if len(b.spans) > 0 {
		b.fold(ln.text)
		return isHeader
	}
	if name, value, ok := splitField(bytes.TrimLeft(ln.text, " \t")); ok && known(name) {
		b.start(name, value)
		return isHeader
	}
	return isBody
}

// junk takes a line that is no field: a folded line whose indentation was lost
// if a well-known field follows, else the first line of the body.
func (s *scan) junk(b *block, ln line) taken {
	text := append([]byte{' '}, ln.text...) // looking ahead may move the window
	if !s.fieldAhead(true) {
		if len(b.spans) > 0 {
			s.defects.add(DefectHeaderEnd)
		}
		return isBody
	}
	s.defects.add(DefectHeaderJunk)
	b.fold(text)
	return isHeader
}

// isFrom recognises the separator of an mbox that came along (RFC 4155).
func isFrom(ln []byte) bool {
	return bytes.HasPrefix(ln, []byte("From ")) || bytes.HasPrefix(ln, []byte(">From "))
}

// fieldAhead reports whether a field follows, after at most three folded
// lines; with wellKnown, one whose name is no chance.
func (s *scan) fieldAhead(wellKnown bool) bool {
	rest := s.in.ahead(2 << 10)
	for range 4 {
		i := bytes.IndexByte(rest, s.in.eol)
		if i < 0 {
			i = len(rest) - 1
		}
		if len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
			break
		}
		rest = rest[i+1:]
	}
	name, _, ok := splitField(rest)
	return ok && (!wellKnown || known(name))
}
