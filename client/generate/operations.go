package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-im/parley/internal/openapi"
)

const jsonType = "application/json"

// operation is one method of the client.
type operation struct {
	Name, ID, Doc   string
	Method, Path    string
	Arguments       []argument // of the path
	Body, Content   string     // the type of a JSON body; the media type of bytes
	Params          []param    // what Params has
	Keyed, Open     bool
	Answer          string   // the type that comes back; "" for none
	Kind            string   // json, choice, none, bytes, events
	Choices         []choice // by status, when there are several
	ListOf, AllName string   // of a list with pages
}

// argument fills a part of the path.
type argument struct {
	Name, Type string
}

// param is one of the query or the header.
type param struct {
	field
	Wire, In, How string // How: text, texts, flag, number or figure
}

// choice is one of several answers.
type choice struct {
	Status, Field, Type string
}

// shared are the parameters that options and Config set.
var shared = map[string]bool{"Parley-Account": true, "Idempotency-Key": true, "If-Match": true, "at_least": true}

func (p *plan) operations() {
	for _, op := range p.doc.All() {
		p.Operations = append(p.Operations, p.operation(op))
	}
}

func (p *plan) operation(op *openapi.Operation) *operation {
	o := &operation{
		Name: exported(op.ID), ID: op.ID, Method: strings.ToUpper(op.Method), Path: op.Path,
		Keyed: op.Takes("Idempotency-Key"), Open: len(op.Scopes()) == 0,
	}
	o.Doc = fmt.Sprintf("%s is %s %s: %s.", o.Name, o.Method, o.Path, lower(strings.TrimSuffix(op.Summary, ".")))
	if op.Description != "" {
		o.Doc += " " + op.Description
	}
	for _, prm := range op.Parameters {
		p.parameter(o, prm)
	}
	p.body(o, op)
	p.answer(o, op)
	p.pages(o, op)
	return o
}

func (p *plan) parameter(o *operation, prm *openapi.Parameter) {
	if prm.In == "path" {
		o.Arguments = append(o.Arguments, argument{private(prm.Name), p.typeOf(prm.Schema, o.Name+exported(prm.Name), false, false)})
		return
	}
	if shared[prm.Name] {
		return
	}
	x := param{Wire: prm.Name, In: prm.In, How: "text"}
	x.Name, x.Doc = exported(prm.Name), prm.Description
	x.Type = p.typeOf(prm.Schema, o.Name+x.Name, false, false)
	switch s := p.doc.Deref(prm.Schema); s.Type.Main() {
	case "boolean":
		x.Type, x.How = "*bool", "flag"
	case "integer":
		x.How = "number"
		if s.Minimum == nil || s.Minimum.String() == "0" {
			x.Type, x.How = "*"+x.Type, "figure"
		}
	case "array":
		x.How = "texts"
	}
	o.Params = append(o.Params, x)
}

func (p *plan) body(o *operation, op *openapi.Operation) {
	if op.Body == nil {
		return
	}
	for media, c := range op.Body.Content.All() {
		if media == jsonType {
			o.Body, o.Content = p.typeOf(c.Schema, o.Name+"Body", op.Method == "patch", true), ""
			if !op.Body.Required {
				o.Body = "*" + o.Body
			}
			return
		}
		if o.Content = media; op.Body.Content.Len() > 1 {
			o.Content = "*/*"
		}
	}
}

func (p *plan) answer(o *operation, op *openapi.Operation) {
	o.Kind = "none"
	types := map[string]bool{}
	for status, r := range op.Responses.All() {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		for media, c := range r.Content.All() {
			switch media {
			case jsonType:
				x := choice{Status: status, Type: p.typeOf(c.Schema, o.Name+"Answer"+status, false, false)}
				x.Field = strings.TrimPrefix(x.Type, "json.")
				o.Kind, o.Choices = "json", append(o.Choices, x)
				types[x.Type] = true
			case "text/event-stream":
				o.Kind = "events"
			default:
				o.Kind = "bytes"
			}
		}
	}
	switch {
	case o.Kind == "json" && len(types) > 1:
		o.Kind, o.Answer = "choice", o.Name+"Answer"
	case o.Kind == "json":
		o.Answer = o.Choices[0].Type
	case o.Method == "HEAD":
		o.Kind = "bytes"
	}
}

// pages finds what a list is of, if it has a next page.
func (p *plan) pages(o *operation, op *openapi.Operation) {
	if o.Kind != "json" || !op.Takes("after") {
		return
	}
	list := p.flatten(op.Responses.At("200").Content.At(jsonType).Schema)
	data := p.doc.Deref(list.Properties.At("data"))
	if data == nil || data.Items == nil || !list.Properties.Has("next") {
		return
	}
	o.ListOf = p.typeOf(data.Items, o.Name+"Item", false, false)
	o.AllName = "All" + strings.TrimPrefix(o.Name, "List")
}

// Uses reports whether a parameter is written in this way.
func (p *plan) Uses(how string) bool {
	return slices.ContainsFunc(p.Operations, func(o *operation) bool {
		return slices.ContainsFunc(o.Params, func(x param) bool { return x.How == how })
	})
}

// Signature are the arguments between ctx and the options.
func (o *operation) Signature() string {
	var b strings.Builder
	for _, a := range o.Arguments {
		fmt.Fprintf(&b, ", %s %s", a.Name, a.Type)
	}
	if o.Body != "" {
		fmt.Fprintf(&b, ", body %s", o.Body)
	}
	if o.Content != "" {
		b.WriteString(", content io.Reader")
	}
	if len(o.Params) > 0 {
		fmt.Fprintf(&b, ", params %sParams", o.Name)
	}
	return b.String()
}

// Pass are the same arguments in a call.
func (o *operation) Pass() string {
	var b strings.Builder
	for _, a := range o.Arguments {
		b.WriteString(", " + a.Name)
	}
	if len(o.Params) > 0 {
		b.WriteString(", params")
	}
	return b.String()
}

// Request is the literal that says what is sent.
func (o *operation) Request() string {
	var b strings.Builder
	path := fmt.Sprintf("%q", o.Path)
	if len(o.Arguments) > 0 {
		path = fmt.Sprintf("fill(%q", o.Path)
		for _, a := range o.Arguments {
			path += ", string(" + a.Name + ")"
		}
		path += ")"
	}
	fmt.Fprintf(&b, "&request{op: %q, method: %q, path: %s", o.ID, o.Method, path)
	for _, part := range []struct {
		have bool
		text string
	}{
		{o.Keyed, "keyed: true"}, {o.Open, "open: true"}, {o.Body != "", "body: body"},
		{o.Content != "", fmt.Sprintf("content: content, kind: %q", o.Content)}, {len(o.Params) > 0, "params: params.wire()"},
	} {
		if part.have {
			b.WriteString(", " + part.text)
		}
	}
	return b.String() + "}"
}
