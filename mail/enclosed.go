package mail

import (
	"bytes"
	"strings"
)

// anything reads what is meant to be kept or saved, if it is text after all.
func (r *reader) anything(root *Part, out *gather) {
	list := leaves(root)
	for _, p := range list {
		if strings.HasPrefix(p.Type, "text/") && out.room() > 0 {
			out.add(r.readable(p, out.room()))
			r.show(p)
		}
	}
	for _, p := range list {
		if isVague(p) && out.empty() && r.looksText(p) {
			out.add(r.part(p, out.room()))
			r.show(p)
		}
	}
}

// show keeps a part off the list of attachments, unless its name says that it is one.
func (r *reader) show(p *Part) {
	if p.Filename == "" {
		r.shown = append(r.shown, p)
	}
}

// isVague reports a type that may hide text: nobody saves a file without a
// name. What is encrypted or a signature stays what it is.
func isVague(p *Part) bool {
	if p.isMessage() || p.Type == "message/external-body" || strings.Contains(p.Type, "pgp") || strings.Contains(p.Type, "pkcs7") {
		return false
	}
	return p.Filename == "" || strings.HasPrefix(p.Type, "message/") ||
		p.Type == "application/octet-stream" && strings.HasSuffix(strings.ToLower(p.Filename), ".txt")
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

// message is the text of a message that is a part of this one, under a line
// that says whose it is.
func (r *reader) message(p *Part) string {
	inner := &Message{}
	switch {
	case len(p.Children) > 0:
		root := p.Children[0]
		h, err := root.Fields(r.src)
		r.fail(err)
		inner.Header = h
		inner.readHeader(r.cs, &defects{})
		text, html, _ := bodiesOf(root)
		inner.Text = r.text(root, text, html)
	case p.Encoding != Identity && r.nested < maxNested:
		b, _ := r.read(p, MaxTextBytes)
		m, err := parse(linesOf(b), bytes.NewReader(b), r.nested+1)
		r.fail(err)
		inner = m
	default:
		return ""
	}
	if inner == nil || inner.Text == "" && inner.Subject == "" {
		return ""
	}
	return inner.quoted()
}

// quoted is a message as it stands in the text of another.
func (m *Message) quoted() string {
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
	return b.String() + "\n" + m.Text
}
