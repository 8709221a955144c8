package gateway

import (
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// bound is how many names a list has.
type bound struct {
	least, most int
	what        string // in words, for who sent it
}

func (b bound) String() string {
	if b.least == 0 {
		return fmt.Sprintf("At most %d %s.", b.most, b.what)
	}
	return fmt.Sprintf("%d to %d %s.", b.least, b.most, b.what)
}

// names holds a list in a body to so many, each of which there can be and is there
// once. It stops at the first fault, since nobody is authenticated yet. no refuses
// what names nothing.
func names[ID comparable](t *edge.Texts, field string, list []ID, b bound, can func(ID) bool, no func(at string) error) {
	if len(list) < b.least || len(list) > b.most {
		t.Fail(edge.Bad(field, b.String()))
		return
	}
	seen := make(map[ID]bool, len(list))
	for i, id := range list {
		if !can(id) {
			t.Fail(no(place(field, i)))
			return
		}
		if seen[id] {
			t.Fail(edge.Bad(place(field, i), "It is there twice."))
			return
		}
		seen[id] = true
	}
}

// place is the path of a list's item.
func place(field string, i int) string { return fmt.Sprintf("%s.%d", field, i) }

// messageNames are ids of messages.
func messageNames(t *edge.Texts, field string, list []parley.MessageID, b bound) {
	names(t, field, list, b, parley.MessageID.Valid, func(at string) error { return noSuch(at, "message") })
}

// noSuch refuses an id in a body that names nothing.
func noSuch(field, what string) error {
	return &parley.Error{Code: parley.NotFound, Op: "gateway.request", Public: "There is no such " + what + ".", Field: field}
}

// unknownName refuses one of a list whose faults are all the sender's.
func unknownName(what string) func(string) error {
	return func(at string) error { return edge.Bad(at, "There is no such "+what+".") }
}
