package safehtml

import (
	"regexp"
	"strings"
)

// properties are those of CSS that may be declared. None places an element
// outside of where it stands (position, z-index, transform), loads anything
// (content, cursor, filter), or runs (behavior, -moz-binding, animation).
var properties = strings.Fields(`background background-color border border-bottom border-bottom-color border-bottom-style
	border-bottom-width border-collapse border-color border-left border-left-color border-left-style border-left-width
	border-radius border-right border-right-color border-right-style border-right-width border-spacing border-style
	border-top border-top-color border-top-style border-top-width border-width box-sizing caption-side clear color
	direction display empty-cells float font font-family font-size font-style font-variant font-weight height
	letter-spacing line-height list-style list-style-position list-style-type margin margin-bottom margin-left
	margin-right margin-top max-height max-width min-height min-width opacity overflow overflow-wrap padding
	padding-bottom padding-left padding-right padding-top table-layout text-align text-decoration
	text-decoration-color text-decoration-line text-decoration-style text-indent text-transform vertical-align
	visibility white-space width word-break word-spacing word-wrap`)

// The tokens of a value: colours, sizes that are not negative and have at most
// four digits, words, names in quotes. There is no function but those of colours,
// no escape, and no comment.
const (
	tokenColor  = `#[0-9a-fA-F]{3,8}`
	tokenSize   = `\+?(?:[0-9]{1,4}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})(?:%|[a-zA-Z]{1,4})?`
	tokenWord   = `-?[a-zA-Z_][a-zA-Z0-9_-]*`
	tokenQuoted = `'[\p{L}\p{N} ._-]*'|"[\p{L}\p{N} ._-]*"`
	tokenFunc   = `(?:rgb|rgba|hsl|hsla)\([0-9.,%/ a-z]+\)`
	token       = `(?:` + tokenFunc + `|` + tokenColor + `|` + tokenSize + `|` + tokenWord + `|` + tokenQuoted + `)`
)

var (
	values      = regexp.MustCompile(token + `(?: ?[,/ ] ?` + token + `)*`)
	wholeValue  = whole(values.String())
	declaration = regexp.MustCompile(`(?:` + strings.Join(properties, "|") + `):` + values.String())
	allowed     = set(strings.Join(properties, " "))
)

// style keeps the declarations that may stand. Each is complete in itself, so it
// does not matter how a browser would split what was dropped.
func style(s string) string {
	var out []string
	for rule := range strings.SplitSeq(s, ";") {
		name, v, _ := strings.Cut(rule, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		v, _, _ = strings.Cut(v, "!") // no priority
		v = strings.Join(strings.Fields(v), " ")
		if allowed[name] && wholeValue.MatchString(v) {
			out = append(out, name+":"+v)
		}
	}
	return strings.Join(out, ";")
}
