package gateway

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// user is a request of somebody known; with has a JSON body as well.
type (
	user        = edge.Authenticated[*edge.Call]
	with[B any] = edge.Authenticated[edge.With[B]]
	scopes      = []parley.Scope
)

// list is a page of anything.
type list[T any] struct {
	Data     []T             `json:"data"`
	Next     *string         `json:"next"` // null at the end
	Prev     *string         `json:"prev"`
	Total    *int64          `json:"total,omitempty"`
	Revision parley.Revision `json:"revision,omitempty"`
}

// listing answers with a page.
func listing[T, S any](l parley.Listing[T], shape func(T) S) *edge.Reply {
	return edge.OK(pageOf(l, shape)).At(l.Revision)
}

// counted answers with a page of a list that may know how long it is.
func counted[T, S any](l parley.Listing[T], shape func(T) S) *edge.Reply {
	page := pageOf(l, shape)
	if l.Total >= 0 {
		page.Total = &l.Total
	}
	return edge.OK(page).At(l.Revision)
}

func pageOf[T, S any](l parley.Listing[T], shape func(T) S) list[S] {
	return list[S]{Data: each(l.Items, shape), Next: cursor(l.Next), Prev: cursor(l.Prev), Revision: l.Revision}
}

// whole answers with all there is.
func whole[T, S any](items []T, rev parley.Revision, shape func(T) S) *edge.Reply {
	return listing(parley.Listing[T]{Items: items, Revision: rev}, shape)
}

// each is never nil, so that an empty list is [] in JSON.
func each[T, S any](items []T, shape func(T) S) []S {
	shapes := make([]S, len(items))
	for i := range items {
		shapes[i] = shape(items[i])
	}
	return shapes
}

func same[T any](t T) T { return t }

func cursor(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// reading are the parameters of a read that waits, paging those of a list.
var (
	reading = []string{"at_least"}
	paging  = []string{"after", "before", "limit"}
)
