package safehtml

import (
	"strings"

	"golang.org/x/net/html"
)

// load gives the attribute of something that is loaded: a part of the message, or
// something remote, which is held back unless asked for.
func (b *builder) load(key, v string) (html.Attribute, bool) {
	if id, ok := contentID(v); ok {
		v = b.CID[id]
	}
	if key == "src" && b.paths[v] {
		return html.Attribute{Key: key, Val: v}, true
	}
	v, ok := remote(v)
	if ok && !b.Remote {
		key = heldBack + key
	}
	return html.Attribute{Key: key, Val: v}, ok
}

// dot recognises a picture that shows nothing: it tells its sender who reads.
func dot(attrs []html.Attribute) bool {
	width, high := false, false
	for _, a := range attrs {
		small := strings.TrimSuffix(a.Val, "px") == "0" || strings.TrimSuffix(a.Val, "px") == "1"
		width, high = width || a.Key == "width" && small, high || a.Key == "height" && small
	}
	return width && high
}
