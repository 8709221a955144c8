package mail

import "strings"

// Encoding is how the body of a part is encoded for transfer (RFC 2045 6).
type Encoding uint8

// The encodings. Identity stands for 7bit, 8bit, binary, and what is unknown.
const (
	Identity Encoding = iota
	Base64
	QuotedPrintable
	UUEncode
)

// String is the name as Content-Transfer-Encoding writes it.
func (e Encoding) String() string {
	return [...]string{"8bit", "base64", "quoted-printable", "x-uuencode"}[e&3]
}

// Part is one node of the MIME tree: where it stands in the raw bytes and what
// its header says about it.
type Part struct {
	Path         string // as in IMAP: "1.2"; "0" or "2.0" for the multipart at the root of a message
	Type         string // lower case, "text/plain"; never empty
	Charset      string // as labelled, lower case; "" if not
	Disposition  string // "inline", "attachment" or ""
	Filename     string // safe as the last element of a path; "" if none
	ContentID    string // without <>
	Location     string // Content-Location
	Language     string // Content-Language
	Encoding     Encoding
	HeaderOffset int64
	Offset       int64 // of the body
	Length       int64 // of the body, encoded
	Size         int64 // of the body, decoded; 0 for parts that are shown by those below them
	Opaque       bool  // beyond a bound: its structure was not looked at
	Inline       bool  // Message.HTML shows it in its place, by cid: or its Location
	Shown        Shown // where it is to be found in the Message
	Children     []*Part

	boundary string
	flowed   bool // RFC 3676
	delSp    bool
	uu       []*Part // uuencoded files in its text
	files    []*Part // what a TNEF stream holds
	signed   *Part   // the message that an opaque signature holds
	within   *file   // where offsets count from; nil: the raw message
	stream   *tnefStream
	smime    string // smime-type
	method   string // of a calendar object
	spare    bool   // an alternative whose like came before
	returned bool   // what a report gives back
}

func (p *Part) isMultipart() bool { return strings.HasPrefix(p.Type, "multipart/") }

// isMessage recognises the kinds that hold a whole message (RFC 2046 5.2.1, RFC 6532 3.7).
func (p *Part) isMessage() bool { return p.Type == "message/rfc822" || p.Type == "message/global" }

// describe reads what the header says about the part. kind is the type that
// counts where none is given.
func (p *Part) describe(h Header, kind string, d *defects) {
	cs := &charsets{left: 4}
	typ, params := parseMedia(h.Raw("Content-Type"), cs)
	disp, dparams := parseMedia(h.Raw("Content-Disposition"), cs)
	p.Encoding = readEncoding(h.Raw("Content-Transfer-Encoding"), d)
	p.Type = readType(typ, h.Raw("Content-Type") != nil, kind, d)
	p.Charset = cleanLabel(params["charset"])
	p.Filename = safeFilename(firstOf(dparams["filename"], dparams["name"], params["name"], params["filename"]))
	p.ContentID = firstID(h.Raw("Content-Id"))
	p.Location = cut(strings.ReplaceAll(cs.text(h.Raw("Content-Location")), " ", ""), MaxIDBytes)
	p.Language = cut(cs.text(h.Raw("Content-Language")), 100)
	switch {
	case disp == "inline" || disp == "attachment":
		p.Disposition = disp
	case disp != "": // RFC 2183 2.8: unknown ones are attachments
		p.Disposition = "attachment"
	}
	if p.isMultipart() {
		p.boundary = strings.TrimRight(params["boundary"], " \t")
		if len(p.boundary) > maxBoundary || p.boundary == "" {
			p.boundary = ""
			d.add(DefectNoBoundary)
		}
		if p.Encoding != Identity {
			p.Encoding = Identity
			d.add(DefectEncodedParts)
		}
	}
	// A short string must not keep the header that it was cut out of.
	for _, s := range [...]*string{&p.Type, &p.Charset, &p.Filename, &p.ContentID, &p.Location, &p.Language, &p.boundary} {
		*s = strings.Clone(*s)
	}
	p.method = strings.Clone(cut(oneLine(params["method"]), 40))
	p.smime = strings.Clone(strings.ToLower(params["smime-type"]))
	p.flowed = strings.EqualFold(params["format"], "flowed")
	p.delSp = strings.EqualFold(params["delsp"], "yes")
}

// readType checks a media type. What cannot be read is text/plain (RFC 2045
// 5.2), as is a type that is not given.
func readType(typ string, given bool, kind string, d *defects) string {
	if !given {
		return kind
	}
	major, minor, ok := strings.Cut(typ, "/")
	if ok && isToken(major) && isToken(minor) && len(typ) <= 127 {
		return typ
	}
	d.add(DefectContentType)
	switch {
	case major == "multipart":
		return "multipart/mixed"
	case major == "" || major == "text" || kind != "text/plain":
		return kind
	}
	return "application/octet-stream"
}

// readEncoding knows the encodings and the ways in which they are misspelled.
func readEncoding(raw []byte, d *defects) Encoding {
	if raw == nil {
		return Identity
	}
	word := strings.ToLower(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, string(raw[:min(len(raw), 200)])))
	switch {
	case strings.HasPrefix(word, "base64") || strings.HasPrefix(word, "b64"):
		return Base64
	case strings.HasPrefix(word, "quotedprint") || word == "qp":
		return QuotedPrintable
	case strings.Contains(word, "uuenc") || word == "xuue" || word == "uue":
		return UUEncode
	case word == "" || strings.HasPrefix(word, "7bit") || strings.HasPrefix(word, "8bit") || strings.HasPrefix(word, "binary"):
	default:
		d.add(DefectEncoding)
	}
	return Identity
}
