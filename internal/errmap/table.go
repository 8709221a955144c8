package errmap

import (
	"time"

	"github.com/emersion/go-smtp"

	"github.com/parley-im/parley"
)

// edge is how one code leaves the server.
type edge struct {
	status   int               // HTTP
	problem  string            // code of the /v1 problem, also a metric label
	reply    int               // SMTP and LMTP
	enhanced smtp.EnhancedCode // RFC 3463
	jmap     string            // RFC 8620 3.6.2 and 5.3, RFC 8621 7.5
	retry    time.Duration     // Retry-After when the error names none; 0 sends none
	public   string            // read when Error.Public is empty
}

// ours is the reply to faults of this server: try again (RFC 5321 4.2.4), since
// only a permanent reply makes the sender give up. What no mail can cause has it
// too, for then the fault is here.
const ours = 451

var (
	internal    = smtp.EnhancedCode{4, 3, 0}
	notNow      = smtp.EnhancedCode{4, 3, 2}
	mailboxFull = smtp.EnhancedCode{4, 2, 2}
	systemFull  = smtp.EnhancedCode{4, 3, 1}
	policy      = smtp.EnhancedCode{5, 7, 1}
	noMailbox   = smtp.EnhancedCode{5, 1, 1}
)

var edges = [parley.NumCodes]edge{
	parley.Internal:            {500, "internal", ours, internal, "serverFail", 0, "Something went wrong on this server."},
	parley.Unavailable:         {503, "unavailable", ours, notNow, "serverUnavailable", 2 * time.Second, "This cannot be answered right now. Try again."},
	parley.Behind:              {503, "behind", ours, notNow, "serverUnavailable", time.Second, "The mailbox has not reached this revision yet."},
	parley.BadJSON:             {400, "bad_json", ours, internal, "invalidArguments", 0, "The body is not the JSON expected here."},
	parley.UnknownField:        {400, "unknown_field", ours, internal, "invalidArguments", 0, "The request has a field that is not known here."},
	parley.BadCursor:           {400, "bad_cursor", ours, internal, "anchorNotFound", 0, "This cursor was not given out for this list."},
	parley.BadRequest:          {400, "bad_request", ours, internal, "invalidArguments", 0, "A value is not one that is taken here."},
	parley.Unauthenticated:     {401, "unauthenticated", 535, smtp.EnhancedCode{5, 7, 8}, "forbidden", 0, "Credentials are missing or wrong."},
	parley.NotPermitted:        {403, "not_permitted", 550, policy, "forbidden", 0, "This is not permitted."},
	parley.Blocked:             {403, "blocked", 550, policy, "forbidden", 0, "The other side does not take this."},
	parley.NotFound:            {404, "not_found", 550, noMailbox, "notFound", 0, "There is nothing here by this name."},
	parley.ParticipantsChanged: {409, "participants_changed", ours, internal, "stateMismatch", 0, "Someone was added since you looked."},
	parley.AlreadySent:         {409, "already_sent", ours, internal, "cannotUnsend", 0, "This has been sent."},
	parley.KeyInProgress:       {409, "key_in_progress", ours, notNow, "serverUnavailable", time.Second, "A request with this key is still running."},
	parley.Conflict:            {409, "conflict", ours, internal, "alreadyExists", 0, "This is taken."},
	parley.Gone:                {410, "gone", 550, noMailbox, "notFound", 0, "This was removed for good."},
	parley.Resync:              {410, "resync", ours, internal, "cannotCalculateChanges", 0, "These events are no longer kept. Read the lists again."},
	parley.Stale:               {412, "stale", ours, internal, "stateMismatch", 0, "This has changed since you read it."},
	parley.TooLarge:            {413, "too_large", 552, smtp.EnhancedCode{5, 3, 4}, "tooLarge", 0, "This is larger than is taken here."},
	parley.BadAddress:          {422, "bad_address", 553, smtp.EnhancedCode{5, 1, 3}, "invalidRecipients", 0, "This address cannot be used here."},
	parley.BccInRoom:           {422, "bcc_in_room", 550, policy, "invalidRecipients", 0, "A room has no blind copies."},
	parley.KeyMismatch:         {422, "key_mismatch", ours, internal, "invalidArguments", 0, "This key was used for another request."},
	parley.NoConsent:           {422, "no_consent", 550, policy, "forbiddenToSend", 0, "There is no consent to text this number."},
	parley.NumbersExhausted:    {422, "numbers_exhausted", ours, notNow, "forbiddenToSend", 0, "No phone number is left for this."},
	parley.TooManyRecipients:   {422, "too_many_recipients", 452, smtp.EnhancedCode{4, 5, 3}, "tooManyRecipients", 0, "These are too many recipients at once."},
	parley.Suppressed:          {422, "suppressed", 550, policy, "forbiddenToSend", 0, "This address does not want mail from here."},
	parley.RateLimited:         {429, "rate_limited", 450, smtp.EnhancedCode{4, 7, 1}, "rateLimit", 10 * time.Second, "Too many requests. Try again later."},
	parley.OverQuota:           {507, "over_quota", 452, mailboxFull, "overQuota", 0, "The mailbox is full."},
	parley.DiskFull:            {507, "disk_full", 452, systemFull, "serverUnavailable", 0, "The server has no space left."},
	parley.NoRecipient:         {422, "no_recipient", 550, noMailbox, "invalidRecipients", 0, "There is no such mailbox here."},
	parley.BadContent:          {422, "bad_content", 554, smtp.EnhancedCode{5, 6, 0}, "invalidEmail", 0, "This message cannot be taken."},
	parley.MethodNotAllowed:    {405, "method_not_allowed", ours, internal, "unknownMethod", 0, "This resource does not have this method."},
	parley.Expired:             {409, "expired", ours, smtp.EnhancedCode{4, 4, 7}, "invalidArguments", 0, "The first attempt of this request is too long ago."},
	parley.Poisoned:            {503, "read_only", ours, smtp.EnhancedCode{4, 2, 1}, "accountReadOnly", 10 * time.Minute, "The mailbox is read-only until an operator has looked at it."},
	parley.NotUndoable:         {409, "not_undoable", ours, internal, "cannotUnsend", 0, "This cannot be undone."},
	parley.AlreadyUndone:       {409, "already_undone", ours, internal, "cannotUnsend", 0, "This was undone already."},
	parley.NotADraft:           {422, "not_a_draft", ours, internal, "invalidArguments", 0, "What was posted in a room is no draft."},
}
