package mail

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// refer marks the attachments that the HTML shows in their places: RFC 2392 cid:
// URLs, and Content-Location (RFC 2557 4.2). A Content-ID alone means nothing:
// mailers give one to every part.
func (m *Message) refer() {
	byID, byPlace := map[string]*Part{}, map[string]*Part{}
	for _, p := range m.Attachments {
		if p.ContentID != "" && byID[p.ContentID] == nil {
			byID[p.ContentID] = p
		}
		if p.Location != "" && byPlace[p.Location] == nil {
			byPlace[p.Location] = p
		}
	}
	if len(byID)+len(byPlace) == 0 || m.HTML == "" {
		return
	}
	eachURL(m.HTML, func(ref string) {
		if p := byPlace[ref]; p != nil {
			p.Inline = true
		}
		if len(ref) < 4 || !strings.EqualFold(ref[:4], "cid:") {
			return
		}
		id := ref[4:]
		if plain, err := url.PathUnescape(id); err == nil && byID[id] == nil {
			id = plain
		}
		if p := byID[strings.Trim(id, "<> ")]; p != nil {
			p.Inline = true
		}
	})
}

// eachURL visits what the elements of a page refer to, also in their styles.
func eachURL(page string, visit func(string)) {
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			for more := true; more; {
				var name, value []byte
				name, value, more = z.TagAttr()
				switch string(name) {
				case "src", "background", "href", "data", "poster":
					visit(strings.TrimSpace(string(value)))
				case "style":
					styleURLs(string(value), visit)
				}
			}
		case html.TextToken:
			styleURLs(string(z.Text()), visit)
		}
	}
}

// styleURLs visits url(...) of CSS.
func styleURLs(s string, visit func(string)) {
	for {
		_, after, ok := strings.Cut(s, "url(")
		if !ok {
			return
		}
		ref, rest, _ := strings.Cut(after, ")")
		visit(strings.Trim(ref, `"' `))
		s = rest
	}
}
