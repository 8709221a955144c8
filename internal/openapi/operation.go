package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Path is the operations of a path.
type Path struct {
	Parameters []*Parameter
	Operations []*Operation
}

// UnmarshalJSON takes what is not the path's own for operations.
func (p *Path) UnmarshalJSON(text []byte) error {
	var all Map[json.RawMessage]
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for name, value := range all.All() {
		if name == "parameters" {
			if err := json.Unmarshal(value, &p.Parameters); err != nil {
				return err
			}
			continue
		}
		op := &Operation{Method: name}
		if err := json.Unmarshal(value, op); err != nil {
			return err
		}
		p.Operations = append(p.Operations, op)
	}
	return nil
}

// Operation is one request and its answers. Path and method are set, and the
// parameters of the path stand before its own.
type Operation struct {
	Path   string `json:"-"`
	Method string `json:"-"` // in lower case, as the document has it

	ID          string                `json:"operationId"`
	Tags        []string              `json:"tags"`
	Summary     string                `json:"summary"`
	Description string                `json:"description"`
	Security    []map[string][]string `json:"security"`
	Parameters  []*Parameter          `json:"parameters"`
	Body        *Body                 `json:"requestBody"`
	Responses   Map[*Response]        `json:"responses"`
}

// Scopes are those of which a caller needs one; none for an open operation.
func (o *Operation) Scopes() (scopes []string) {
	for _, s := range o.Security {
		scopes = append(scopes, s["bearer"]...)
	}
	return scopes
}

// Takes reports whether there is a parameter of that name.
func (o *Operation) Takes(name string) bool {
	return slices.ContainsFunc(o.Parameters, func(p *Parameter) bool { return p.Name == name })
}

// Parameter is part of the path, the query or the header.
type Parameter struct {
	Ref         string  `json:"$ref"`
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Required    bool    `json:"required"`
	Description string  `json:"description"`
	Schema      *Schema `json:"schema"`
}

func (p *Parameter) ref() string { return p.Ref }

// Body is what a request brings along.
type Body struct {
	Description string       `json:"description"`
	Required    bool         `json:"required"`
	Content     Map[Content] `json:"content"`
}

// Content is a body of one media type.
type Content struct {
	Schema   *Schema         `json:"schema"`
	Example  json.RawMessage `json:"example"`
	Examples Map[*Example]   `json:"examples"`
}

// Example is a value by name.
type Example struct {
	Ref     string          `json:"$ref"`
	Summary string          `json:"summary"`
	Value   json.RawMessage `json:"value"`
}

func (e *Example) ref() string { return e.Ref }

// Response is an answer.
type Response struct {
	Ref         string       `json:"$ref"`
	Description string       `json:"description"`
	Headers     Map[*Header] `json:"headers"`
	Content     Map[Content] `json:"content"`
}

func (r *Response) ref() string { return r.Ref }

// Header is one of an answer.
type Header struct {
	Ref         string          `json:"$ref"`
	Description string          `json:"description"`
	Schema      *Schema         `json:"schema"`
	Example     json.RawMessage `json:"example"`
}

func (h *Header) ref() string { return h.Ref }

// All lists the operations in the document's order.
func (d *Document) All() (all []*Operation) {
	for _, item := range d.Paths.All() {
		all = append(all, item.Operations...)
	}
	return all
}

func (d *Document) resolvePath(path string, item *Path) error {
	for _, op := range item.Operations {
		op.Path = path
		op.Parameters = append(slices.Clone(item.Parameters), op.Parameters...)
		if err := d.resolveOperation(op); err != nil {
			return fmt.Errorf("%s %s: %w", op.Method, path, err)
		}
	}
	return nil
}

func (d *Document) resolveOperation(op *Operation) error {
	for i := range op.Parameters {
		if err := resolve(d.Components.Parameters, "parameters", &op.Parameters[i]); err != nil {
			return err
		}
	}
	for status, r := range op.Responses.All() {
		if err := d.resolveResponse(&r); err != nil {
			return err
		}
		op.Responses.Set(status, r)
	}
	return nil
}

func (d *Document) resolveResponse(r **Response) error {
	if err := resolve(d.Components.Responses, "responses", r); err != nil {
		return err
	}
	for name, h := range (*r).Headers.All() {
		if err := resolve(d.Components.Headers, "headers", &h); err != nil {
			return err
		}
		(*r).Headers.Set(name, h)
	}
	for _, c := range (*r).Content.All() {
		for name, e := range c.Examples.All() {
			if err := resolve(d.Components.Examples, "examples", &e); err != nil {
				return err
			}
			c.Examples.Set(name, e)
		}
	}
	return nil
}
