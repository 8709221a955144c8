// Package filled makes values with every field filled, for tests of forms that
// must not forget a field. Values are drawn from a seeded source; what a field
// may hold beyond its Go type is told by Config.
package filled

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"
)

// Config says how to draw.
type Config struct {
	Rand *rand.Rand // required
	// Draw makes the values of some types.
	Draw map[reflect.Type]func(*rand.Rand) any
	// Empty names the slices, as "Type.Field", of which nil and empty mean
	// different things; elsewhere an empty slice is nil.
	Empty map[string]bool
	// Full fills every slice, pointer and time.
	Full bool
}

// Value draws a value of type T.
func Value[T any](c Config) T {
	var v T
	c.fill(reflect.ValueOf(&v).Elem(), "")
	return v
}

// Fill draws what the pointer points to.
func (c Config) Fill(pointer any) { c.fill(reflect.ValueOf(pointer).Elem(), "") }

func (c Config) fill(v reflect.Value, field string) {
	if draw := c.Draw[v.Type()]; draw != nil {
		v.Set(reflect.ValueOf(draw(c.Rand)).Convert(v.Type()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		c.fillStruct(v)
	case reflect.Pointer:
		if c.Full || c.Rand.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			c.fill(v.Elem(), "")
		}
	case reflect.Slice:
		c.fillSlice(v, field)
	case reflect.Array:
		for i := range v.Len() {
			c.fill(v.Index(i), "")
		}
	default:
		c.fillPlain(v)
	}
}

func (c Config) fillStruct(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		if c.Full || c.Rand.IntN(4) > 0 {
			v.Set(reflect.ValueOf(time.UnixMicro(c.Rand.Int64N(4e15) - 1e15).UTC()))
		}
		return
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() && !f.Anonymous {
			panic(fmt.Sprintf("filled: %s.%s cannot be set", v.Type(), f.Name))
		}
		c.fill(v.Field(i), v.Type().Name()+"."+f.Name)
	}
}

func (c Config) fillSlice(v reflect.Value, field string) {
	n := [...]int{0, 1, 3}[c.Rand.IntN(3)]
	if c.Full {
		n = max(n, 1)
	}
	if n == 0 && (!c.Empty[field] || c.Rand.IntN(2) == 0) {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		c.fill(v.Index(i), "")
	}
}

func (c Config) fillPlain(v reflect.Value) {
	bits := c.Rand.Uint64() >> c.Rand.UintN(64) // of any length
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
		v.SetString(c.text())
	default:
		panic(fmt.Sprintf("filled: no way to draw %s", v.Type()))
	}
}

// text is short, and not always UTF-8.
func (c Config) text() string {
	texts := [...]string{"", "a", "zürich", "\xff\xfe", "a longer text of several words", "0123456789abcdef", "x\x00"}
	i := c.Rand.IntN(len(texts))
	if c.Full {
		i = max(i, 1)
	}
	return texts[i]
}
