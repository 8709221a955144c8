package main

import (
	"github.com/parley-im/parley/internal/openapi"
)

// plan is what the templates print.
type plan struct {
	doc        *openapi.Document
	Decls      []*decl
	Operations []*operation

	declared map[string]bool // schemas and inline types that have their declaration
	changes  map[string]bool // schemas of PATCH bodies: what is absent stays
	requests map[string]bool // schemas of other bodies
}

// decl is one type.
type decl struct {
	Name, Doc string
	Type      string // of what is no struct
	Fields    []field
	Values    []value
}

// field is one of a struct.
type field struct {
	Name, Type, Tag, Doc string
}

// value is one of an enumeration.
type value struct {
	Name, Text string
}

// embedded are schemas that package client embeds in a type of its own, which
// has the schema's name.
var embedded = map[string]string{"Problem": "ProblemFields"}

func newPlan(d *openapi.Document) *plan {
	p := &plan{doc: d, declared: map[string]bool{}, changes: map[string]bool{}, requests: map[string]bool{}}
	for _, op := range d.All() {
		if op.Body == nil {
			continue
		}
		into := p.requests
		if op.Method == "patch" {
			into = p.changes
		}
		p.reach(op.Body.Content.At(jsonType).Schema, into)
	}
	return p
}

// reach notes all schemas that a body leads to.
func (p *plan) reach(s *openapi.Schema, into map[string]bool) {
	if s == nil {
		return
	}
	if name := s.Name(); name != "" {
		if !into[name] {
			into[name] = true
			p.reach(p.doc.Schema(name), into)
		}
		return
	}
	for _, inner := range s.Properties.All() {
		p.reach(inner, into)
	}
	p.reach(s.Items, p.requests) // also of a change: a list takes the place of what was there
	for _, list := range [][]*openapi.Schema{{s.AdditionalProperties}, s.OneOf, s.AnyOf, s.AllOf} {
		for _, inner := range list {
			p.reach(inner, into)
		}
	}
}

// unreferenced declares the schemas that no other and no operation names: they
// are the content of streams.
func (p *plan) unreferenced() {
	named := map[string]bool{}
	for _, s := range p.doc.Components.Schemas.All() {
		p.reach(&openapi.Schema{AllOf: []*openapi.Schema{s}}, named)
	}
	for _, op := range p.doc.All() {
		for _, r := range op.Responses.All() {
			for _, c := range r.Content.All() {
				p.reach(c.Schema, named)
			}
		}
		for _, param := range op.Parameters {
			p.reach(param.Schema, named)
		}
		if op.Body != nil {
			for _, c := range op.Body.Content.All() {
				p.reach(c.Schema, named)
			}
		}
	}
	for name := range p.doc.Components.Schemas.All() {
		if !named[name] {
			p.named(name)
		}
	}
}
