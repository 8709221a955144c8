// Package strict reads JSON from strangers: one value of a known shape, in
// UTF-8, without members that the shape does not have, without a member said
// twice, without null, and not nested without end.
//
// It promises that what it takes means one thing to every reader (RFC 8259
// section 4 leaves repeated names open, encoding/json ignores case and replaces
// bad text), and that every refusal carries a parley.Code and the path of the
// field at fault. What values mean is left to the caller.
package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/parley-im/parley"
)

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 32

const op = "gateway.parse"

// Decoder reads values of T.
type Decoder[T any] struct{ shape *shape }

// For looks at T once. T is built of structs, slices, string maps, pointers and
// plain values; it does not contain itself.
func For[T any]() Decoder[T] { return Decoder[T]{shape: shapeOf(reflect.TypeFor[T]())} }

// Decode reads one value.
func (d Decoder[T]) Decode(data []byte) (*T, error) {
	if !utf8.Valid(data) {
		return nil, refuse(parley.BadJSON, "", "The body is not UTF-8.")
	}
	if !json.Valid(data) {
		return nil, refuse(parley.BadJSON, "", syntax(data))
	}
	if err := (&walk{data: data}).value(d.shape, 0); err != nil {
		return nil, err
	}
	value := new(T)
	if err := json.Unmarshal(data, value); err != nil {
		return nil, mistyped(err)
	}
	return value, nil
}

// syntax says where the text stops being JSON, trailing data included.
func syntax(data []byte) string {
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	if at := (*json.SyntaxError)(nil); errors.As(err, &at) {
		return fmt.Sprintf("The body is not JSON: %v at byte %d.", at, at.Offset)
	}
	return "The body is not JSON."
}

func mistyped(err error) error {
	if at := (*json.UnmarshalTypeError)(nil); errors.As(err, &at) {
		return refuse(parley.BadJSON, at.Field, fmt.Sprintf("A %s does not belong here.", at.Value))
	}
	return &parley.Error{Code: parley.BadJSON, Op: op, Err: err}
}

func refuse(code parley.Code, field, public string) error {
	return &parley.Error{Code: code, Op: op, Public: public, Field: field}
}
