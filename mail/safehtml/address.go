package safehtml

import (
	"net/url"
	"regexp"
	"strings"
)

// What a link gets, so that where it leads learns nothing and reaches nothing.
const (
	linkRel    = "noopener noreferrer nofollow"
	linkTarget = "_blank"
)

// The forms of addresses, as written by address.
var (
	formLink   = whole(`(?i:https?://|mailto:|tel:)` + addressRunes)
	formRemote = whole(`(?i:https?://)` + addressRunes)
	formPath   = regexp.MustCompile(`^/[a-zA-Z0-9._~-]+(?:/[a-zA-Z0-9._~-]+)*$`)
)

// addressRunes keeps out what ends an address or hides its end.
const addressRunes = `[^\x00-\x20\x7f"'<>\\^\x60{|}]+`

// address cleans an address as browsers do (URL 4.4): white space around it and
// line ends in it do not count. One without a scheme means https, since a message
// has no place that it could be relative to.
func address(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimSpace(s))
	if strings.HasPrefix(s, "//") {
		s = "https:" + s
	}
	var b strings.Builder
	for _, r := range s {
		if r <= ' ' || r == 0x7f || strings.ContainsRune("\"'<>\\^`{|}", r) {
			b.WriteString(url.PathEscape(string(r)))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// link is an address that a reader may go to.
func link(s string) (string, bool) {
	s = address(s)
	return s, len(s) <= maxValue && formLink.MatchString(s)
}

// remote is an address that a picture may be loaded from, when asked for.
func remote(s string) (string, bool) {
	s = address(s)
	return s, len(s) <= maxValue && formRemote.MatchString(s)
}

// contentID reads RFC 2392's cid: address.
func contentID(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 5 || !strings.EqualFold(s[:4], "cid:") {
		return "", false
	}
	id := s[4:]
	if plain, err := url.PathUnescape(id); err == nil {
		id = plain
	}
	return strings.Trim(id, "<>"), true
}
