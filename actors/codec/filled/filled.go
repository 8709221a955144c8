// Package filled makes values with every field filled, for tests of forms that
// must not forget a field.
//
// A field is drawn from the seed and its own place, so that a field which is
// added or removed changes no other, and golden files stay as they are.
package filled

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"time"
)

// Config says how to draw.
type Config struct {
	Seed uint64
	// Draw makes the values of types that hold less than their Go type can.
	Draw map[reflect.Type]func(*rand.Rand) any
	// Empty names the slices, as "Type.Field", of which nil and empty mean
	// different things; elsewhere an empty slice is nil.
	Empty map[string]bool
	// Full fills every slice, pointer, time and number. Else some are left empty.
	Full bool
}

// Value draws a value of type T.
func Value[T any](c Config) T {
	var v T
	c.Fill(&v)
	return v
}

// Fill draws what the pointer points to.
func (c Config) Fill(pointer any) {
	v := reflect.ValueOf(pointer).Elem()
	c.fill(v, v.Type().String(), "")
}

// fill draws for a place; field is its name within the struct around it.
func (c Config) fill(v reflect.Value, place, field string) {
	r := c.at(place)
	if draw := c.Draw[v.Type()]; draw != nil {
		v.Set(reflect.ValueOf(draw(r)).Convert(v.Type()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		c.fillStruct(r, v, place)
	case reflect.Pointer:
		if c.Full || r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			c.fill(v.Elem(), place+"*", "")
		}
	case reflect.Slice:
		c.makeSlice(r, v, field)
		c.fillAll(v, place)
	case reflect.Array:
		c.fillAll(v, place)
	default:
		c.fillPlain(r, v)
	}
}

// at is the source of randomness of one place.
func (c Config) at(place string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(place)) // never fails
	return rand.New(rand.NewPCG(c.Seed, h.Sum64()))
}

func (c Config) fillStruct(r *rand.Rand, v reflect.Value, place string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		if c.Full || r.IntN(4) > 0 {
			v.Set(reflect.ValueOf(time.UnixMicro(r.Int64N(4e15) - 1e15).UTC()))
		}
		return
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() && !f.Anonymous {
			panic(fmt.Sprintf("filled: %s.%s cannot be set", v.Type(), f.Name))
		}
		c.fill(v.Field(i), place+"."+f.Name, v.Type().Name()+"."+f.Name)
	}
}

func (c Config) makeSlice(r *rand.Rand, v reflect.Value, field string) {
	n := [...]int{0, 1, 3}[r.IntN(3)]
	if c.Full {
		n = max(n, 1)
	}
	if n > 0 || c.Empty[field] && r.IntN(2) == 0 {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
}

func (c Config) fillAll(v reflect.Value, place string) {
	for i := range v.Len() {
		c.fill(v.Index(i), fmt.Sprintf("%s[%d]", place, i), "")
	}
}

func (c Config) fillPlain(r *rand.Rand, v reflect.Value) {
	bits := r.Uint64() >> r.UintN(64) // of any length
	if c.Full {
		bits |= 1
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(c.Full || bits&1 == 1)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(bits))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(bits & (1<<v.Type().Bits() - 1))
	case reflect.String:
		v.SetString(c.text(r))
	default:
		panic(fmt.Sprintf("filled: no way to draw %s", v.Type()))
	}
}

// text is short, and not always UTF-8.
func (c Config) text(r *rand.Rand) string {
	texts := [...]string{"", "a", "zürich", "\xff\xfe", "a longer text of several words", "0123456789abcdef", "x\x00"}
	i := r.IntN(len(texts))
	if c.Full {
		i = max(i, 1)
	}
	return texts[i]
}
