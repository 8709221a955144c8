package client

import "strconv"

// Option changes one call.
type Option func(*request)

// Me is the token's own account, where an operation names one in its path.
const Me AccountID = "me"

// Key is the call's Idempotency-Key, for a program that repeats a write itself,
// perhaps after a restart. Without it each call has a key of its own.
func Key(key string) Option { return func(r *request) { r.key = key } }

// Unkeyed sends a write without an Idempotency-Key, where the operation can do
// without: then the server does not remember it, and it is not repeated when
// nobody knows whether it was done.
func Unkeyed() Option { return func(r *request) { r.keyed = false } }

// AtLeast has a read wait until the mailbox is at a revision, such as the one
// that a write answered.
func AtLeast(rev Revision) Option {
	return func(r *request) { r.wire().query("at_least")(strconv.FormatInt(int64(rev), 10)) }
}

// IfMatch makes a change only if the resource has this ETag.
func IfMatch(etag string) Option { return func(r *request) { r.ifMatch = etag } }

// As acts for another account than Config says; the token needs the scope admin.
func As(account AccountID) Option { return func(r *request) { r.account = account } }

// ContentType says what uploaded bytes are.
func ContentType(kind string) Option { return func(r *request) { r.kind = kind } }

// Size says how many bytes are uploaded, where the reader does not tell.
func Size(bytes int64) Option { return func(r *request) { r.size = bytes } }

// Keep stores what an answer says beside its body, also that of a refusal.
func Keep(into *Answer) Option { return func(r *request) { r.keep = into } }

// ByteRange is a Range of bytes, the last included; a negative last is the end.
func ByteRange(first, last int64) string {
	s := "bytes=" + strconv.FormatInt(first, 10) + "-"
	if last >= 0 {
		s += strconv.FormatInt(last, 10)
	}
	return s
}
