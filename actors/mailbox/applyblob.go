package mailbox

import (
	"bytes"
	"time"

	"github.com/parley-im/parley"
)

// A blob's name is that of its bytes, so several messages may have it, and an
// upload of the same bytes. Its page names the message that opens it; the others
// wait in a tree of its own until that one is purged.

func (t *tx) blob(id parley.BlobID) *Blob {
	b, _ := t.get(blobKey(id)).(*Blob)
	return b
}

// upload makes a blob the account's, whatever messages have it, until it lapses.
func (t *tx) upload(u *Uploaded) {
	b := u.Blob
	if have := t.blob(u.ID); have != nil {
		b.Message = have.Message
		t.unlist(u.ID, have)
	}
	t.put(blobKey(u.ID), &b)
	t.tree(uploadTree).Insert(b.age(u.ID))
	t.lapse()
}

// lapse drops a few uploads whose time is over: more than come in.
func (t *tx) lapse() {
	for _, key := range t.tree(uploadTree).Ascend(nil, true, forgetAtOnce) {
		if bytes.Compare(key[:8], oldest(t.now-parley.UploadLife.Microseconds())) > 0 {
			return
		}
		t.dropUpload(parley.BlobID(parley.FormatID(parley.BlobPrefix, [16]byte(key[8:]))))
	}
}

// dropUpload ends an upload. Messages that have the same bytes keep them.
func (t *tx) dropUpload(id parley.BlobID) {
	have := t.blob(id)
	if have == nil || !have.uploaded() {
		return
	}
	t.unlist(id, have)
	if have.Message == "" {
		t.put(blobKey(id), nil)
		return
	}
	t.put(blobKey(id), &Blob{Message: have.Message})
}

func (t *tx) unlist(id parley.BlobID, b *Blob) {
	if b.uploaded() {
		t.tree(uploadTree).Delete(b.age(id))
	}
}

// hold lets message m open a blob. An upload ends with its first use: purging
// the message is to reach its attachments.
func (t *tx) hold(id parley.BlobID, m parley.MessageID) {
	b, have := Blob{Message: m}, t.blob(id)
	if have != nil {
		t.unlist(id, have)
	}
	if have != nil && have.Message != "" && have.Message != m {
		b.Message = have.Message
		t.tree(holderTree(id)).Insert(rawID(parley.MessagePrefix, string(m)))
	}
	t.put(blobKey(id), &b)
}

// release takes a blob from message m, which is purged.
func (t *tx) release(id parley.BlobID, m parley.MessageID) {
	have := t.blob(id)
	if have == nil {
		return
	}
	others := t.tree(holderTree(id))
	if have.Message != m {
		others.Delete(rawID(parley.MessagePrefix, string(m)))
		return
	}
	b := *have
	b.Message = ""
	for _, key := range others.Ascend(nil, false, 1) {
		b.Message = messageIDOf(key)
		others.Delete(key)
	}
	if b.Message == "" && !b.uploaded() {
		t.put(blobKey(id), nil)
		return
	}
	t.put(blobKey(id), &b)
}

// uploaded reports whether the blob is the account's without any message.
func (b *Blob) uploaded() bool { return !b.Digest.IsZero() }

// Lapsed reports whether an upload's time is over. Then nothing opens or names it,
// whether or not it is dropped yet.
func (b *Blob) Lapsed(now time.Time) bool {
	return b.uploaded() && b.At+parley.UploadLife.Microseconds() <= now.UnixMicro()
}

// age is the upload's key among all.
func (b *Blob) age(id parley.BlobID) []byte {
	return append(oldest(b.At), rawID(parley.BlobPrefix, string(id))...)
}
