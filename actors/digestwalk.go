package actors

import (
	"reflect"

	"github.com/parley-im/parley"
)

// noNames are the digests in actions, events and pages that name no blob, as type
// and field. Whatever is not listed here counts as a name, so that a kind that is
// new keeps its blobs before anybody thinks of it.
var noNames = map[string]bool{
	"mailbox.Memory.Body":     true, // binds a key to its request
	"mailbox.Remembered.Body": true,
	"mailbox.Message.Content": true, // tells doubles from others
	"mailbox.Undoing.By":      true, // names a command
	"thread.Event.Body":       true,
	"thread.Key.Body":         true,
}

var digestType = reflect.TypeFor[parley.Digest]()

// digestWalk finds the digests in a value, whatever its type.
type digestWalk struct {
	holds map[reflect.Type]bool // whether values of a type may hold any
}

func newDigestWalk() *digestWalk { return &digestWalk{holds: map[reflect.Type]bool{}} }

// digests gives those in v that name blobs, zero ones included.
func (w *digestWalk) digests(v any, found func(parley.Digest)) { w.value(reflect.ValueOf(v), found) }

func (w *digestWalk) value(v reflect.Value, found func(parley.Digest)) {
	if !v.IsValid() || !w.may(v.Type()) {
		return
	}
	if v.Type() == digestType {
		found(digestOf(v))
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		w.value(v.Elem(), found)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.value(v.Index(i), found)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			w.value(it.Key(), found)
			w.value(it.Value(), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !noNames[v.Type().String()+"."+v.Type().Field(i).Name] {
				w.value(v.Field(i), found)
			}
		}
	}
}

// digestOf also reads fields that are not exported.
func digestOf(v reflect.Value) (d parley.Digest) {
	for i := range d {
		d[i] = byte(v.Index(i).Uint())
	}
	return d
}

// may reports whether a value of a type may hold a digest. A type that holds itself
// counts as one that does.
func (w *digestWalk) may(t reflect.Type) bool {
	if known, ok := w.holds[t]; ok {
		return known
	}
	w.holds[t] = true
	w.holds[t] = w.look(t)
	return w.holds[t]
}

func (w *digestWalk) look(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice:
		return w.may(t.Elem())
	case reflect.Array:
		return t == digestType || w.may(t.Elem())
	case reflect.Map:
		return w.may(t.Key()) || w.may(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if w.may(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
