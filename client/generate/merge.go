package main

import (
	"encoding/json"
	"slices"

	"github.com/parley-im/parley/internal/openapi"
)

// flatten makes one object of a schema and its alternatives: Go has no sum
// types, and a reader of an answer wants to ask for a field without asking first
// which alternative came. What only some alternatives have may be absent.
func (p *plan) flatten(s *openapi.Schema) *openapi.Schema {
	s = p.doc.Deref(s)
	if s == nil {
		return new(openapi.Schema)
	}
	flat := &openapi.Schema{Description: s.Description, Required: slices.Clone(s.Required)}
	p.add(flat, s.Properties)
	for _, part := range s.AllOf {
		part = p.flatten(part)
		p.add(flat, part.Properties)
		flat.Required = append(flat.Required, part.Required...)
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		p.alternatives(flat, list)
	}
	return flat
}

// alternatives adds what any of them has, and requires what all of them require.
func (p *plan) alternatives(flat *openapi.Schema, list []*openapi.Schema) {
	var always []string
	for i, one := range list {
		one = p.flatten(one)
		p.add(flat, one.Properties)
		if i == 0 {
			always = slices.Clone(one.Required)
		}
		always = slices.DeleteFunc(always, func(name string) bool { return !one.Requires(name) })
	}
	flat.Required = append(flat.Required, always...)
}

func (p *plan) add(flat *openapi.Schema, properties openapi.Map[*openapi.Schema]) {
	for name, property := range properties.All() {
		if there := flat.Properties.At(name); there != nil {
			property = p.merge(there, property)
		}
		flat.Properties.Set(name, property)
	}
}

// merge is a schema that takes what either takes.
func (p *plan) merge(a, b *openapi.Schema) *openapi.Schema {
	if a.Ref != "" && a.Ref == b.Ref {
		return a
	}
	da, db := p.doc.Deref(a), p.doc.Deref(b)
	x, y := da.Strings(), db.Strings()
	switch {
	case len(x) > 0 && len(y) > 0:
		return union(da, append(x, y...))
	case da.Type.Main() == "object" && db.Type.Main() == "object":
		return &openapi.Schema{Type: openapi.Types{"object"}, Description: da.Description, AnyOf: []*openapi.Schema{a, b}}
	case da.Type.Main() == "array" && db.Type.Main() == "array" && da.Items != nil && db.Items != nil:
		return &openapi.Schema{Type: da.Type, Items: p.merge(da.Items, db.Items), Description: da.Description}
	case da.Type.Main() == db.Type.Main() && da.Type.Main() != "array":
		return &openapi.Schema{Type: da.Type, Format: da.Format, Description: da.Description}
	}
	return &openapi.Schema{Description: da.Description}
}

// union is an enumeration of texts, each once.
func union(of *openapi.Schema, texts []string) *openapi.Schema {
	s := &openapi.Schema{Type: openapi.Types{"string"}, Description: of.Description}
	for i, text := range texts {
		if slices.Index(texts, text) == i {
			value, _ := json.Marshal(text) // a text always can be
			s.Enum = append(s.Enum, value)
		}
	}
	return s
}
