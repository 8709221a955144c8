package actors

import (
	"context"
	"strconv"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
)

// Client reaches the grains of the cluster in the domain's nouns. It holds no
// state: any node's client does the same.
type Client struct{ n *Node }

func (c *Client) call(ctx context.Context, kind, id string, cmd any, atLeast parley.Revision) (any, error) {
	return c.n.out(ctx, call{kind, id, cmd, atLeast})
}

// ask calls and gives the answer its type.
func ask[T any](ctx context.Context, c *Client, kind, id string, cmd any, atLeast parley.Revision) (T, error) {
	rep, err := c.call(ctx, kind, id, cmd, atLeast)
	if err != nil {
		var none T
		return none, err
	}
	t, ok := rep.(T)
	if !ok {
		return t, parley.E(parley.Internal, "actors.client", "an answer of another kind")
	}
	return t, nil
}

func askMailbox[T any](ctx context.Context, c *Client, acc parley.AccountID, cmd any, atLeast parley.Revision) (T, error) {
	return ask[T](ctx, c, KindMailbox, string(acc), cmd, atLeast)
}

func (c *Client) askThread(ctx context.Context, id parley.ThreadID, cmd any) (wire.ThreadReply, error) {
	return ask[wire.ThreadReply](ctx, c, KindThread, string(id), cmd, 0)
}

// deliverTo brings a room's events to one copy and returns how far it is now.
func (c *Client) deliverTo(ctx context.Context, room parley.ThreadID, to parley.AccountID, ds []thread.Delivery) (parley.Seq, error) {
	rep, err := c.deliver(ctx, room, to, ds)
	return rep.Last, err
}

func (c *Client) deliver(ctx context.Context, room parley.ThreadID, to parley.AccountID, ds []thread.Delivery) (mailbox.Reply, error) {
	acc, err := c.n.cfg.Accounts.Get(ctx, to)
	if err != nil {
		return mailbox.Reply{}, err
	}
	if acc.Closed {
		return mailbox.Reply{}, parley.E(parley.Gone, "actors.deliver", "this account is closed")
	}
	if err := c.renewNamed(ctx, ds); err != nil {
		return mailbox.Reply{}, err
	}
	cmd := mailbox.Deliver{Room: room, Deliveries: ds}
	for _, d := range ds {
		var blobs []parley.BlobID
		for _, at := range d.Attachments {
			blobs = append(blobs, c.n.cfg.Secret.Blob(to, at.Blob))
		}
		cmd.Blobs = append(cmd.Blobs, blobs)
		notice := c.n.cfg.Secret.Derive("notice", string(room), strconv.FormatUint(uint64(d.Seq), 10))
		cmd.Notices = append(cmd.Notices, parley.MessageID(parley.FormatID(parley.MessagePrefix, notice)))
	}
	return askMailbox[mailbox.Reply](ctx, c, to, cmd, 0)
}
