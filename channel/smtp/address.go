package smtp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	gosmtp "github.com/emersion/go-smtp"

	"github.com/parley-im/parley/mail"
)

// RFC 5321 4.5.3.1.3: a path has at most 256 octets, with its brackets.
const maxAddress = 254

// Enhanced codes of RFC 3463 3.2 (bad mailbox address syntax, of the recipient
// and of the sender) and RFC 6531 5 (X.6.7: non-ASCII addresses not permitted).
func badSyntax(sender bool) gosmtp.EnhancedCode {
	if sender {
		return gosmtp.EnhancedCode{5, 1, 7}
	}
	return gosmtp.EnhancedCode{5, 1, 3}
}

// checkAddress refuses what go-smtp lets through and no mailbox can be called.
func checkAddress(address string, sender, utf8Allowed bool) error {
	switch {
	case len(address) > maxAddress, !utf8.ValidString(address), strings.ContainsFunc(address, unicode.IsControl):
		return &gosmtp.SMTPError{Code: 553, EnhancedCode: badSyntax(sender), Message: "This is not a mail address."}
	case !utf8Allowed && !ascii(address):
		return &gosmtp.SMTPError{Code: 553, EnhancedCode: gosmtp.EnhancedCode{5, 6, 7}, Message: "This address needs SMTPUTF8."}
	}
	return nil
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// spelled gives an address the quotes back that go-smtp took off, where it needs
// them: a@b@c would name more than one mailbox.
func spelled(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 0 { // the null sender, Postmaster
		return address
	}
	return mail.Addr{Local: address[:at], Domain: address[at+1:]}.String()
}
