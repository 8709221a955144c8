// Package errmap maps each parley.Code to every edge, once: HTTP and the /v1
// problem code, SMTP and LMTP replies, JMAP error types, and what passes between
// grains.
//
// It promises that a code without a row fails a test, that a fault of ours is
// never permanent in SMTP (a bounce cannot be taken back), and that a stranger
// reads only Error.Public or the fixed sentence of the code. Logging the cause
// is the edge's own work.
package errmap

import (
	"context"
	"errors"
	"os"
	"syscall"

	"github.com/emersion/go-smtp"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// Of finds the code of an error. A code that someone chose stands; Internal, the
// zero value, means that nobody did, and the cause may still say more.
func Of(err error) parley.Code {
	if code := parley.CodeOf(err); code != parley.Internal && code < parley.NumCodes {
		return code
	}
	return ofCause(err)
}

func ofCause(err error) parley.Code {
	switch {
	// Before ErrNoSpace, which promises that nothing was written.
	case persistence.Ambiguous(err):
		return parley.Unavailable
	case errors.Is(err, persistence.ErrNoSpace), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return parley.DiskFull
	// A later activation owns the row; the next attempt finds it.
	case errors.Is(err, persistence.ErrCheckFailed):
		return parley.Unavailable
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, os.ErrDeadlineExceeded):
		return parley.Unavailable
	case errors.Is(err, smtp.ErrDataTooLarge): // what go-smtp's DATA reader returns
		return parley.TooLarge
	}
	return parley.Internal
}

// Label names an outcome for a metric: "ok", or the problem code of the error.
func Label(err error) string {
	if err == nil {
		return "ok"
	}
	return edges[Of(err)].problem
}

// describe is what a stranger may read of err.
func describe(err error) (row edge, public, field string) {
	row = edges[Of(err)]
	public, field = parley.PublicOf(err)
	if public == "" {
		public = row.public
	}
	return row, public, field
}
