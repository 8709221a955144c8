package edge

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// Sanitizer is a body that knows its texts.
type Sanitizer interface{ Sanitize(*Texts) }

// maxParameter is in bytes; cursors and addresses are shorter.
const maxParameter = 1024

// Sanitize makes texts fit to be shown and stored, or refuses them: query
// parameters here, bodies by their own Sanitize.
func Sanitize() Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		var t Texts
		for name, values := range c.Query {
			for i := range values {
				t.parameter(name, values[i])
			}
		}
		for i := range c.params {
			t.parameter("", c.params[i])
		}
		if body, ok := c.body.(Sanitizer); ok {
			body.Sanitize(&t)
		}
		if t.err != nil {
			return nil, t.err
		}
		return next(ctx, c)
	}
}

// Texts checks the texts of one request. The first fault is the answer.
type Texts struct{ err error }

// Fail refuses a field for a reason of the body's own.
func (t *Texts) Fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Text is a text of several lines. Line ends become \n; other control characters
// (NUL, escape sequences for terminals) are refused.
func (t *Texts) Text(field string, s *string, maxBytes int) {
	if len(*s) > maxBytes {
		t.Fail(&parley.Error{Code: parley.TooLarge, Op: "gateway.sanitize", Public: fmt.Sprintf("At most %d bytes.", maxBytes), Field: field})
		return
	}
	if strings.Contains(*s, "\r\n") {
		*s = strings.ReplaceAll(*s, "\r\n", "\n")
	}
	t.clean(field, *s, "\n\t")
}

// Line is a text of one line: a name, a subject, an address. Space around it goes.
func (t *Texts) Line(field string, s *string, maxChars int) {
	*s = strings.TrimSpace(*s)
	if utf8.RuneCountInString(*s) > maxChars {
		t.Fail(Bad(field, fmt.Sprintf("At most %d characters.", maxChars)))
		return
	}
	t.clean(field, *s, "")
}

func (t *Texts) parameter(name, value string) {
	if len(value) > maxParameter {
		t.Fail(Bad(name, fmt.Sprintf("At most %d bytes.", maxParameter)))
		return
	}
	t.clean(name, value, "")
}

func (t *Texts) clean(field, s, allowed string) {
	if !utf8.ValidString(s) {
		t.Fail(Bad(field, "The text is not UTF-8."))
		return
	}
	for _, r := range s {
		if unicode.IsControl(r) && !strings.ContainsRune(allowed, r) {
			t.Fail(Bad(field, fmt.Sprintf("The control character U+%04X is not taken.", r)))
			return
		}
	}
}
