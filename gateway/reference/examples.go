package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-im/parley/internal/openapi"
)

// example is the content's own, else that of its schema; nil for none.
func (v *view) example(c openapi.Content) json.RawMessage {
	if c.Example != nil {
		return c.Example
	}
	for _, e := range c.Examples.All() {
		return e.Value
	}
	if s := v.doc.Deref(c.Schema); s != nil && len(s.Examples) > 0 {
		return s.Examples[0]
	}
	return nil
}

// pretty indents JSON, and shows a text as it is.
func pretty(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return strings.TrimRight(text, "\n")
	}
	var out bytes.Buffer
	if json.Indent(&out, value, "", "  ") != nil {
		return ""
	}
	return out.String()
}

// codes are the problems of components.examples, whose values say their status.
func (v *view) codes() {
	for name, e := range v.doc.Components.Examples.All() {
		var p struct {
			Status        int
			Title, Detail string
		}
		if json.Unmarshal(e.Value, &p) != nil || p.Status == 0 {
			continue
		}
		about := p.Detail
		if about == "" {
			about = p.Title + "."
		}
		v.Codes = append(v.Codes, code{name, fmt.Sprint(p.Status), about})
	}
}
