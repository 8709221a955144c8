package edge

import (
	"net/http"
	"strconv"

	"github.com/parley-im/parley"
)

// Reply is an answer on its way out.
type Reply struct {
	Status   int
	Header   http.Header // nil: none of its own
	Body     any         // written as JSON; nil: no body
	Revision parley.Revision
	Replayed bool

	// Write streams the answer instead of Body, after the headers above were
	// set. An error before the first byte becomes a problem.
	Write func(w http.ResponseWriter) error
}

// OK answers with a body.
func OK(body any) *Reply { return &Reply{Status: http.StatusOK, Body: body} }

// Created answers with what was made, and where it is ("" has no place of its own).
func Created(location string, body any) *Reply {
	r := &Reply{Status: http.StatusCreated, Body: body}
	if location != "" {
		r.Set("Location", location)
	}
	return r
}

// NoContent answers that it is done.
func NoContent() *Reply { return &Reply{Status: http.StatusNoContent} }

// Set sets a header.
func (r *Reply) Set(name, value string) *Reply {
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set(name, value)
	return r
}

// Tag sets the ETag: the quoted revision or version of the resource.
func (r *Reply) Tag(version uint64) *Reply {
	if version == 0 {
		return r
	}
	return r.Set("ETag", `"`+strconv.FormatUint(version, 10)+`"`)
}

// At says which revision the answer shows; 0 says nothing.
func (r *Reply) At(rev parley.Revision) *Reply {
	r.Revision = rev
	return r
}

// Repeat says whether this is the answer of an earlier request under the key.
func (r *Reply) Repeat(replayed bool) *Reply {
	r.Replayed = replayed
	return r
}
