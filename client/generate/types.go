package main

import (
	"fmt"
	"strings"

	"github.com/parley-im/parley/internal/openapi"
)

// raw is the type of what the generator makes nothing of.
const raw = "json.RawMessage"

// embeds declares the schemas that have a type of their own.
func (p *plan) embeds() {
	for name, goName := range embedded {
		if s := p.doc.Schema(name); s != nil {
			p.declare(goName, s, false, false)
		}
	}
}

// named declares a schema of the document, once, and answers its Go name.
func (p *plan) named(name string) string {
	goName := exported(name)
	if embedded[name] != "" || p.declared[goName] {
		return goName
	}
	p.declare(goName, p.doc.Schema(name), p.changes[name], p.changes[name] || p.requests[name])
	return goName
}

// declare writes down a type; change and request say where it is used.
func (p *plan) declare(goName string, s *openapi.Schema, change, request bool) {
	p.declared[goName] = true
	d := &decl{Name: goName, Doc: sentence(goName, s)}
	p.Decls = append(p.Decls, d)
	switch flat := p.flatten(s); {
	case flat.Properties.Len() > 0:
		p.fields(d, flat, change, request)
	case len(s.Strings()) > 0:
		d.Type, d.Values = "string", values(goName, s)
	default:
		d.Type = p.typeOf(&openapi.Schema{Type: s.Type, Format: s.Format, Ref: s.Ref, Items: s.Items, AdditionalProperties: s.AdditionalProperties}, goName, change, request)
	}
}

func sentence(goName string, s *openapi.Schema) string {
	switch {
	case s.Description == "" && len(s.Strings()) > 0:
		return goName + " is one of the values below."
	case s.Description == "":
		return goName + " is part of another type."
	}
	return goName + ": " + lower(s.Description)
}

func values(goName string, s *openapi.Schema) (all []value) {
	for _, text := range s.Strings() {
		all = append(all, value{goName + exported(text), text})
	}
	return all
}

func (p *plan) fields(d *decl, s *openapi.Schema, change, request bool) {
	for name, property := range s.Properties.All() {
		f := field{Name: exported(name), Doc: p.about(property)}
		f.Type = p.typeOf(property, strings.TrimSuffix(d.Name, "Fields")+f.Name, change, request)
		tag := name
		if !s.Requires(name) {
			tag += ",omitzero"
			if p.pointer(property, change, request) {
				f.Type = "*" + f.Type
			}
		}
		f.Tag = fmt.Sprintf("`json:%q`", tag)
		d.Fields = append(d.Fields, f)
	}
}

// about is the property's own description; that of its type is there.
func (p *plan) about(s *openapi.Schema) string {
	doc := s.Description
	if only := s.Strings(); len(only) == 1 && s.Const != nil {
		doc = strings.TrimSpace(doc + fmt.Sprintf(" Always %q.", only[0]))
	}
	return doc
}

// pointer reports whether a field that may be absent needs to tell absent from
// zero: a struct, any value of a change, and what has a default other than zero.
func (p *plan) pointer(s *openapi.Schema, change, request bool) bool {
	own := s
	s = p.doc.Deref(p.alone(s))
	if p.flatten(s).Properties.Len() > 0 {
		return true
	}
	switch s.Type.Main() {
	case "array", "object":
		return false // nil is absent, empty is empty
	case "boolean", "integer", "number", "string":
		fallback := strings.Trim(string(own.Default)+string(s.Default), `"`)
		odd := fallback != "" && fallback != "false" && fallback != "0"
		return change || request && odd && s.Type.Main() != "string"
	}
	return len(s.Strings()) > 0 && change
}

// alone is the alternative beside null.
func (p *plan) alone(s *openapi.Schema) *openapi.Schema {
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		var rest []*openapi.Schema
		for _, inner := range list {
			if len(inner.Type) != 1 || inner.Type[0] != "null" {
				rest = append(rest, inner)
			}
		}
		if len(rest) == 1 && len(list) == 2 {
			return rest[0]
		}
	}
	return s
}

// typeOf is the Go type of a schema; hint names it if it needs a declaration.
func (p *plan) typeOf(s *openapi.Schema, hint string, change, request bool) string {
	if s == nil {
		return raw
	}
	s = p.alone(s)
	if name := s.Name(); name != "" {
		return p.named(name)
	}
	if p.flatten(s).Properties.Len() > 0 || len(s.Enum) > 0 && len(s.Strings()) == len(s.Enum) {
		if !p.declared[hint] {
			p.declare(hint, s, change, request)
		}
		return hint
	}
	switch s.Type.Main() {
	case "string":
		if s.Format == "date-time" {
			return "time.Time"
		}
		return "string"
	case "integer":
		return "int64"
	case "number":
		return "float64"
	case "boolean":
		return "bool"
	case "array":
		return "[]" + p.typeOf(s.Items, strings.TrimSuffix(hint, "s"), change, request)
	case "object":
		if s.AdditionalProperties != nil {
			return "map[string]" + p.typeOf(s.AdditionalProperties, hint+"Value", change, request)
		}
		return raw
	}
	return p.choice(s, hint, change, request)
}

// choice is the type of alternatives that are no objects: that of the first if
// all are texts.
func (p *plan) choice(s *openapi.Schema, hint string, change, request bool) string {
	if s.Const != nil && len(s.Strings()) == 1 {
		return "string"
	}
	all := append(append([]*openapi.Schema{}, s.OneOf...), s.AnyOf...)
	for _, inner := range all {
		d := p.doc.Deref(inner)
		if d.Type.Main() != "string" && len(d.Strings()) == 0 {
			return raw
		}
	}
	if len(all) == 0 {
		return raw
	}
	return p.typeOf(all[0], hint, change, request)
}
