package reference

import (
	"html/template"
	"slices"
	"strings"

	"github.com/parley-im/parley/internal/openapi"
)

// view is what the template shows.
type view struct {
	doc     *openapi.Document
	Style   template.CSS
	Info    openapi.Info
	Prefix  string
	Groups  []group
	Schemas []schema
	Codes   []code
	Headers []row
}

// About are the paragraphs of the introduction.
func (v *view) About() []string { return strings.Split(v.Info.Description, "\n\n") }

// group is the operations of a tag.
type group struct {
	Name, About string
	Operations  []operation
}

// operation is one entry.
type operation struct {
	ID, Method, Path string
	Summary, About   string
	Scopes           []string
	Parameters       []row
	Body             *body
	Answers          []answer
	Refusals         []refusal
	Curl             string
}

// row is a parameter, a header or a property.
type row struct {
	Name, In, About string
	Type            typeText
	Required        bool
}

// body is what a request or an answer carries.
type body struct {
	Media   string
	Type    typeText
	Example string
}

// answer is one that did what was asked.
type answer struct {
	Status, About string
	Headers       []string
	Body          *body
}

// refusal is a status with the codes that it may have here.
type refusal struct {
	Status string
	Codes  []string
}

// code is a problem's code.
type code struct {
	Name, Status, About string
}

func (v *view) fill() {
	for _, tag := range v.doc.Tags {
		g := group{Name: tag.Name, About: tag.Description}
		for _, op := range v.doc.All() {
			if slices.Contains(op.Tags, tag.Name) {
				g.Operations = append(g.Operations, v.operation(op))
			}
		}
		v.Groups = append(v.Groups, g)
	}
	for name, s := range v.doc.Components.Schemas.All() {
		v.Schemas = append(v.Schemas, v.schema(name, s))
	}
	for name, h := range v.doc.Components.Headers.All() {
		v.Headers = append(v.Headers, row{Name: name, About: h.Description, Type: v.typeOf(h.Schema)})
	}
	v.codes()
}

func (v *view) operation(op *openapi.Operation) operation {
	o := operation{
		ID: op.ID, Method: strings.ToUpper(op.Method), Path: v.Prefix + op.Path, Summary: op.Summary, About: op.Description,
		Scopes: op.Scopes(), Curl: shell(curl(v.doc, op)),
	}
	for _, p := range op.Parameters {
		o.Parameters = append(o.Parameters, row{Name: p.Name, In: p.In, About: p.Description, Type: v.typeOf(p.Schema), Required: p.Required})
	}
	if op.Body != nil {
		o.Body = v.body(op.Body.Content)
	}
	for status, r := range op.Responses.All() {
		if status >= "4" {
			o.Refusals = append(o.Refusals, refusalOf(status, r))
			continue
		}
		a := answer{Status: status, About: r.Description, Body: v.body(r.Content)}
		for name := range r.Headers.All() {
			a.Headers = append(a.Headers, name)
		}
		o.Answers = append(o.Answers, a)
	}
	return o
}

func refusalOf(status string, r *openapi.Response) refusal {
	f := refusal{Status: status}
	for _, c := range r.Content.All() {
		for name := range c.Examples.All() {
			f.Codes = append(f.Codes, name)
		}
	}
	return f
}

// body shows the first media type; there is one in all of the document.
func (v *view) body(content openapi.Map[openapi.Content]) *body {
	for media, c := range content.All() {
		return &body{Media: media, Type: v.typeOf(c.Schema), Example: pretty(v.example(c))}
	}
	return nil
}
