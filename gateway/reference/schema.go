package reference

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-im/parley/internal/openapi"
)

// typeText is a type in words: parts, of which some lead to a schema.
type typeText []part

// part is some words, and the schema that they name.
type part struct {
	Text, Schema string
}

func words(format string, args ...any) typeText {
	return typeText{{Text: fmt.Sprintf(format, args...)}}
}

// schema is one of the document's.
type schema struct {
	Name, About string
	Type        typeText
	Properties  []row
	Examples    []string
}

func (v *view) schema(name string, s *openapi.Schema) schema {
	out := schema{Name: name, About: s.Description, Properties: v.properties(s, "")}
	if len(out.Properties) == 0 {
		out.Type = v.typeOf(s)
	}
	for _, e := range s.Examples {
		out.Examples = append(out.Examples, pretty(e))
	}
	return out
}

// properties lists what an object has, inner objects with dotted names.
func (v *view) properties(s *openapi.Schema, before string) (all []row) {
	for name, p := range s.Properties.All() {
		all = append(all, row{Name: before + name, About: p.Description, Type: v.typeOf(p), Required: s.Requires(name)})
		inner, dots := p, "."
		if p.Items != nil {
			inner, dots = p.Items, "[]."
		}
		all = append(all, v.properties(inner, before+name+dots)...)
	}
	return all
}

// typeOf says what a value is.
func (v *view) typeOf(s *openapi.Schema) typeText {
	if s == nil {
		return words("anything")
	}
	if name := s.Name(); name != "" {
		return typeText{{name, name}}
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		if all := v.choice(list); len(all) > 0 {
			return all
		}
	}
	if values := literals(s); values != "" {
		return words("%s", values)
	}
	t := v.plain(s)
	if limits := limits(s); limits != "" {
		t = append(t, part{Text: ", " + limits})
	}
	if s.Default != nil {
		t = append(t, part{Text: ", by default " + string(s.Default)})
	}
	return t
}

// choice joins alternatives. Those that only say which fields go together have
// no type of their own.
func (v *view) choice(list []*openapi.Schema) (all typeText) {
	for _, one := range list {
		if one.Ref == "" && len(one.Type) == 0 && one.Const == nil && len(one.Enum) == 0 {
			return nil
		}
		if len(all) > 0 {
			all = append(all, part{Text: " or "})
		}
		all = append(all, v.typeOf(one)...)
	}
	return all
}

// literals are the values that a constant or an enumeration has.
func literals(s *openapi.Schema) string {
	var all []string
	for _, value := range append(append([]json.RawMessage{}, s.Enum...), s.Const) {
		if value != nil {
			all = append(all, string(value))
		}
	}
	return strings.Join(all, " | ")
}

func (v *view) plain(s *openapi.Schema) typeText {
	switch s.Type.Main() {
	case "array":
		return append(words("list of "), v.typeOf(s.Items)...)
	case "object":
		if s.AdditionalProperties != nil && !s.AdditionalProperties.Never {
			return append(words("object of any names to "), v.typeOf(s.AdditionalProperties)...)
		}
		return words("object")
	case "":
		return words("anything")
	}
	name := s.Type.Main()
	switch s.Format {
	case "date-time":
		name = "time"
	case "uri", "uri-reference":
		name = "URI"
	}
	if s.Type.Nullable() {
		name += " or null"
	}
	return words("%s", name)
}

// limits says how much a value may be.
func limits(s *openapi.Schema) string {
	var all []string
	between := func(least, most *int64, what string) {
		switch {
		case least != nil && most != nil:
			all = append(all, fmt.Sprintf("%d to %d %s", *least, *most, what))
		case most != nil:
			all = append(all, fmt.Sprintf("at most %d %s", *most, what))
		case least != nil && *least > 0:
			all = append(all, fmt.Sprintf("at least %d %s", *least, what))
		}
	}
	between(s.MinLength, s.MaxLength, "characters")
	between(s.MinItems, s.MaxItems, "items")
	between(nil, s.MaxProperties, "names")
	if s.UniqueItems {
		all = append(all, "each once")
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		all = append(all, fmt.Sprintf("%s to %s", s.Minimum, s.Maximum))
	case s.Minimum != nil && s.Minimum.String() != "0":
		all = append(all, fmt.Sprintf("from %s", s.Minimum))
	}
	if s.Pattern != "" {
		all = append(all, s.Pattern)
	}
	return strings.Join(all, ", ")
}
