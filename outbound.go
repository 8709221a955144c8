package parley

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Outgoing is one message on its way to one recipient outside. Every attempt
// carries the same one.
type Outgoing struct {
	From string // the return path; "" for the null sender
	To   string // the recipient
	ID   string // of the sending, which a delivery report names (RFC 3461 4.4); "" for none
	Size int64  // bytes that Open gives
	UTF8 bool   // the header has raw UTF-8 (RFC 6531), which the next server has to take; of the addresses it is found out
	Sign string // the domain to sign for with DKIM; "" for none

	// Open gives the message from its start, with CRLF; it may be called again.
	Open func() (io.ReadCloser, error)
}

// Rejection is why a message did not get to a recipient: what the other side
// answered, or what stands for its answer when it could not be asked. After any
// other error of an attempt it is not known whether the message arrived.
type Rejection struct {
	Permanent bool   // no later attempt would go better
	Code      int    // of the reply, such as 550
	Enhanced  string // RFC 3463: "5.1.1"
	Text      string // one line, in the other side's words
	Server    string // whose words; "" for ours
}

// maxReply bounds what is kept of the other side's words.
const maxReply = 500

// Reject makes a Rejection of a reply that a stranger wrote: the class of code
// decides whether it is permanent, an enhanced code of another class or form is
// replaced, and text becomes one bounded line without controls.
func Reject(code int, enhanced, text, server string) *Rejection {
	class := code / 100
	if class != 4 && class != 5 {
		// A reply that RFC 5321 4.3.2 does not know promises nothing for good.
		code, class, enhanced = 451, 4, ""
	}
	if !enhancedOf(enhanced, class) {
		enhanced = fmt.Sprintf("%d.0.0", class)
	}
	return &Rejection{
		Permanent: class == 5, Code: code, Enhanced: enhanced,
		Text: oneLine(text), Server: oneLine(server),
	}
}

func (r *Rejection) Error() string {
	said := fmt.Sprintf("%d %s", r.Code, r.Enhanced)
	if r.Text != "" {
		said += " " + r.Text
	}
	if r.Server == "" {
		return said
	}
	return r.Server + " said: " + said
}

// enhancedOf is the syntax of RFC 3463 2: the class, then two numbers of up to
// three digits.
func enhancedOf(s string, class int) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 3 || parts[0] != fmt.Sprint(class) {
		return false
	}
	for _, p := range parts[1:] {
		if p == "" || len(p) > 3 || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}

// oneLine joins the words of a text that a stranger wrote, without what would
// move a terminal or turn the reading direction.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 4*maxReply)], "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return -1 // formats, private use, unassigned
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxReply {
		return s
	}
	s = s[:maxReply]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}
