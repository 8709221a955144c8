package mailbox

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Canonical writes a wholly loaded state in one readable form: live pages and the
// keys of each index, sorted. How the trees cut their blocks is left out. Two
// states that answer alike have the same form.
func (s *State) Canonical() string {
	var lines []string
	trees := map[string]bool{}
	for k, p := range s.Pages() {
		if k[0] == blockPage {
			trees[string(k[1:len(k)-5])] = true
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s", printable(string(k)), describe(p)))
	}
	whole := *s
	whole.whole = true
	t := whole.begin()
	for name := range trees {
		tr := t.tree(name)
		for i, key := range tr.Page(0, tr.Len()) {
			lines = append(lines, fmt.Sprintf("index %s %06d %s", printable(name), i, hex.EncodeToString(key)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// describe prints a page so that equal pages print alike: a nil slice as an empty one.
func describe(p Page) string {
	return strings.ReplaceAll(fmt.Sprintf("%+v", deref(p)), "<nil>", "[]")
}

func deref(p Page) any {
	switch p := p.(type) {
	case *Header:
		return *p
	case *Thread:
		return *p
	case *Roster:
		return *p
	case *Message:
		return *p
	case *Node:
		n := *p
		n.Messages = slices.Clone(n.Messages)
		slices.Sort(n.Messages)
		return n
	case *Remembered:
		return *p
	case *Blob:
		return *p
	case *Job:
		return *p
	case *Contact:
		return *p
	case *FolderTree:
		return *p
	}
	return p
}

func printable(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return s[:1] + ":" + hex.EncodeToString([]byte(s[1:]))
		}
	}
	return s
}
