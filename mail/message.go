package mail

import (
	"bytes"
	"io"
	"time"
)

// Message is what any bytes mean as mail.
type Message struct {
	Header Header // of the message, in order

	From, Sender, ReplyTo, To, Cc, Bcc []Address

	Subject       string
	Date          time.Time // zero if missing or absurd (DefectNoDate)
	MessageID     string    // without <>; "" if none
	InReplyTo     []string
	References    []string // the first and the last 100
	ThreadIndex   string   // Exchange's root, 22 bytes in hex
	ListID        string   // RFC 2919, lower case
	AutoSubmitted string   // RFC 3834, the keyword in lower case

	Root        *Part
	Parts       []*Part // all, each before its children
	Attachments []*Part // all leaves that Text and HTML do not show

	Text    string // the best readable text; "" if there is none
	HTML    string // the best HTML part in UTF-8, as it came: hostile
	TextCut bool   // Text or HTML ended at its bound
	Size    int64
	Defects []Defect
}

// Parse reads a message in memory. Any bytes give one.
func Parse(raw []byte) *Message {
	m, _ := parse(linesOf(raw), bytes.NewReader(raw), 0) // bytes.Reader does not fail within its size
	return m
}

// ParseAt reads a message of any size in bounded memory. The only errors are
// those of src; then there is no Message, since half a mail must not pass for one.
func ParseAt(src io.ReaderAt, size int64) (*Message, error) {
	src = whole{src, size}
	return parse(linesAt(src, size), src, 0)
}

// whole reports an end before the size, which would pass for the end of a part.
type whole struct {
	io.ReaderAt
	size int64
}

func (w whole) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, off)
	if err == io.EOF && off+int64(n) < w.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// parse does both. nested counts the messages inside encoded parts above it.
func parse(in *lines, src io.ReaderAt, nested int) (*Message, error) {
	s := &scan{in: in, open: map[string]int{}}
	if in.eol == '\r' {
		s.defects.add(DefectBareCR)
	}
	if bytes.HasPrefix(in.ahead(3), []byte("\xef\xbb\xbf")) {
		in.seek(3)
	}
	m := &Message{Root: &Part{}, Size: in.size}
	s.entity(m.Root, "", 0, 0, "text/plain")
	if in.err != nil {
		return nil, in.err
	}
	m.Header, m.Parts = s.top, s.parts
	cs := &charsets{hint: hintOf(m.Parts), left: maxDetections}
	r := &reader{src: src, cs: cs, nested: nested, defects: &s.defects}
	cs.more = func() []byte { return r.sample(m.Parts) }
	m.readHeader(cs, &s.defects)
	r.bodies(m)
	if cs.lied {
		s.defects.add(DefectCharset)
	}
	m.Defects = s.defects
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

// hintOf is the charset that the message's text is labelled with: what raw
// 8 bit in its header is probably in.
func hintOf(parts []*Part) string {
	for _, p := range parts {
		if p.Charset != "" {
			return p.Charset
		}
	}
	return ""
}

// readHeader fills the fields in.
func (m *Message) readHeader(cs *charsets, d *defects) {
	h := m.Header
	m.From = h.addresses("From", true, cs, d)
	m.Sender = h.addresses("Sender", true, cs, d)
	m.ReplyTo = h.addresses("Reply-To", true, cs, d)
	m.To = h.addresses("To", false, cs, d)
	m.Cc = h.addresses("Cc", false, cs, d)
	m.Bcc = h.addresses("Bcc", false, cs, d)
	m.Subject = cut(cs.text(h.once("Subject", d)), MaxSubject)
	m.MessageID = firstID(h.once("Message-Id", d))
	m.InReplyTo = h.ids("In-Reply-To")
	m.References = h.ids("References")
	m.ThreadIndex = threadIndex(h.Raw("Thread-Index"))
	m.ListID = listID(cs.text(h.Raw("List-Id")))
	m.AutoSubmitted = keyword(cs.text(h.Raw("Auto-Submitted")))
	date, ok := parseDate(oneLine(unfold(string(h.once("Date", d)))))
	if m.Date = date; !ok {
		d.add(DefectNoDate)
	}
	if m.MessageID == "" {
		d.add(DefectNoMessageID)
	}
	if len(m.From) == 0 || m.From[0].Addr == "" {
		d.add(DefectNoFrom)
	}
}

// once gives the field that may stand once (RFC 5322 3.6): the first not blank.
func (h Header) once(name string, d *defects) []byte {
	raw, twice := h.first(name)
	if twice {
		d.add(DefectFieldTwice)
	}
	return raw
}

// addresses reads all fields of that name, or the first that is not blank.
// Authors are never added up: two From fields are a way to forge one.
func (h Header) addresses(name string, once bool, cs *charsets, d *defects) (list []Address) {
	if once {
		h = Header{{name, h.once(name, d)}}
	}
	for _, f := range h {
		if len(f.Name) != len(name) || !bytes.EqualFold([]byte(f.Name), []byte(name)) {
			continue
		}
		more, cutOff := parseAddresses(f.Raw, cs)
		if list = append(list, more...); cutOff || len(list) > MaxAddresses {
			d.add(DefectTooManyAddress)
			list = list[:min(len(list), MaxAddresses)]
		}
	}
	return list
}
