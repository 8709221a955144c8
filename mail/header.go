package mail

import (
	"bytes"
	"strings"
)

// Field is one header field as it stands in the message.
type Field struct {
	Name string // as written, ASCII
	Raw  []byte // what follows the colon, folding kept, without the last line end
}

// Header is the fields of one header block in their order.
type Header []Field

// Raw gives the value of the first field of that name, or nil.
func (h Header) Raw(name string) []byte {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Raw
		}
	}
	return nil
}

// Get gives the first field of that name as Field.Text does, or "".
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Text()
		}
	}
	return ""
}

// Text is the value unfolded, decoded (RFC 2047, raw 8 bit) and safe to show.
func (f Field) Text() string { return (&charsets{left: 8}).text(f.Raw) }

// first gives the first value of that name that is not blank, and whether
// another field of that name stands beside it.
func (h Header) first(name string) (raw []byte, twice bool) {
	n := 0
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			n++
			if raw == nil && len(bytes.TrimSpace(f.Raw)) > 0 {
				raw = f.Raw
			}
		}
	}
	return raw, n > 1
}

// splitField cuts a line into name and value: RFC 5322 2.2, with the white
// space before the colon of its obsolete syntax.
func splitField(ln []byte) (name, value []byte, ok bool) {
	i := bytes.IndexByte(ln, ':')
	if i <= 0 || i > 200 {
		return nil, nil, false
	}
	name, value = bytes.TrimRight(ln[:i], " \t"), ln[i+1:]
	for _, c := range name {
		if c <= ' ' || c >= 0x7f {
			return nil, nil, false
		}
	}
	if len(name) == 0 || bytes.HasPrefix(value, []byte("//")) { // "http://..." is no field
		return nil, nil, false
	}
	return name, value, true
}

// wellKnown are the names by which a line in doubt is taken for a field.
var wellKnown = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`from to cc bcc subject date message-id sender reply-to
		in-reply-to references received return-path delivered-to mime-version comments keywords
		organization precedence importance priority auto-submitted errors-to user-agent
		thread-index thread-topic dkim-signature domainkey-signature authentication-results
		received-spf envelope-to delivery-date disposition-notification-to lines status
		original-recipient mail-followup-to autocrypt newsgroups path xref apparently-to
		return-receipt-to sensitivity supersedes expires`) {
		m[n] = true
	}
	return m
}()

func known(name []byte) bool {
	var b [32]byte
	if len(name) > len(b) {
		name = name[:len(b)]
	}
	n := copy(b[:], name)
	for i := range n {
		if c := b[i]; 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	low := b[:n]
	for _, p := range [...]string{"x-", "content-", "list-", "resent-", "arc-"} {
		if len(low) > len(p) && string(low[:len(p)]) == p {
			return true
		}
	}
	return wellKnown[string(low)]
}
