package strict

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/parley-im/parley"
)

// walk goes once over text that is known to be JSON, beside its shape.
type walk struct {
	data []byte
	pos  int
	path []string
}

func (w *walk) value(s *shape, depth int) error {
	if depth > MaxDepth {
		return w.refuse(parley.BadJSON, fmt.Sprintf("Nested deeper than %d.", MaxDepth))
	}
	switch w.peek() {
	case '{':
		return w.object(s, depth)
	case '[':
		return w.array(s, depth)
	case '"':
		_, err := w.text()
		return err
	case 'n':
		return w.refuse(parley.BadJSON, "null is not taken; leave the field out.")
	}
	for w.pos < len(w.data) && !strings.ContainsRune(",]} \t\r\n", rune(w.data[w.pos])) {
		w.pos++ // a number, true or false
	}
	return nil
}

func (w *walk) object(s *shape, depth int) error {
	seen := map[string]bool{}
	w.pos++ // {
	for w.peek() != '}' {
		name, err := w.text()
		if err != nil {
			return err
		}
		w.path = append(w.path, name)
		inner, err := w.member(s, name, seen)
		if err != nil {
			return err
		}
		w.peek()
		w.pos++ // :
		if err := w.value(inner, depth+1); err != nil {
			return err
		}
		w.next()
	}
	w.pos++ // }
	return nil
}

// member finds the shape of one member of an object.
func (w *walk) member(s *shape, name string, seen map[string]bool) (*shape, error) {
	if seen[name] {
		return nil, w.refuse(parley.BadJSON, "The field is there twice.")
	}
	seen[name] = true
	if s == nil || s.fields == nil {
		return s.element(), nil
	}
	inner, ok := s.fields[name]
	if !ok {
		return nil, w.refuse(parley.UnknownField, "There is no such field.")
	}
	return inner, nil
}

func (w *walk) array(s *shape, depth int) error {
	w.pos++ // [
	for n := 0; w.peek() != ']'; n++ {
		w.path = append(w.path, strconv.Itoa(n))
		if err := w.value(s.element(), depth+1); err != nil {
			return err
		}
		w.next()
	}
	w.pos++ // ]
	return nil
}

func (s *shape) element() *shape {
	if s == nil {
		return nil
	}
	return s.elem
}

// next leaves an element: its path, and the comma if there is one.
func (w *walk) next() {
	w.path = w.path[:len(w.path)-1]
	if w.peek() == ',' {
		w.pos++
	}
}

// peek skips white space and shows the next byte.
func (w *walk) peek() byte {
	for w.pos < len(w.data) {
		switch c := w.data[w.pos]; c {
		case ' ', '\t', '\r', '\n':
			w.pos++
		default:
			return c
		}
	}
	return 0
}

// text reads a string. One without escapes is taken as it stands.
func (w *walk) text() (string, error) {
	w.peek()
	start, escaped := w.pos, false
	for w.pos++; w.data[w.pos] != '"'; w.pos++ {
		if w.data[w.pos] == '\\' {
			escaped = true
			w.pos++
		}
	}
	w.pos++
	raw := w.data[start:w.pos]
	if !escaped {
		return string(raw[1 : len(raw)-1]), nil
	}
	if loneSurrogate(raw) {
		return "", w.refuse(parley.BadJSON, "An escape names half a character.")
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err
}

// loneSurrogate finds \uD800 to \uDFFF that is no pair: RFC 8259 section 8.2
// calls what readers make of it unpredictable.
func loneSurrogate(raw []byte) bool {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		r := hex4(raw, i+1)
		i += 4
		if !utf16.IsSurrogate(r) {
			continue
		}
		if i+2 >= len(raw) || raw[i+1] != '\\' || raw[i+2] != 'u' || utf16.DecodeRune(r, hex4(raw, i+3)) == '\uFFFD' {
			return true
		}
		i += 6
	}
	return false
}

func hex4(raw []byte, at int) rune {
	if at+4 > len(raw) {
		return 0
	}
	n, _ := strconv.ParseUint(string(raw[at:at+4]), 16, 32)
	return rune(n)
}

func (w *walk) refuse(code parley.Code, public string) error {
	return refuse(code, strings.Join(w.path, "."), public)
}
