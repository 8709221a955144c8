package safehtml

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// attributes reads those of a tag that may stay.
func (b *builder) attributes(name string, z *html.Tokenizer) (out []html.Attribute, is role) {
	n := 0
	for more := true; more; n++ {
		var k, v []byte
		k, v, more = z.TagAttr()
		if n >= maxAttrs || len(v) > maxValue {
			b.cut = true
			continue
		}
		a, ok := b.attribute(name, string(k), clean(string(v)))
		if ok && !has(out, a.Key) {
			out = append(out, a)
		}
		if string(k) == "style" {
			v = []byte(a.Val) // as it will be read again
		}
		if r := roleOf(name, string(k), string(v)); is == plain || r == quoted {
			is = r
		}
	}
	if name == "a" && has(out, "href") {
		out = append(out, html.Attribute{Key: "rel", Val: linkRel}, html.Attribute{Key: "target", Val: linkTarget})
	}
	return out, is
}

func (b *builder) attribute(name, key, v string) (html.Attribute, bool) {
	ok := true
	switch {
	case name == "a" && key == "href":
		v, ok = link(v)
	case loads[name] != "" && strings.TrimPrefix(key, heldBack) == loads[name]:
		return b.load(loads[name], v)
	case key == "style":
		v = b.style(v)
		ok = v != ""
	default:
		v, ok = value(elements[name], key, v)
	}
	return html.Attribute{Key: key, Val: v}, ok
}

// maxStyles bounds the styles that are remembered: messages have few, many times.
const maxStyles = 1000

func (b *builder) style(s string) string {
	out, known := b.styles[s]
	if !known {
		out = style(s)
		if len(b.styles) < maxStyles {
			b.styles[s] = out
		}
	}
	return out
}

func has(list []html.Attribute, key string) bool {
	return slices.ContainsFunc(list, func(a html.Attribute) bool { return a.Key == key })
}

// body takes what the body of the message says of itself: its colours as a style.
func (b *builder) body(z *html.Tokenizer, more bool) {
	var styles []string
	for n := 0; more && n < maxAttrs; n++ {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch key := string(k); key {
		case "bgcolor":
			styles = append(styles, "background-color:"+string(v))
		case "text":
			styles = append(styles, "color:"+string(v))
		case "style":
			styles = append(styles, clean(string(v)))
		}
	}
	root := b.open[0]
	if v := b.style(strings.Join(styles, ";")); v != "" && len(v) <= maxValue && !has(root.attrs, "style") {
		root.attrs = append(root.attrs, html.Attribute{Key: "style", Val: v})
	}
}
