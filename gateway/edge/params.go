package edge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-im/parley"
)

const maxKey = 255

// parseKey reads Idempotency-Key.
func parseKey(c *Call) error {
	const field = "Idempotency-Key"
	if c.Route.Key == NoKey {
		return nil
	}
	values := c.HTTP.Header.Values(field)
	if len(values) == 0 {
		if c.Route.Key == MustKey {
			return Bad(field, "This request needs an Idempotency-Key.")
		}
		return nil
	}
	if len(values) > 1 || values[0] == "" || len(values[0]) > maxKey {
		return Bad(field, fmt.Sprintf("One key of 1 to %d characters.", maxKey))
	}
	for _, b := range []byte(values[0]) {
		if b < 0x21 || b > 0x7e {
			return Bad(field, "A key is made of visible ASCII characters.")
		}
	}
	c.Key = values[0]
	return nil
}

// parseIfMatch reads If-Match. A condition must not be overlooked (RFC 9110
// 13.1.1), so a route that cannot test it refuses it.
func parseIfMatch(c *Call) error {
	const field = "If-Match"
	value := strings.TrimSpace(strings.Join(c.HTTP.Header.Values(field), ","))
	if value == "" || c.safe() {
		return nil
	}
	if !c.Route.IfMatch {
		return Bad(field, "If-Match is not taken here.")
	}
	if value == "*" {
		return nil
	}
	tag, ok := strings.CutPrefix(value, `"`)
	tag, closed := strings.CutSuffix(tag, `"`)
	if weak := strings.HasPrefix(value, "W/"); !weak && (!ok || !closed || strings.Contains(tag, `"`)) {
		return Bad(field, "One quoted ETag, or *.")
	}
	version, err := strconv.ParseUint(tag, 10, 64)
	if err != nil || version == 0 {
		// A tag that was never handed out, or a weak one, which never matches here.
		return parley.E(parley.Stale, "gateway.parse", "")
	}
	c.IfMatch = version
	return nil
}

// ID reads an id from the path. Ids are opaque: a malformed one names nothing.
func ID[T interface {
	~string
	Valid() bool
}](c *Call, name string) (T, error) {
	id := T(c.Param(name))
	if !id.Valid() {
		return "", parley.E(parley.NotFound, "gateway.route", "There is no such "+name+".")
	}
	return id, nil
}

// AtLeast reads the revision to wait for; 0 waits for none.
func (c *Call) AtLeast() (parley.Revision, error) {
	const field = "at_least"
	if !c.Query.Has(field) {
		return 0, nil
	}
	n, err := strconv.ParseUint(c.Query.Get(field), 10, 64)
	if err != nil || n == 0 {
		return 0, Bad(field, "A revision is a number from 1.")
	}
	return parley.Revision(n), nil
}

// maxCursor is longer than any cursor that a list hands out.
const maxCursor = 512

// maxNumber is beyond the pages of any list.
const maxNumber = 1 << 30

// Page reads limit, and after, before or page.
func (c *Call) Page() (parley.Page, error) {
	p := parley.Page{Limit: parley.DefaultPage, After: c.Query.Get("after"), Before: c.Query.Get("before")}
	if c.Query.Has("limit") {
		n, err := strconv.Atoi(c.Query.Get("limit"))
		if err != nil || n < 1 || n > parley.MaxPage {
			return p, Bad("limit", fmt.Sprintf("limit goes from 1 to %d.", parley.MaxPage))
		}
		p.Limit = n
	}
	if c.Query.Has("after") && c.Query.Has("before") {
		return p, Bad("before", "Either after or before.")
	}
	for _, field := range []string{"after", "before"} {
		if v := c.Query.Get(field); c.Query.Has(field) && (v == "" || len(v) > maxCursor) {
			return p, &parley.Error{Code: parley.BadCursor, Op: "gateway.parse", Field: field}
		}
	}
	if c.Query.Has("page") {
		n, err := strconv.Atoi(c.Query.Get("page"))
		if err != nil || n < 1 || n > maxNumber {
			return p, Bad("page", "Pages are numbered from 1.")
		}
		if c.Query.Has("after") || c.Query.Has("before") {
			return p, Bad("page", "Either page, or after or before.")
		}
		p.Number = n
	}
	if p.Before == "end" {
		p.Before, p.End = "", true
	}
	return p, nil
}
