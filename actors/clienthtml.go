package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/mail"
)

// HTML reads the HTML of a mail, and what it may show: attachments of the same
// message, as the mailbox lists them.
func (c *Client) HTML(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.HTMLBody, error) {
	none := parley.E(parley.NotFound, "actors.html", "this message has no HTML")
	m, err := askMailbox[mailbox.OneMessage](ctx, c, acc, mailbox.AskPlace{ID: id}, 0)
	if err != nil {
		return parley.HTMLBody{}, err
	}
	if !m.Message.HasHTML {
		return parley.HTMLBody{}, none
	}
	at, err := askMailbox[mailbox.Bytes](ctx, c, acc, mailbox.AskBody{ID: id}, 0)
	if err != nil {
		return parley.HTMLBody{}, err
	}
	src, size, closer, err := c.source(ctx, at)
	if err != nil {
		return parley.HTMLBody{}, err
	}
	defer closer.Close()
	parsed, err := mail.ParseAt(src, size)
	if err != nil {
		return parley.HTMLBody{}, parley.Wrap(parley.Unavailable, "actors.html", err)
	}
	if parsed.HTML == "" {
		return parley.HTMLBody{}, none
	}
	return parley.HTMLBody{HTML: parsed.HTML, Subject: m.Message.Subject, Parts: m.Message.Attachments}, nil
}
