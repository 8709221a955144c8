package openapi

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Schema is what a value looks like (JSON Schema 2020-12, the part in use).
type Schema struct {
	Ref         string            `json:"$ref"`
	Type        Types             `json:"type"`
	Format      string            `json:"format"`
	Description string            `json:"description"`
	Enum        []json.RawMessage `json:"enum"`
	Const       json.RawMessage   `json:"const"`
	Default     json.RawMessage   `json:"default"`
	Examples    []json.RawMessage `json:"examples"`

	Required             []string     `json:"required"`
	Properties           Map[*Schema] `json:"properties"`
	AdditionalProperties *Schema      `json:"additionalProperties"`
	MaxProperties        *int64       `json:"maxProperties"`

	Items       *Schema `json:"items"`
	MinItems    *int64  `json:"minItems"`
	MaxItems    *int64  `json:"maxItems"`
	UniqueItems bool    `json:"uniqueItems"`

	Minimum   *json.Number `json:"minimum"`
	Maximum   *json.Number `json:"maximum"`
	MinLength *int64       `json:"minLength"`
	MaxLength *int64       `json:"maxLength"`
	Pattern   string       `json:"pattern"`

	OneOf []*Schema `json:"oneOf"`
	AnyOf []*Schema `json:"anyOf"`
	AllOf []*Schema `json:"allOf"`

	// Never is the schema false, which nothing fits.
	Never bool `json:"-"`
}

// UnmarshalJSON takes the schemas true and false too.
func (s *Schema) UnmarshalJSON(text []byte) error {
	switch string(bytes.TrimSpace(text)) {
	case "true":
		return nil
	case "false":
		s.Never = true
		return nil
	}
	type plain Schema
	return json.Unmarshal(text, (*plain)(s))
}

// Name is the name of the schema that a reference leads to.
func (s *Schema) Name() string { return refName(s.Ref, "schemas") }

// Requires reports whether a property must be there.
func (s *Schema) Requires(property string) bool { return slices.Contains(s.Required, property) }

// Strings are the values of an enumeration, or of a constant.
func (s *Schema) Strings() (values []string) {
	all := s.Enum
	if s.Const != nil {
		all = append(all, s.Const)
	}
	for _, v := range all {
		var text string
		if json.Unmarshal(v, &text) == nil {
			values = append(values, text)
		}
	}
	return values
}

// Types are the types of a value: one, or several.
type Types []string

// UnmarshalJSON takes a name or a list of them.
func (t *Types) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = Types{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// Main is the type beside null.
func (t Types) Main() string {
	for _, name := range t {
		if name != "null" {
			return name
		}
	}
	return ""
}

// Nullable reports whether null is a value too.
func (t Types) Nullable() bool { return slices.Contains(t, "null") }
