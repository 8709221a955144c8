package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// answers holds a reply to a message of the room that it is for. The room does not
// know its messages by their ids; the author's copy does, and whoever answers has
// seen there what they answer.
func (c *Client) answers(ctx context.Context, acc parley.AccountID, room parley.ThreadID, to parley.MessageID) error {
	if to == "" {
		return nil
	}
	m, err := askMailbox[mailbox.OneMessage](ctx, c, acc, mailbox.AskPlace{ID: to}, 0)
	switch {
	case parley.CodeOf(err) == parley.NotFound, err == nil && (m.Message.Thread != room || m.Message.Notice != ""):
		return &parley.Error{Code: parley.BadContent, Op: "actors.post", Public: "there is no such message in this room", Field: "reply_to"}
	}
	return err
}
