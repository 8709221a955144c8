package parley

import (
	"errors"
	"fmt"
)

// Code says what a caller can do about a failure. The zero value is Internal, so that an
// unclassified error never looks like the caller's fault and never bounces mail.
type Code uint8

// The codes. internal/errmap maps each to every edge, once.
const (
	Internal            Code = iota
	Unavailable              // try again later; may or may not have happened
	Behind                   // the copy has not reached the revision asked for
	BadJSON                  // not JSON, or of the wrong shape
	UnknownField             // a field that the request does not have
	BadCursor                // a page cursor that was not handed out
	BadRequest               // a value out of its range; Field names it
	Unauthenticated          // no credentials or wrong ones
	NotPermitted             // known, but not allowed
	Blocked                  // the other side does not take this
	NotFound                 // unknown, or not shown to this caller
	ParticipantsChanged      // someone was added since the author looked
	AlreadySent              // a draft or scheduled post that has gone
	KeyInProgress            // a command under this key is running
	Conflict                 // a name or address that is taken
	Gone                     // purged
	Resync                   // older than the retention of events
	Stale                    // If-Match does not hold
	TooLarge                 // more bytes than are taken
	BadAddress               // an address that cannot be used so
	BccInRoom                // a room has no blind copies
	KeyMismatch              // the key was used with another body
	NoConsent                // no recorded consent for a first text
	NumbersExhausted         // no number left in the pool
	TooManyRecipients        // more recipients than are taken at once
	Suppressed               // the address does not want mail from here
	RateLimited              // too many requests
	OverQuota                // the mailbox is full
	DiskFull                 // the server has no space
	NoRecipient              // no such mailbox here (mail edges)
	BadContent               // the message itself cannot be taken (554 5.6.0)
	MethodNotAllowed         // the resource does not have this method
	Expired                  // the first attempt is older than the key's promise
	Poisoned                 // the mailbox is read-only until an operator looks
	NotUndoable              // a revision that is not a change of one's own copy
	AlreadyUndone            // what was undone before
	NotADraft                // a room's post, put into Drafts
	NumCodes
)

// Error is the one error type inside; each edge maps it once.
type Error struct {
	Code   Code
	Op     string        // "mailbox.deliver"
	Public string        // what a stranger may read
	Field  string        // the request field at fault, if any
	Err    error         // the cause, for the log only
	Roster *RosterChange // of ParticipantsChanged
}

func (e *Error) Error() string {
	switch {
	case e.Err != nil && e.Public != "":
		return fmt.Sprintf("%s: %s: %v", e.Op, e.Public, e.Err)
	case e.Err != nil:
		return fmt.Sprintf("%s: %v", e.Op, e.Err)
	default:
		return fmt.Sprintf("%s: %s", e.Op, e.Public)
	}
}

func (e *Error) Unwrap() error { return e.Err }

// E makes an error that a stranger may read.
func E(code Code, op, public string) *Error { return &Error{Code: code, Op: op, Public: public} }

// Wrap classifies a cause. A cause that already carries a code keeps it.
func Wrap(code Code, op string, err error) error {
	if err == nil {
		return nil
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		return fmt.Errorf("%s: %w", op, err)
	}
	return &Error{Code: code, Op: op, Err: err}
}

// CodeOf finds the code of an error; Internal when it has none.
func CodeOf(err error) Code {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// PublicOf finds the text that a stranger may read, and the field at fault.
func PublicOf(err error) (public, field string) {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Public, e.Field
	}
	return "", ""
}
