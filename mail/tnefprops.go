package mail

import (
	"io"
	"strings"

	"github.com/parley-im/parley/mail/htmltext"
)

// The MAPI types that have a length (MS-OXCDATA 2.11.1).
const (
	mapiString  = 0x1e
	mapiUnicode = 0x1f
	mapiObject  = 0x0d
	mapiBinary  = 0x102
	mapiMany    = 0x1000
)

// mapiSize is the size of the other types, padded to four bytes; 0 for what is unknown.
func mapiSize(kind int64) int64 {
	switch kind {
	case 2, 3, 4, 0xa, 0xb:
		return 4
	case 5, 6, 7, 0x14, 0x40:
		return 8
	case 0x48:
		return 16
	}
	return 0
}

// props reads a list of MAPI properties (MS-OXTNEF 2.1.3.4) and shows each value
// that has a length to take, which may read it.
func (t *tnef) props(end int64, take func(id, kind, n int64)) {
	for left := min(t.in.u32(), maxTNEFProps); left > 0 && t.in.err == nil && t.in.at < end; left-- {
		kind, id := t.in.u16(), t.in.u16()
		if id >= 0x8000 {
			t.skipName()
		}
		many := kind&mapiMany != 0
		kind &^= mapiMany
		size := mapiSize(kind)
		count := int64(1)
		switch kind {
		case mapiString, mapiUnicode, mapiObject, mapiBinary:
			count = t.in.u32()
		default:
			if many {
				count = t.in.u32()
			}
			if size == 0 || t.in.at+count*size > end {
				return
			}
			t.in.skip(count * size)
			continue
		}
		for ; count > 0 && t.in.err == nil && t.in.at < end; count-- {
			n := t.in.u32()
			from := t.in.at
			if from+n > end {
				return
			}
			take(id, kind, n)
			t.in.skip(from + (n+3)&^3 - t.in.at)
		}
	}
}

// skipName passes over the name of a named property: a GUID, then a number or a string.
func (t *tnef) skipName() {
	t.in.skip(16)
	if t.in.u32() == 0 {
		t.in.skip(4)
		return
	}
	t.in.skip((t.in.u32() + 3) &^ 3)
}

// messageProp takes the body in its forms.
func (t *tnef) messageProp(id, kind, n int64) {
	body := func() []byte { return t.in.bytes(min(n, maxTNEFValue)) }
	switch {
	case id == 0x1000 && kind == mapiUnicode:
		t.unicode = body()
	case id == 0x1000 && kind == mapiString:
		t.plain = body()
	case id == 0x1013:
		t.html = body()
	case id == 0x1009 && kind == mapiBinary:
		t.rtf = body()
	}
}

// fileProp takes what describes a file, and the content of one that is an object.
func (t *tnef) fileProp(id, kind, n int64) {
	wide := kind == mapiUnicode
	name := func() string { return t.text(t.in.bytes(min(n, maxTNEFStrings)), wide) }
	switch id {
	case 0x3707: // the long name
		t.file.Filename = firstOf(safeFilename(name()), t.file.Filename)
	case 0x3704, 0x3001:
		if t.file.Filename == "" {
			t.file.Filename = safeFilename(name())
		}
	case 0x370e:
		typ := strings.ToLower(oneLine(name()))
		t.file.Type = readType(typ, true, t.file.Type, &defects{})
	case 0x3712:
		t.file.ContentID = NormalizeID(name())
	case 0x3701:
		t.place(t.in.at, n)
		if kind == mapiObject && n > 16 { // an enclosed message: a stream behind its GUID
			t.file.Type = "application/ms-tnef"
			t.file.Offset, t.file.HeaderOffset, t.file.Length, t.file.Size = t.in.at+16, t.in.at+16, n-16, n-16
		}
	}
}

// body chooses the best form of the body: HTML, also that which hides in RTF, and
// plain text.
func (t *tnef) body() {
	if len(t.unicode) > 0 {
		t.out.text = safeText(t.text(t.unicode, true))
	} else if len(t.plain) > 0 {
		t.out.text = safeText(t.text(t.plain, false))
	}
	if len(t.html) > 0 {
		label := firstOf(metaCharset(t.html), t.codepage)
		t.out.html = safeText(t.cs.decode(t.html, label))
	}
	if len(t.rtf) == 0 || t.out.html != "" {
		return
	}
	text, isHTML := readRTF(inflateRTF(t.rtf, maxTNEFValue), t.cs)
	switch {
	case isHTML:
		t.out.html = safeText(text)
	case t.out.text == "":
		t.out.text = safeText(text)
	}
}

// readable is the body as text.
func (s *tnefStream) readable() string {
	if s.text == "" && s.html != "" {
		return safeText(htmltext.Text(s.html, MaxTextBytes))
	}
	return s.text
}

// errTNEF ends a stream that is none.
var errTNEF = io.ErrUnexpectedEOF

// counted reads little-endian numbers and knows where it is. After an error all
// numbers are 0.
type counted struct {
	in  io.Reader
	at  int64
	err error
	buf [4]byte
}

func newCounted(in io.Reader) *counted { return &counted{in: in} }

func (c *counted) number(n int) (v int64) {
	if c.err != nil {
		return 0
	}
	k, err := io.ReadFull(c.in, c.buf[:n])
	if c.at += int64(k); err != nil {
		c.err = err
		return 0
	}
	for i := n - 1; i >= 0; i-- {
		v = v<<8 | int64(c.buf[i])
	}
	return v
}

func (c *counted) u8() int64  { return c.number(1) }
func (c *counted) u16() int64 { return c.number(2) }
func (c *counted) u32() int64 { return c.number(4) }

// bytes reads n bytes, or what there is of them.
func (c *counted) bytes(n int64) []byte {
	if c.err != nil || n <= 0 {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(c.in, n))
	if c.at += int64(len(b)); err == nil && int64(len(b)) < n {
		err = errTNEF
	}
	c.err = err
	return b
}

// skip passes over n bytes; back it cannot go.
func (c *counted) skip(n int64) {
	switch {
	case c.err != nil || n == 0:
	case n < 0:
		c.err = errTNEF
	default:
		k, err := io.CopyN(io.Discard, c.in, n)
		c.at += k
		c.err = err
	}
}
