package mail

import (
	"bytes"
	"strings"
)

// showHidden finds something to read where nothing is in its place: text that is
// marked to be kept, or not marked as text. Only what has no name of a file is
// shown; what a calendar or a TNEF stream says is told, and stays attached.
func (r *reader) showHidden(v view, all []*Part) {
	for _, p := range all {
		if p.Shown == Structure && p.Filename == "" && strings.HasPrefix(p.Type, "text/") && !isCalendar(p) {
			p.Shown = InText
			v.text.add(r.readable(p, max(v.text.room(), 0)))
		}
	}
	for _, p := range all {
		if v.text.empty() && p.Shown == Structure && isVague(p) && r.looksText(p) {
			p.Shown = InText
			v.text.add(r.part(p, v.text.room()))
		}
	}
	for _, p := range all {
		if v.text.empty() && isCalendar(p) {
			v.text.add(invitation(r.part(p, maxCalendar), p.method))
		}
		if v.text.empty() && p.stream != nil {
			v.text.add(p.stream.readable())
			v.page.add(stretch{html: p.stream.html})
		}
	}
}

// isVague reports a type that may hide text: nobody saves a file without a
// name. What is encrypted or a signature stays what it is, and so do pictures.
func isVague(p *Part) bool {
	switch {
	case p.isMessage(), isMedia(p), isCalendar(p), p.Type == "message/external-body", p.signed != nil, p.stream != nil,
		strings.Contains(p.Type, "pgp"), strings.Contains(p.Type, "pkcs7"):
		return false
	}
	return p.Filename == "" || strings.HasPrefix(p.Type, "message/") && p.Disposition != "attachment"
}

// looksText reports whether the beginning of a part is text and nothing else.
func (r *reader) looksText(p *Part) bool {
	head, _ := r.read(p, 4<<10)
	for _, c := range head {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\r\n\f\x1b"), rune(c)) {
			return false
		}
	}
	return clean(strings.ToValidUTF8(string(head), "\ufffd"))
}

// forwarded is the line above a message that stands in another.
func (m *Message) forwarded() string {
	var b strings.Builder
	b.WriteString("---------- Forwarded message ----------\n")
	for _, a := range m.From[:min(len(m.From), 1)] {
		b.WriteString("From: " + a.String() + "\n")
	}
	if !m.Date.IsZero() {
		b.WriteString("Date: " + m.Date.Format("Mon, 2 Jan 2006 15:04 -0700") + "\n")
	}
	if m.Subject != "" {
		b.WriteString("Subject: " + m.Subject + "\n")
	}
	return b.String()
}
