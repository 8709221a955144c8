package safehtml

import "strings"

// role is what a mail program says that an element is for.
type role uint8

const (
	plain      role = iota
	quoted          // all in it is quoted
	introduces      // it says who is quoted
	holder          // it has an introduction, a quote, and perhaps answers behind it
	rest            // it and what stands behind it in its parent is quoted
	signature
)

// roles are the classes and ids that mail programs write; letters in lower case.
var roles = map[string]role{
	".gmail_quote": holder, ".gmail_quote_container": holder, ".gmail_attr": introduces, ".gmail_signature": signature,
	".moz-cite-prefix": introduces, ".moz-signature": signature, ".moz-email-headers-table": plain,
	".yahoo_quoted": quoted, ".yahooquoted": quoted, ".protonmail_quote": quoted, ".protonmail_signature_block": signature,
	".tutanota_quote": quoted, ".zmail_extra": quoted, ".cite": quoted, "#qt": quoted,
	"#divrplyfwdmsg": rest, "#appendonsend": rest, "#stopspelling": rest, "#zwchr": rest, ".outlookmessageheader": rest,
	"#olk_src_body_section": quoted, "#mail-editor-reference-message-container": quoted, ".ms-outlook-mobile-reference-message": quoted,
	"#ms-outlook-mobile-signature": signature, ".ms-outlook-mobile-signature": signature, "#signature": signature, "#applemailsignature": signature,
}

// roleOf reads one attribute. Outlook writes ids anew, with x_ in front, in what it
// quotes.
func roleOf(name, key, value string) role {
	value = strings.ToLower(value)
	switch {
	case key == "type" && name == "blockquote" && value == "cite":
		return quoted
	case key == "id" && strings.HasPrefix(value, "yahoo_quoted"):
		return quoted
	case key == "id":
		return roles["#"+strings.TrimPrefix(strings.TrimSpace(value), "x_")]
	case key == "style" && (strings.Contains(value, "border-top:solid #e1e1e1 1.0pt") || strings.Contains(value, "border-top:solid #b5c4df 1.0pt")):
		return rest // Outlook has no better sign
	case key != "class":
		return plain
	}
	for class := range strings.FieldsSeq(value) {
		r := roles["."+strings.TrimPrefix(class, "x_")]
		if r == holder && name == "blockquote" {
			return quoted
		}
		if r != plain {
			return r
		}
	}
	return plain
}
