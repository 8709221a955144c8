package codec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// show prints what is not zero, a line for each field.
func show(v any) string {
	var b strings.Builder
	write(&b, "", reflect.ValueOf(v))
	return b.String()
}

func write(b *strings.Builder, name string, v reflect.Value) {
	if at, ok := v.Interface().(time.Time); ok && !at.IsZero() {
		fmt.Fprintf(b, "  %s %s\n", name, at.Format(time.RFC3339Nano))
		return
	}
	bytes := v.Kind() == reflect.Slice || v.Kind() == reflect.Array
	switch {
	case v.IsZero():
	case v.Kind() == reflect.Pointer && v.Elem().Kind() != reflect.Struct:
		write(b, name, v.Elem())
	case v.Kind() == reflect.Pointer && v.Elem().NumField() == 0:
		fmt.Fprintf(b, "  %s {}\n", name)
	case v.Kind() == reflect.Pointer:
		write(b, name, v.Elem())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			write(b, strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), v.Field(i))
		}
	case bytes && v.Type().Elem().Kind() == reflect.Uint8:
		fmt.Fprintf(b, "  %s %x\n", name, v.Interface())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			write(b, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case v.Kind() == reflect.String:
		fmt.Fprintf(b, "  %s %q\n", name, v.Interface())
	default:
		fmt.Fprintf(b, "  %s %v\n", name, v.Interface())
	}
}

// dump writes bytes as lines of hex.
func dump(b []byte) string {
	var out strings.Builder
	for line := range slices.Chunk(b, 32) {
		fmt.Fprintf(&out, "  = %x\n", line)
	}
	if len(b) == 0 {
		out.WriteString("  = \n")
	}
	return out.String()
}

// firstChange shows where two texts part.
func firstChange(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d: got  %q\nwant %q", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return fmt.Sprintf("the golden file goes on after line %d", len(g))
}
