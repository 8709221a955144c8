package smtp

import (
	"bytes"
	"fmt"
	"strings"
)

// maxReply is RFC 5321 4.5.3.1.5: 512 octets with the CRLF.
const maxReply = 512 - len("\r\n")

// Write takes replies from go-smtp, line by line.
func (w *wire) Write(p []byte) (int, error) {
	w.line = append(w.line, p...)
	for {
		line, rest, whole := bytes.Cut(w.line, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		if !w.unheard(line) {
			w.say(lawful(w.verb, strings.TrimSuffix(string(line), "\r"), w.server.cfg.Hostname))
		}
		w.line = rest
	}
}

// unheard are the replies of go-smtp that have no command: 354 to a BDAT, which
// it takes for DATA, and the answers for a message that never came to its end.
func (w *wire) unheard(line []byte) bool {
	return w.silent || w.chunks != nil && bytes.HasPrefix(line, []byte("354"))
}

// reply answers in place of go-smtp.
func (w *wire) reply(format string, args ...any) { w.say(fmt.Sprintf(format, args...)) }

// say sends one line. An error shows at the next wait.
func (w *wire) say(line string) {
	if len(line) > 3 && line[3] == ' ' {
		w.server.metrics.reply(w.verb, line[0])
	}
	w.out.WriteString(printable(line))
	w.out.WriteString("\r\n")
}

// lawful brings a reply of go-smtp to the letter.
func lawful(verb, line, hostname string) string {
	code, rest, _ := strings.Cut(line, " ")
	transaction := verb == "MAIL" || verb == "RCPT" || verb == "DATA" || verb == "BDAT"
	switch {
	// RFC 2033 4.2: DATA without a successful RCPT MUST fail with 503; RFC 5321
	// 4.1.4: so do commands out of order.
	case transaction && strings.HasPrefix(line, "502 5.5.1 "):
		return "503 " + rest
	// RFC 5321 4.1.1.11: 555 for parameters that are not known here.
	case transaction && (code == "500" || code == "504") && strings.HasPrefix(rest, "5.5.4 "):
		return "555 " + rest
	// RFC 5321 4.1.1.1, ehlo-ok-rsp: the first word is the name of this server.
	case verb == "LHLO" && strings.HasPrefix(line, "250-Hello "):
		return "250-" + hostname + " " + line[len("250-"):]
	}
	return line
}

// printable is RFC 5321 4.2, textstring, and its bound. go-smtp repeats what the
// client said, which may hold anything.
func printable(line string) string {
	text := []byte(line[:min(len(line), maxReply)])
	for i, c := range text {
		if c < ' ' || c > '~' {
			text[i] = '?'
		}
	}
	return string(text)
}
