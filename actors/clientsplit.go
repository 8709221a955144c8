package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// SplitThread moves messages of a mail thread in the caller's own copy into one of
// their own, or posts of a room into another room for all.
func (c *Client) SplitThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID, s parley.Split) (parley.ThreadID, parley.Revision, bool, error) {
	cmd = c.named(cmd)
	switch th, _, err := c.Thread(ctx, acc, id, 0); {
	case err == nil && th.Kind == parley.KindRoom:
		return c.splitRoom(ctx, acc, cmd, ifMatch, th, s)
	case parley.CodeOf(err) == parley.Unavailable:
		return "", 0, false, err
	}
	if s.Subject != "" {
		return "", 0, false, &parley.Error{Code: parley.BadRequest, Op: "actors.split", Public: "a mail thread has the subject of its messages", Field: "subject"}
	}
	made := c.n.cfg.Secret.Derive("split", string(acc), string(cmd.ID[:]))
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.SplitThread{
		Cmd: cmd, IfMatch: ifMatch, Thread: id, Messages: s.Messages, From: s.From,
		NewThread: parley.ThreadID(parley.FormatID(parley.ThreadPrefix, made)),
	}, 0)
	return r.Thread, r.Revision, r.Replayed, err
}

// MergeThreads makes one of two mail threads in the caller's own copy, and says
// which id it has: that of the larger.
func (c *Client) MergeThreads(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id, with parley.ThreadID) (parley.ThreadID, parley.Revision, bool, error) {
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.MergeThreads{Cmd: c.keyed(cmd, ifMatch), IfMatch: ifMatch, Thread: id, With: with}, 0)
	return r.Thread, r.Revision, r.Replayed, err
}
