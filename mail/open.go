package mail

import (
	"errors"
	"io"
)

var errTooOften = errors.New("mail: read back and forth too often")

// open looks into the files that hold parts. What it cannot read stays a file.
func (r *reader) open(m *Message) {
	if r.nested >= maxNested {
		return
	}
	for _, p := range m.Parts[:len(m.Parts):len(m.Parts)] {
		switch {
		case len(p.Children) > 0 || p.Opaque:
		case p.isMessage() && p.Encoding != Identity:
			if root := r.within(m, &file{part: p, size: p.Size}, p.Path); root != nil {
				p.Children, p.Size = []*Part{root}, 0
			}
		case isSignedData(p):
			f := &file{part: p, cms: true}
			n, err := io.Copy(io.Discard, f.content(r.src))
			r.fail(err)
			f.size = n
			p.signed = r.within(m, f, p.Path+".s")
		case isTNEF(p):
			r.openTNEF(m, p)
		}
	}
}

// within finds the parts of the message in a file, and adds them to those of m.
func (r *reader) within(m *Message, f *file, prefix string) *Part {
	src, err := f.contentAt(r.src, maxRewinds)
	if r.fail(err); err != nil || f.size == 0 {
		return nil
	}
	in := linesAt(src, f.size)
	s := &scan{in: in, open: map[string]int{}}
	inner := &Message{Root: &Part{}}
	s.entity(inner.Root, prefix, 0, 0, "text/plain")
	if in.err != nil || !r.affords(m, f.size, len(s.parts)) {
		return nil
	}
	inner.Parts = s.parts
	deep := &reader{src: src, cs: r.cs, nested: r.nested + 1, spent: r.spent, defects: r.defects}
	deep.measure(inner.Parts)
	deep.open(inner)
	if deep.err != nil {
		return nil
	}
	r.spent = deep.spent
	for _, p := range inner.Parts {
		if p.within == nil {
			p.within = f
		}
	}
	m.Parts = append(m.Parts, inner.Parts...)
	return inner.Root
}

// affords reports whether so many parts in a file of that size may be read: each
// costs a walk through the file up to it.
func (r *reader) affords(m *Message, size int64, parts int) bool {
	cost := size * int64(parts)
	if len(m.Parts)+parts > MaxParts || r.spent+cost > maxWithin {
		r.defects.add(DefectFile)
		return false
	}
	r.spent += cost
	return true
}

// source is what a part is read from, without walking through its file again
// and again if that is small.
func (r *reader) source(p *Part) io.ReaderAt {
	if p.within == nil {
		return r.src
	}
	if r.file != p.within {
		src, err := p.within.contentAt(r.src, maxRewinds+MaxParts)
		r.fail(err)
		r.file, r.fileAt = p.within, src
	}
	return r.fileAt
}

// decode reads a part's body with its transfer encoding undone.
func (r *reader) decode(p *Part) io.Reader {
	return p.decoded(io.NewSectionReader(r.source(p), p.Offset, p.Length))
}
