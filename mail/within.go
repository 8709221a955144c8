package mail

import "io"

// file is a part that has parts of its own in its decoded bytes: a message that
// was encoded whole, a TNEF stream, what an opaque signature holds.
type file struct {
	part *Part
	cms  bool  // the parts are in the content that was signed
	size int64 // of the content
}

// content reads the bytes that the parts in it are counted in.
func (f *file) content(raw io.ReaderAt) io.Reader {
	in := f.part.Decode(raw)
	if f.cms {
		return newSigned(in)
	}
	return in
}

// span reads n bytes at an offset of what the part stands in.
func (p *Part) span(raw io.ReaderAt, off, n int64) io.Reader {
	if p.within == nil {
		return io.NewSectionReader(raw, off, n)
	}
	return io.LimitReader(&skipper{in: p.within.content(raw), skip: off}, n)
}

// skipper passes over the beginning.
type skipper struct {
	in   io.Reader
	skip int64
}

func (s *skipper) Read(b []byte) (int, error) {
	if s.skip > 0 {
		n, err := io.CopyN(io.Discard, s.in, s.skip)
		if s.skip -= n; err != nil {
			return 0, err
		}
	}
	return s.in.Read(b)
}

// contentAt gives the content of a file to be read anywhere: a small one from
// memory, a large one by decoding it anew for every step back, of which there
// may be only so many.
func (f *file) contentAt(raw io.ReaderAt, back int) (io.ReaderAt, error) {
	if f.size > maxHeld {
		return &rewound{open: func() io.Reader { return f.content(raw) }, left: back}, nil
	}
	b := make([]byte, f.size)
	n, err := io.ReadFull(f.content(raw), b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return held(b[:n]), err
}

// held is bytes in memory.
type held []byte

func (h held) ReadAt(p []byte, off int64) (n int, err error) {
	if off < int64(len(h)) {
		n = copy(p, h[off:])
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// rewound is a stream that can be read again from its start.
type rewound struct {
	open func() io.Reader
	in   io.Reader
	at   int64
	left int // steps back still allowed
}

func (s *rewound) ReadAt(p []byte, off int64) (n int, err error) {
	if s.in == nil || off < s.at {
		if s.left--; s.left < 0 {
			return 0, errTooOften
		}
		s.in, s.at = s.open(), 0
	}
	skipped, err := io.CopyN(io.Discard, s.in, off-s.at)
	if s.at += skipped; err != nil {
		return 0, err
	}
	n, err = io.ReadFull(s.in, p)
	if s.at += int64(n); err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
