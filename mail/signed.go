package mail

import (
	"bufio"
	"io"
	"strings"
)

// isSignedData reports an opaque signature (RFC 8551 3.5.2): the message is in
// it. What is enveloped is encrypted and says nothing.
func isSignedData(p *Part) bool {
	if p.Type == "application/pkcs7-mime" || p.Type == "application/x-pkcs7-mime" {
		return p.smime == "" || p.smime == "signed-data"
	}
	return p.Type == "application/octet-stream" && strings.HasSuffix(strings.ToLower(p.Filename), ".p7m")
}

// signed reads what was signed out of a CMS SignedData (RFC 5652 5), in BER as it
// comes: lengths may be indefinite, the content may be cut into pieces. Nothing
// is checked: it is for showing what the message says. What is no such thing
// reads as empty.
type signed struct {
	in    *bufio.Reader
	found bool
	left  int64 // of the piece
	depth int   // constructed strings around the pieces
	whole bool  // the piece is all
	ended bool
}

func newSigned(in io.Reader) *signed { return &signed{in: bufio.NewReaderSize(in, 4<<10)} }

// BER (X.690): tags of SignedData up to its content.
const (
	berOctets      = 0x04
	berOID         = 0x06
	berSequence    = 0x30
	berSet         = 0x31
	berConstructed = 0x20
	berContext0    = 0xa0
)

// oidSignedData is 1.2.840.113549.1.7.2.
const oidSignedData = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"

func (s *signed) Read(p []byte) (int, error) {
	if !s.found && !s.ended {
		s.found, s.ended = true, !s.head()
	}
	for s.left == 0 && !s.ended {
		s.piece()
	}
	if s.ended || len(p) == 0 {
		return 0, io.EOF
	}
	n, err := s.in.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	if err == io.EOF && n > 0 {
		err = nil
	}
	return n, err
}

// head goes up to the content: ContentInfo, its type, [0], SignedData, version,
// digest algorithms, EncapsulatedContentInfo, its type, [0].
func (s *signed) head() bool {
	if t, _, ok := s.tag(); !ok || t != berSequence {
		return false
	}
	if oid, ok := s.value(berOID, 32); !ok || oid != oidSignedData {
		return false
	}
	for _, want := range [...]byte{berContext0, berSequence} {
		if t, _, ok := s.tag(); !ok || t != want {
			return false
		}
	}
	if _, ok := s.value(0x02, 16); !ok || !s.skip(berSet, 8) {
		return false
	}
	if t, _, ok := s.tag(); !ok || t != berSequence {
		return false
	}
	if _, ok := s.value(berOID, 32); !ok {
		return false
	}
	t, _, ok := s.tag()
	return ok && t == berContext0
}

// piece goes to the next piece of the content.
func (s *signed) piece() {
	if s.whole {
		s.ended = true
		return
	}
	t, n, ok := s.tag()
	switch {
	case ok && t == berOctets:
		s.left, s.whole = n, s.depth == 0
	case ok && t == berOctets|berConstructed && s.depth < 8:
		s.depth++
	default: // the end of the string, or what follows it
		s.ended = true
	}
}

// tag reads an identifier and a length, -1 for an indefinite one.
func (s *signed) tag() (t byte, n int64, ok bool) {
	t, err := s.in.ReadByte()
	if err != nil || t&0x1f == 0x1f {
		return 0, 0, false
	}
	b, err := s.in.ReadByte()
	switch {
	case err != nil:
		return 0, 0, false
	case b == 0x80:
		return t, -1, t&berConstructed != 0
	case b < 0x80:
		return t, int64(b), true
	case b > 0x86:
		return 0, 0, false
	}
	for range b & 0x7f {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, 0, false
		}
		n = n<<8 | int64(c)
	}
	return t, n, true
}

// value reads a short primitive value.
func (s *signed) value(want byte, most int64) (string, bool) {
	t, n, ok := s.tag()
	if !ok || t != want || n < 0 || n > most {
		return "", false
	}
	b := make([]byte, n)
	_, err := io.ReadFull(s.in, b)
	return string(b), err == nil
}

// skip passes over a value and what is in it.
func (s *signed) skip(want byte, depth int) bool {
	t, n, ok := s.tag()
	return ok && t == want && s.skipRest(t, n, depth)
}

func (s *signed) skipRest(t byte, n int64, depth int) bool {
	if n >= 0 {
		_, err := io.CopyN(io.Discard, s.in, n)
		return err == nil
	}
	for range 1000 {
		t, n, ok := s.tag()
		if !ok || t == 0 && n == 0 {
			return ok
		}
		if depth == 0 || !s.skipRest(t, n, depth-1) {
			return false
		}
	}
	return false
}
