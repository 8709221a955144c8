package gateway

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

const (
	maxText        = 1 << 20
	maxAttachments = 100
	maxMentions    = 100
)

// post is a message for a room.
type post struct {
	Text          string           `json:"text"`
	Attachments   []parley.BlobID  `json:"attachments"`
	ReplyTo       parley.MessageID `json:"reply_to"`
	Mentions      []parley.PartID  `json:"mentions"`
	RosterVersion *parley.Seq      `json:"roster_version"`
}

// Sanitize holds the fields to what a post may have.
func (b *post) Sanitize(t *edge.Texts) {
	content(t, "", &b.Text, b.Attachments)
	if b.ReplyTo != "" && !b.ReplyTo.Valid() {
		t.Fail(noSuch("reply_to", "message"))
	}
	mentions(t, b.Mentions)
	if b.RosterVersion != nil && *b.RosterVersion == 0 {
		t.Fail(badRoster())
	}
}

func badRoster() error { return edge.Bad("roster_version", "A roster version is a number from 1.") }

// mentions are participants, each once.
func mentions(t *edge.Texts, list []parley.PartID) {
	names(t, "mentions", list, bound{0, maxMentions, "mentions"}, parley.PartID.Valid, func(at string) error { return noSuch(at, "participant") })
}

func (b *post) post() parley.Post {
	return parley.Post{Text: b.Text, Attachments: b.Attachments, ReplyTo: b.ReplyTo, Mentions: b.Mentions, RosterVersion: value(b.RosterVersion)}
}

// content is what every post has: a text, or attachments, or both. at is the
// path of the post, with the dot.
func content(t *edge.Texts, at string, text *string, attachments []parley.BlobID) {
	t.Text(at+"text", text, maxText)
	if *text == "" && len(attachments) == 0 {
		t.Fail(edge.Bad(at+"text", "A text or an attachment."))
	}
	attachmentNames(t, at, attachments)
}

// attachmentNames are blobs, each once.
func attachmentNames(t *edge.Texts, at string, attachments []parley.BlobID) {
	names(t, at+"attachments", attachments, bound{0, maxAttachments, "attachments"}, parley.BlobID.Valid, func(at string) error { return noSuch(at, "blob") })
}
