package actors

import (
	"context"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// textOf is a text as a row keeps it: one of more than so many bytes becomes a blob,
// of which the row has the name and the excerpt.
func textOf(ctx context.Context, blobs Blobs, text string, most int) (mailbox.DraftText, error) {
	if len(text) <= most {
		return mailbox.DraftText{Text: text, Size: int64(len(text))}, nil
	}
	ref, err := blobs.Put(ctx, strings.NewReader(text))
	if err != nil {
		return mailbox.DraftText{}, parley.Wrap(parley.Unavailable, "actors.text", err)
	}
	return mailbox.DraftText{Blob: ref.Digest, Size: ref.Size, Excerpt: mailbox.Excerpt(text)}, nil
}

// shorten does that to a post that has its text with it.
func shorten(ctx context.Context, blobs Blobs, p *thread.Post, most int) error {
	t, err := textOf(ctx, blobs, p.Text, most)
	if err == nil && !t.Blob.IsZero() {
		p.Text, p.TextBlob, p.TextSize, p.Excerpt = "", t.Blob, t.Size, t.Excerpt
	}
	return err
}
