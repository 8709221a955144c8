package parley

import (
	"slices"
	"time"
)

// Scope is what a bearer token may do.
type Scope string

// The scopes of /v1.
const (
	ScopeRead   Scope = "read"
	ScopeWrite  Scope = "write"
	ScopeSend   Scope = "send"
	ScopeManage Scope = "manage" // settings, tokens and deletion of one's own account
	ScopeAdmin  Scope = "admin"  // all accounts
)

// Scopes are all that there are, from the least to the most.
var Scopes = [...]Scope{ScopeRead, ScopeWrite, ScopeSend, ScopeManage, ScopeAdmin}

// Valid reports whether there is such a scope.
func (s Scope) Valid() bool { return slices.Contains(Scopes[:], s) }

// Account owns one mailbox.
type Account struct {
	ID         AccountID
	Name       string
	Addresses  []string // the first is the primary one
	ExternalID string
	Zone       string // IANA zone; "" means UTC
	Locale     string // BCP 47; "" means en
	Quota      int64  // bytes; 0 means the server's default
	Metadata   map[string]string
	CreatedAt  time.Time
	Closed     bool   // closed accounts take no mail and no posts
	Version    uint64 // of the account row, for compare-and-set and If-Match
}

// Token is the public half of a bearer token.
type Token struct {
	ID        TokenID
	Name      string
	Scopes    []Scope
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	LastUsed  time.Time // to the hour; zero: never
}

// Identity is who a request speaks for, once a token or password was verified.
type Identity struct {
	Account AccountID
	Token   TokenID
	Scopes  []Scope
}

// May reports whether the identity has a scope; admin has all of them.
func (i Identity) May(s Scope) bool {
	return slices.Contains(i.Scopes, s) || slices.Contains(i.Scopes, ScopeAdmin)
}

// Command identifies one write: a key makes a repeat find its first answer.
// The zero value is a write without a key, which a repeat would do again.
type Command struct {
	ID    CommandID
	Body  Digest    // of the canonical request; another body under one key is KeyMismatch
	First time.Time // first attempt, stamped by the edge; what is older than KeyLife is refused
}

// KeyLife is how long an Idempotency-Key of /v1 is remembered.
const KeyLife = 7 * 24 * time.Hour

// UploadLife is how long an upload stays that no message takes.
const UploadLife = 7 * 24 * time.Hour

// UndoLife is how long a change of one's own copy can be undone.
const UndoLife = 7 * 24 * time.Hour

// MailKeyLife and MailKeyLifeWithoutID are how long the mail door remembers.
const (
	MailKeyLife          = 10 * 24 * time.Hour
	MailKeyLifeWithoutID = time.Hour
)
