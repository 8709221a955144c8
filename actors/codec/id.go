package codec

import (
	"strings"

	"github.com/parley-im/parley"
)

const base32Digits = "abcdefghijklmnopqrstuvwxyz234567"

// idDigits is how many digits 128 bits have. The last one has two bits to spare,
// which are zero where the id is canonical.
const idDigits = 26

// packID gives the 16 bytes of a canonical id. Any other text is itself; where
// that would be 16 bytes or more, a zero byte behind it tells the two apart.
func packID[T ~string](prefix string, id T) []byte {
	if b, ok := parseID(prefix, string(id)); ok {
		return b
	}
	if len(id) < parley.IDBytes {
		return []byte(id)
	}
	return append([]byte(id), 0)
}

func unpackID[T ~string](r *reader, prefix string, b []byte) T {
	switch {
	case len(b) == parley.IDBytes:
		return T(formatID(prefix, b))
	case len(b) < parley.IDBytes:
		return T(b)
	case b[len(b)-1] != 0:
		r.fail("an id of %d bytes", len(b))
	}
	return T(b[:len(b)-1])
}

// parseID is parley.ParseID with a single allocation: a page has many ids.
func parseID(prefix, s string) ([]byte, bool) {
	digits, ok := strings.CutPrefix(s, prefix)
	if !ok || len(digits) != idDigits {
		return nil, false
	}
	b := make([]byte, 0, parley.IDBytes)
	var have, bits uint32
	for i := range idDigits {
		d := digit(digits[i])
		if d > 31 {
			return nil, false
		}
		have, bits = have<<5|d, bits+5
		if bits >= 8 {
			bits -= 8
			b = append(b, byte(have>>bits))
		}
	}
	return b, have&3 == 0
}

func digit(c byte) uint32 {
	switch {
	case 'a' <= c && c <= 'z':
		return uint32(c - 'a')
	case '2' <= c && c <= '7':
		return uint32(c-'2') + 26
	}
	return 32
}

// formatID is parley.FormatID with a single allocation.
func formatID(prefix string, raw []byte) string {
	var text [8 + idDigits]byte
	b := append(text[:0], prefix...)
	var have, bits uint32
	for _, c := range raw {
		have, bits = have<<8|uint32(c), bits+8
		for bits >= 5 {
			bits -= 5
			b = append(b, base32Digits[have>>bits&31])
		}
	}
	return string(append(b, base32Digits[have<<(5-bits)&31]))
}

func account(id parley.AccountID) []byte { return packID(parley.AccountPrefix, id) }
func part(id parley.PartID) []byte       { return packID(parley.PartPrefix, id) }
func threadID(id parley.ThreadID) []byte { return packID(parley.ThreadPrefix, id) }
func message(id parley.MessageID) []byte { return packID(parley.MessagePrefix, id) }
func blobID(id parley.BlobID) []byte     { return packID(parley.BlobPrefix, id) }

func jobID(id parley.JobID) []byte { return packID(parley.JobPrefix, id) }

func (r *reader) jobID(b []byte) parley.JobID {
	return unpackID[parley.JobID](r, parley.JobPrefix, b)
}

func (r *reader) account(b []byte) parley.AccountID {
	return unpackID[parley.AccountID](r, parley.AccountPrefix, b)
}
func (r *reader) part(b []byte) parley.PartID {
	return unpackID[parley.PartID](r, parley.PartPrefix, b)
}
func (r *reader) threadID(b []byte) parley.ThreadID {
	return unpackID[parley.ThreadID](r, parley.ThreadPrefix, b)
}
func (r *reader) message(b []byte) parley.MessageID {
	return unpackID[parley.MessageID](r, parley.MessagePrefix, b)
}
func (r *reader) blobID(b []byte) parley.BlobID {
	return unpackID[parley.BlobID](r, parley.BlobPrefix, b)
}
