package parley

import (
	"context"
	"crypto/rand"
)

// RequestPrefix begins the id of a request.
const RequestPrefix = "req_"

// NewRequest is the id of one request at an edge: 128 random bits. The logs of the
// edge and of the grains that it reached name it.
func NewRequest() string {
	var b [IDBytes]byte
	_, _ = rand.Read(b[:]) // never fails
	return FormatID(RequestPrefix, b)
}

type requestKey struct{}

// WithRequest carries the id of a request to what works for it.
func WithRequest(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestOf is the id that ctx carries, "" if none.
func RequestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
