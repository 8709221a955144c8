package errmap

import (
	"strings"

	"github.com/emersion/go-smtp"
)

// maxReply keeps a reply line under the 512 octets of RFC 5321 4.5.3.1.5, with
// both codes and CRLF.
const maxReply = 480

// SMTP ends every method of an SMTP or LMTP session. go-smtp knows only an
// unwrapped *smtp.SMTPError and answers anything else after DATA with a
// permanent 554 that carries its text. An error that is one already passes; one
// wrapped inside another may be what some other server told us, and does not.
func SMTP(err error) error {
	if err == nil {
		return nil
	}
	if reply, ok := err.(*smtp.SMTPError); ok {
		return reply
	}
	row, public, _ := describe(err)
	return &smtp.SMTPError{Code: row.reply, EnhancedCode: row.enhanced, Message: line(public)}
}

// line is text as one reply line may carry it: printable US-ASCII (RFC 5321
// 4.2: textstring; UTF-8 only under SMTPUTF8), so that no name that someone
// chose can forge a second line.
func line(text string) string {
	var b strings.Builder
	for _, r := range text {
		if b.Len() == maxReply {
			break
		}
		switch {
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r == '\r', r == '\n', r == '\t':
			b.WriteByte(' ')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
