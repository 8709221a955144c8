package strict

import (
	"encoding/json"
	"reflect"
	"strings"
)

// shape is what the walk needs of a type. nil takes anything.
type shape struct {
	fields map[string]*shape // of a struct; nil for the others
	elem   *shape            // of a slice or a map
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func shapeOf(t reflect.Type) *shape {
	if t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Slice, reflect.Array, reflect.Map:
		return &shape{elem: shapeOf(t.Elem())}
	case reflect.Struct:
		return &shape{fields: fieldsOf(t)}
	}
	return nil
}

// fieldsOf names the members exactly as they are written, those of embedded
// structs included.
func fieldsOf(t reflect.Type) map[string]*shape {
	fields := map[string]*shape{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || name == "-" {
			continue
		}
		fields[name] = shapeOf(f.Type)
	}
	return fields
}
