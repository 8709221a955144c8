package config

import (
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
)

// Example is a file with every setting at its default and what it is for. It is
// made from the struct, so that no setting is forgotten.
func Example() string {
	var b strings.Builder
	b.WriteString("# A configuration of parley. Every setting is shown with its default;\n")
	b.WriteString("# parley check-config FILE says what is wrong with a file.\n")
	c := Default()
	c.Data = "/var/lib/parley"
	writeTable(&b, "", reflect.ValueOf(c))
	return b.String()
}

// writeTable writes the settings of a struct, then its tables, as TOML wants it.
func writeTable(b *strings.Builder, name string, v reflect.Value) {
	var tables []reflect.StructField
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Type.Kind() == reflect.Struct {
			tables = append(tables, f)
			continue
		}
		fmt.Fprintf(b, "\n# %s\n%s = %s\n", f.Tag.Get("doc"), f.Tag.Get("toml"), literal(v.FieldByIndex(f.Index)))
	}
	for _, f := range tables {
		path := f.Tag.Get("toml")
		if name != "" {
			path = name + "." + path
		}
		fmt.Fprintf(b, "\n# %s\n[%s]\n", f.Tag.Get("doc"), path)
		writeTable(b, path, v.FieldByIndex(f.Index))
	}
}

// literal is a value as TOML writes it.
func literal(v reflect.Value) string {
	switch t := v.Interface().(type) {
	case slog.Level:
		return strconv.Quote(strings.ToLower(t.String()))
	case fmt.Stringer:
		return strconv.Quote(t.String())
	}
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = literal(v.Index(i))
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		return fmt.Sprint(v.Interface())
	}
}
