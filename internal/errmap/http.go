package errmap

import (
	"errors"
	"time"
)

// HTTP is what a /v1 problem says of err, which is not nil: the status, the code
// for programs, the sentence for people, the request field at fault if one is,
// and how long to wait before another attempt (0: unsaid). 429 and 503 always
// name a wait.
func HTTP(err error) (status int, code, public, field string, retryAfter time.Duration) {
	row, public, field := describe(err)
	return row.status, row.problem, public, field, wait(err, row.retry)
}

// JMAP is the type and description of a method error or a SetError. An edge
// that needs a property names it itself.
func JMAP(err error) (kind, description string) {
	row, public, _ := describe(err)
	return row.jmap, public
}

// wait prefers what the error itself says, such as a limit that knows when the
// next token is due; internal/limit makes such errors.
func wait(err error, otherwise time.Duration) time.Duration {
	var later interface{ RetryAfter() time.Duration }
	if errors.As(err, &later) && later.RetryAfter() > 0 {
		return later.RetryAfter()
	}
	return otherwise
}
