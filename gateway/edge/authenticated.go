package edge

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
)

// Authenticated is a request whose sender is known. Only Auth makes one, so a
// service that takes it cannot stand behind a chain without Auth: that does not
// compile (see testdata/compose in package gateway).
type Authenticated[Req any] struct {
	parley.Identity
	Req   Req
	Still func(context.Context) error // asks again, for requests that live long
}

// MayOne reports whether the identity has one of the scopes.
func MayOne(i parley.Identity, scopes []parley.Scope) bool {
	return slices.ContainsFunc(scopes, i.May)
}
