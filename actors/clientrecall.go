package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/wire"
)

// prepared is a command for a room, for which accounts and blobs were looked up.
type prepared struct {
	cmd   parley.Command
	full  any
	blank any   // the command without what it says, which a room never takes
	err   error // why it cannot be prepared
}

// enterOr gives a room a command and answers with the caller's copy; where the
// command cannot be prepared any more, with the first answer to it.
func (c *Client) enterOr(ctx context.Context, acc parley.AccountID, room parley.ThreadID, p prepared) (rep wire.ThreadReply, rev parley.Revision, err error) {
	if p.err == nil {
		return c.enter(ctx, acc, room, p.full)
	}
	if rep, err = c.recall(ctx, room, p); err != nil {
		return rep, 0, err
	}
	return rep, c.toAuthor(ctx, room, acc, rep), nil
}

// recall finds the first answer to a command that cannot be prepared any more,
// since what it names is gone: an account that was closed, a blob that was purged
// with the message that had it. What is not remembered fails by its cause.
func (c *Client) recall(ctx context.Context, room parley.ThreadID, p prepared) (wire.ThreadReply, error) {
	switch parley.CodeOf(p.err) {
	case parley.BadRequest, parley.BadAddress, parley.BadContent, parley.NotFound, parley.Gone, parley.Stale, parley.TooLarge:
	default:
		return wire.ThreadReply{}, p.err
	}
	if p.cmd.ID.IsZero() {
		return wire.ThreadReply{}, p.err
	}
	rep, err := c.askThread(ctx, room, p.blank)
	switch code := parley.CodeOf(err); {
	case err == nil && rep.Answer.Replayed:
		return rep, nil
	case code == parley.Unavailable || code == parley.KeyMismatch:
		return rep, err
	}
	return wire.ThreadReply{}, p.err
}
