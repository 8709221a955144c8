package parley

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"strings"
)

// IDBytes is the size of an id before it is written: 128 bits.
const IDBytes = 16

// Each id is a typed prefix and 26 lowercase base32 characters of 128 bits.
// Outside, ids are opaque.
type (
	AccountID string // acc_: owner of one mailbox
	ThreadID  string // thr_: a room (equal in every copy) or a mail thread (local)
	MessageID string // msg_: a room's message is equal in every copy
	BlobID    string // blb_: HMAC(server secret, account ‖ digest)
	FolderID  string // fld_ and lbl_ for one's own folders and labels; the fixed ones are named by their role
	TokenID   string // tok_: the public half of a bearer token
	PartID    string // par_: a participant of a room
)

// Prefixes of the typed ids.
const (
	AccountPrefix = "acc_"
	ThreadPrefix  = "thr_"
	MessagePrefix = "msg_"
	BlobPrefix    = "blb_"
	FolderPrefix  = "fld_"
	TokenPrefix   = "tok_"
	PartPrefix    = "par_"
)

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ErrBadID says that a text is not an id of the kind asked for.
var ErrBadID = errors.New("parley: not an id of this kind")

// FormatID writes 128 bits under a prefix.
func FormatID(prefix string, b [IDBytes]byte) string {
	return prefix + base32Lower.EncodeToString(b[:])
}

// ParseID reads what FormatID wrote. Only the canonical spelling is accepted,
// so that two texts never name one thing.
func ParseID(prefix, s string) ([IDBytes]byte, error) {
	var b [IDBytes]byte
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok || len(rest) != 26 {
		return b, ErrBadID
	}
	raw, err := base32Lower.DecodeString(rest)
	if err != nil || len(raw) != IDBytes {
		return b, ErrBadID
	}
	copy(b[:], raw)
	if FormatID(prefix, b) != s {
		return b, ErrBadID
	}
	return b, nil
}

// Valid reports whether the id is spelled canonically.
func (id AccountID) Valid() bool { _, err := ParseID(AccountPrefix, string(id)); return err == nil }
func (id ThreadID) Valid() bool  { _, err := ParseID(ThreadPrefix, string(id)); return err == nil }
func (id MessageID) Valid() bool { _, err := ParseID(MessagePrefix, string(id)); return err == nil }
func (id BlobID) Valid() bool    { _, err := ParseID(BlobPrefix, string(id)); return err == nil }
func (id TokenID) Valid() bool   { _, err := ParseID(TokenPrefix, string(id)); return err == nil }
func (id PartID) Valid() bool    { _, err := ParseID(PartPrefix, string(id)); return err == nil }

// Secret is the server's secret: at least 32 random bytes, shared by the nodes
// of a cluster and by a shadow cluster.
type Secret []byte

// Derive gives 128 bits that nobody without the secret can compute. label keeps
// uses apart; the parts are length-framed, so that no two lists collide.
func (s Secret) Derive(label string, parts ...string) [IDBytes]byte {
	mac := hmac.New(sha256.New, s)
	var n [8]byte
	for _, p := range append([]string{label}, parts...) {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		mac.Write(n[:])
		mac.Write([]byte(p))
	}
	var out [IDBytes]byte
	copy(out[:], mac.Sum(nil))
	return out
}

// CommandID names one command of one account for ever: HMAC(secret, account ‖ key).
// The zero value means a command without a key.
type CommandID [IDBytes]byte

// Command derives the id of a command from the account and its idempotency key.
func (s Secret) Command(account AccountID, key string) CommandID {
	return CommandID(s.Derive("command", string(account), key))
}

// IsZero reports whether there is no key.
func (c CommandID) IsZero() bool { return c == CommandID{} }

// What a command creates derives from the command, so that a repeat finds the
// same grain and the same message.

// Thread is the id of the room that command c creates.
func (s Secret) Thread(c CommandID) ThreadID {
	return ThreadID(FormatID(ThreadPrefix, s.Derive("thread", string(c[:]))))
}

// Message is the id of the message that command c creates in a place: a room, or
// an account's mailbox. A key that is used twice, in two places, makes two.
func (s Secret) Message(c CommandID, place string) MessageID {
	return MessageID(FormatID(MessagePrefix, s.Derive("message", string(c[:]), place)))
}

// Blob is the outside name of a blob for one account (design: named by digest
// inside, by HMAC outside).
func (s Secret) Blob(account AccountID, digest Digest) BlobID {
	return BlobID(FormatID(BlobPrefix, s.Derive("blob", string(account), string(digest[:]))))
}

// Digest is the SHA-256 of a blob's bytes, its name inside.
type Digest [sha256.Size]byte

// IsZero reports whether no blob is named.
func (d Digest) IsZero() bool { return d == Digest{} }

// RowKey spreads ids evenly over a table: the first 2 bytes of SHA-256(id), then the id.
func RowKey(id string) []byte {
	h := sha256.Sum256([]byte(id))
	return append([]byte{h[0], h[1]}, id...)
}

// Revision is an account's action number: from 1, contiguous, kept by move and rebuild.
type Revision uint64

// Seq is the place of an event in its room: from 1, contiguous.
type Seq uint64
