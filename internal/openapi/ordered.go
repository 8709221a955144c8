package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
)

// Map is a JSON object that keeps its order.
type Map[T any] struct {
	names  []string
	values map[string]T
}

// UnmarshalJSON reads an object member by member.
func (m *Map[T]) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("an object is wanted, not %v (%w)", open, err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value T
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		m.Set(name.(string), value)
	}
	return nil
}

// Set changes a member, or adds one at the end.
func (m *Map[T]) Set(name string, value T) {
	if m.values == nil {
		m.values = map[string]T{}
	}
	if _, there := m.values[name]; !there {
		m.names = append(m.names, name)
	}
	m.values[name] = value
}

// At is a member, or the zero value.
func (m Map[T]) At(name string) T { return m.values[name] }

// Has reports whether there is such a member.
func (m Map[T]) Has(name string) bool {
	_, there := m.values[name]
	return there
}

// Len is how many members there are.
func (m Map[T]) Len() int { return len(m.names) }

// All walks the members in order.
func (m Map[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range m.names {
			if !yield(name, m.values[name]) {
				return
			}
		}
	}
}
