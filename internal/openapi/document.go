// Package openapi reads an OpenAPI 3.1 document as far as parley's own goes, for
// what is made from it: the Go client and the page that people read.
//
// It keeps the order of the document, since that is the order in which its
// author tells it, and resolves references inside it. Whether the document is
// right is not asked here; the tests of package gateway hold it to its schema.
package openapi

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Document is the whole of it.
type Document struct {
	Info       Info       `json:"info"`
	Servers    []Server   `json:"servers"`
	Tags       []Tag      `json:"tags"`
	Paths      Map[*Path] `json:"paths"`
	Components Components `json:"components"`
}

// Info says what the interface is.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
}

// Server is where the paths begin.
type Server struct {
	URL string `json:"url"`
}

// Tag names a group of operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Components are what references lead to.
type Components struct {
	Schemas    Map[*Schema]    `json:"schemas"`
	Parameters Map[*Parameter] `json:"parameters"`
	Headers    Map[*Header]    `json:"headers"`
	Responses  Map[*Response]  `json:"responses"`
	Examples   Map[*Example]   `json:"examples"`
}

// Parse reads a document and resolves what its operations refer to.
func Parse(text []byte) (*Document, error) {
	d := new(Document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	for path, item := range d.Paths.All() {
		if err := d.resolvePath(path, item); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Prefix is what stands before every path.
func (d *Document) Prefix() string {
	if len(d.Servers) == 0 {
		return ""
	}
	return d.Servers[0].URL
}

// Schema is the one of a name, or nil.
func (d *Document) Schema(name string) *Schema { return d.Components.Schemas.At(name) }

// Deref follows a schema's reference.
func (d *Document) Deref(s *Schema) *Schema {
	for s != nil && s.Ref != "" {
		s = d.Schema(s.Name())
	}
	return s
}

// refName is the name of a component, "" for another reference.
func refName(ref, kind string) string {
	name, ok := strings.CutPrefix(ref, "#/components/"+kind+"/")
	if !ok {
		return ""
	}
	return name
}

// lead is a component that may be a reference to another.
type lead[T any] interface {
	comparable
	ref() string
	*T
}

// resolve puts the component in the place of the reference to it.
func resolve[T any, P lead[T]](all Map[P], kind string, p *P) error {
	ref := (*p).ref()
	if ref == "" {
		return nil
	}
	found := all.At(refName(ref, kind))
	if found == nil {
		return fmt.Errorf("openapi: %s leads nowhere", ref)
	}
	*p = found
	return nil
}
