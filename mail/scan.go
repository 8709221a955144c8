package mail

import "strconv"

// scan finds the parts of a message in one pass over its lines.
type scan struct {
	in      *lines
	open    map[string]int // boundaries now open, to their level
	level   int
	parts   []*Part
	top     Header
	again   int // multiparts scanned a second time
	defects defects
	last    int64 // where the content of the line before ended
}

// stop is what ended a part: the delimiter of an open multipart, or the end.
type stop struct {
	level  int
	closes bool  // "--boundary--"
	end    int64 // where the content before it ended; the line break belongs to it (RFC 2046 5.1.1)
}

const atEnd = -1

// entity scans one part: p stands in the tree already. prefix is the number of
// what holds it; number is its place there, 0 for the root of a message.
func (s *scan) entity(p *Part, prefix string, number, depth int, kind string) stop {
	s.parts = append(s.parts, p)
	p.HeaderOffset = s.in.at()
	h, st, ended := s.header()
	if len(s.parts) == 1 {
		s.top = h
	}
	p.describe(h, kind, &s.defects)
	p.Path, prefix = pathOf(p, prefix, number)
	p.Offset = s.in.at()
	if ended {
		p.Offset = st.end
		return st
	}
	switch {
	case depth >= MaxDepth && (p.isMultipart() || p.isMessage()):
		s.defects.add(DefectTooDeep)
		p.Opaque = true
		st = s.skip(nil)
	case p.isMultipart():
		st = s.multipart(p, prefix, depth)
	case p.isMessage() && p.Encoding == Identity && len(s.parts) < MaxParts:
		child := &Part{}
		p.Children = []*Part{child}
		st = s.entity(child, prefix, 0, depth+1, "text/plain")
	default:
		st = s.leaf(p)
	}
	p.Length = max(0, st.end-p.Offset)
	return st
}

// pathOf numbers a part as IMAP does (RFC 9051 6.4.5.1). The multipart at the
// root of a message has no number there; here it is 0.
func pathOf(p *Part, prefix string, number int) (path, below string) {
	join := func(n int) string {
		if prefix == "" {
			return strconv.Itoa(n)
		}
		return prefix + "." + strconv.Itoa(n)
	}
	switch {
	case number > 0:
		return join(number), join(number)
	case p.isMultipart():
		return join(0), prefix
	default:
		return join(1), join(1)
	}
}

// multipart scans preamble, parts and epilogue.
func (s *scan) multipart(p *Part, prefix string, depth int) stop {
	guess := &sniff{}
	outer := s.openBoundary(p.boundary)
	st := s.skip(guess.look)
	if found := st.level == s.level && !st.closes; !found && guess.token != "" && s.again < maxUnfinished {
		s.again++
		s.defects.add(DefectOtherBoundary)
		s.shutBoundary(p.boundary, outer)
		p.boundary = guess.token
		outer = s.openBoundary(p.boundary)
		s.in.seek(guess.off)
		st = s.skip(nil)
	}
	mine, plain := s.level, false
	for n := 1; st.level == mine && !st.closes; n++ {
		child := &Part{}
		p.Children = append(p.Children, child)
		if len(s.parts) >= MaxParts {
			st = s.rest(child, prefix, n, mine)
			break
		}
		st = s.entity(child, prefix, n, depth+1, defaultKind(p.Type))
		isPlain := p.Type == "multipart/alternative" && child.Type == "text/plain"
		child.spare, plain = isPlain && plain, plain || isPlain
		child.returned = p.Type == "multipart/report"
	}
	s.shutBoundary(p.boundary, outer)
	if st.level != mine {
		s.defects.add(DefectUnclosed)
	} else if st.closes {
		st = s.skip(nil)
	}
	if len(p.Children) == 0 {
		s.defects.add(DefectNoParts)
	}
	return st
}

// rest keeps all that is left of a multipart as one opaque part.
func (s *scan) rest(p *Part, prefix string, number, mine int) stop {
	s.defects.add(DefectTooManyParts)
	s.parts = append(s.parts, p)
	p.Path, _ = pathOf(p, prefix, number)
	p.Type, p.Opaque = "application/octet-stream", true
	p.HeaderOffset, p.Offset = s.in.at(), s.in.at()
	st := s.skip(nil)
	for st.level == mine && !st.closes {
		st = s.skip(nil)
	}
	p.Length = max(0, st.end-p.Offset)
	return st
}

// skip reads body lines up to the next delimiter of an open multipart.
func (s *scan) skip(look func(*scan, line)) stop {
	if len(s.open) == 0 && look == nil {
		s.in.seek(s.in.size)
	}
	s.last = s.in.at()
	for {
		ln, ok := s.in.next()
		if !ok {
			return stop{atEnd, false, s.in.size}
		}
		if level, closes, ok := s.delimiter(ln); ok {
			return stop{level, closes, s.last}
		}
		s.last = ln.off + int64(len(trimEOL(ln.text)))
		if look != nil {
			look(s, ln)
		}
	}
}
