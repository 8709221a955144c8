package htmltext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// element is what matters of a start tag.
type element struct {
	name, href, alt string
	hidden          bool
}

// dropped are elements whose content nobody reads.
var dropped = set("style script template title svg math object applet noframes noembed iframe frameset audio video canvas map datalist select textarea noscript")

// voids have no content: HTML 13.1.2.
var voids = set("area base br col embed hr img input link meta param source track wbr basefont frame bgsound keygen")

// blocks says how many line ends stand before and behind an element.
var blocks = func() map[string]int {
	m := map[string]int{}
	for name := range set("div tr li dt dd section article header footer main nav aside address center form fieldset figure figcaption details summary legend body html caption thead tbody tfoot option dir menu") {
		m[name] = 1
	}
	for name := range set("p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr") {
		m[name] = 2
	}
	return m
}()

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

// read takes the tag that the tokenizer stands on.
func read(z *html.Tokenizer) element {
	name, more := z.TagName()
	e := element{name: atom.String(name)}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "href":
			e.href = address(string(value))
		case "alt":
			e.alt = string(value)
		case "hidden":
			e.hidden = true
		case "style":
			e.hidden = e.hidden || hides(string(value))
		}
	}
	return e
}

// address keeps the links that lead somewhere from a text.
func address(href string) string {
	href = strings.TrimSpace(href)
	for _, p := range [...]string{"http://", "https://", "mailto:", "tel:", "ftp://"} {
		if len(href) > len(p) && strings.EqualFold(href[:len(p)], p) {
			return strings.Join(strings.Fields(href), "")
		}
	}
	return ""
}

// hides reports a style that keeps an element from being seen: the preheaders
// that newsletters show in lists of messages only.
func hides(style string) bool {
	for rule := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(rule, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch strings.TrimSpace(name) {
		case "display":
			if value == "none" {
				return true
			}
		case "visibility":
			if value == "hidden" {
				return true
			}
		case "mso-hide":
			if value == "all" {
				return true
			}
		case "font-size", "max-height", "opacity":
			if isZero(value) {
				return true
			}
		}
	}
	return false
}

// isZero reports 0, 0px, 0.0em.
func isZero(value string) bool {
	number := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz%")
	return number != "" && strings.Trim(number, "0.") == ""
}
