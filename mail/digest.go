package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// trace are the fields that relays and receivers put in front of a message:
// RFC 5321 4.4, RFC 5322 3.6.7, RFC 6376, RFC 8601, RFC 8617, and what is in use
// beside them. Every X- field is one too while it stands among them.
var trace = map[string]bool{
	"received": true, "return-path": true, "delivered-to": true, "envelope-to": true, "delivery-date": true,
	"received-spf": true, "authentication-results": true, "dkim-signature": true, "domainkey-signature": true,
	"arc-seal": true, "arc-message-signature": true, "arc-authentication-results": true,
}

// Digester is an io.Writer that computes Digest of what passes through it.
//
// The leading block is the fields from the start up to, not including, the
// first whose name is neither in trace nor begins with "X-" (any case), or the
// empty line, or the first line that is no field. A field has all its folded
// lines. A "From " line in front belongs to the block. The digest is the
// SHA-256 of all bytes behind the block, as they are. So the same message
// through another relay has the same digest, while a field that its author
// wrote, or that stands behind one, counts.
type Digester struct {
	sum   hash.Hash
	head  []byte // the beginning of a line, until it is known what it is
	state digestState
}

type digestState uint8

const (
	lineStart digestState = iota // of the first line
	fieldNext                    // of a line behind a trace field
	dropping                     // inside of a trace field's line
	hashing
)

// maxTraceName is longer than any name in trace; a longer one ends the block.
const maxTraceName = 128

// NewDigester starts a digest.
func NewDigester() *Digester { return &Digester{sum: sha256.New()} }

// Write never fails.
func (d *Digester) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		switch d.state {
		case hashing:
			d.sum.Write(p)
			return n, nil
		case dropping:
			i := bytes.IndexByte(p, '\n')
			if i < 0 {
				return n, nil
			}
			p, d.state = p[i+1:], fieldNext
		default:
			d.head = append(d.head, p[0])
			p = p[1:]
			d.judge(false)
		}
	}
	return n, nil
}

// judge decides what the line in head is, once enough of it is there.
func (d *Digester) judge(atEnd bool) {
	c := d.head[len(d.head)-1]
	folded := d.state == fieldNext && (d.head[0] == ' ' || d.head[0] == '\t')
	from := d.state == lineStart && bytes.Equal(d.head, []byte("From "))
	switch {
	case folded, from, c == ':' && isTrace(d.head[:len(d.head)-1]):
		d.state, d.head = dropping, d.head[:0]
	case atEnd, c == ':', c == '\n', len(d.head) > maxTraceName:
		d.state = hashing
		d.sum.Write(d.head)
	}
}

func isTrace(name []byte) bool {
	low := strings.ToLower(strings.TrimRight(string(name), " \t"))
	return trace[low] || strings.HasPrefix(low, "x-") && isToken(low)
}

// Sum ends the digest.
func (d *Digester) Sum() (out [sha256.Size]byte) {
	if d.state < dropping && len(d.head) > 0 {
		d.judge(true)
	}
	d.sum.Sum(out[:0])
	return out
}

// Digest identifies a message on its way: see Digester.
func Digest(raw []byte) [sha256.Size]byte {
	d := NewDigester()
	d.Write(raw)
	return d.Sum()
}

// ContentDigest identifies what a message says: the author's address, the own
// text (OwnText, NFC, white space run together; its first MaxTextBytes), and
// the decoded bytes of each attachment in order; a message inside counts as one,
// and what was found in a file with it. Messages with one Message-ID
// and one ContentDigest are arrivals of one message. The only errors are those
// of raw.
func (m *Message) ContentDigest(raw io.ReaderAt) (out [sha256.Size]byte, err error) {
	h := sha256.New()
	author := ""
	if len(m.From) > 0 {
		author = m.From[0].Key()
	}
	own := strings.Join(strings.Fields(norm.NFC.String(OwnText(m.Text))), " ")
	for _, s := range [...]string{author, own} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		io.WriteString(h, s)
	}
	for _, p := range leaves(m.Root) {
		if p.within != nil || p.Shown != Attached && !p.opened() {
			continue
		}
		part := sha256.New()
		if _, err := io.Copy(part, p.Decode(raw)); err != nil {
			return out, err
		}
		h.Write(part.Sum(nil))
	}
	h.Sum(out[:0])
	return out, nil
}
