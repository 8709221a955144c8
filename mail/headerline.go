package mail

import "bytes"

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
	case first && isFrom(ln.text) && s.fieldAhead(nil):
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
// too (obs-FWS), but where no field follows it stands for the blank line. If the
// first field is indented, all of them are.
func (s *scan) indented(b *block, ln line) taken {
	if len(bytes.TrimSpace(ln.text)) == 0 {
		if s.fieldAhead(known) {
			return isHeader
		}
		return isBlank
	}
	name, value, ok := splitField(bytes.TrimLeft(ln.text, " \t"))
	switch {
	case ok && known(name) && (b.shift || len(b.spans) == 0):
		b.shift = true
		b.start(name, value)
	case len(b.spans) == 0:
		return isBody
	default:
		b.fold(ln.text)
	}
	return isHeader
}

// junk takes a line that is no field: a folded line whose indentation was lost
// if a field follows that is well known and new, else the first line of the body.
func (s *scan) junk(b *block, ln line) taken {
	text := append([]byte{' '}, ln.text...) // looking ahead may move the window
	if b.cut || !s.fieldAhead(func(name []byte) bool { return known(name) && !b.has(name) }) {
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
// lines, whose name is as asked.
func (s *scan) fieldAhead(asked func(name []byte) bool) bool {
	rest := s.in.ahead(2 << 10)
	for range 4 {
		if len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
			break
		}
		_, rest, _ = bytes.Cut(rest, []byte{s.in.eol})
	}
	name, _, ok := splitField(rest)
	return ok && (asked == nil || asked(name))
}
