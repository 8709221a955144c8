package mailbox

import "github.com/parley-im/parley"

// A blob's name is that of its bytes, so several messages may have it, and an
// upload of the same bytes. Its page names the message that opens it; the others
// wait in a tree of its own until that one is purged.

func (t *tx) blob(id parley.BlobID) *Blob {
	b, _ := t.get(blobKey(id)).(*Blob)
	return b
}

// upload makes a blob the account's, whatever messages have it.
func (t *tx) upload(u *Uploaded) {
	b := u.Blob
	if have := t.blob(u.ID); have != nil {
		b.Message = have.Message
	}
	t.put(blobKey(u.ID), &b)
}

// hold lets message m open a blob. An upload ends with its first use: purging
// the message is to reach its attachments.
func (t *tx) hold(id parley.BlobID, m parley.MessageID) {
	b := Blob{Message: m}
	if have := t.blob(id); have != nil && have.Message != "" && have.Message != m {
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
