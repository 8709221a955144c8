package actors

import (
	"context"
	"strconv"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/cluster"
	pb "github.com/parley-im/parley/messages"
)

// Client reaches the grains of the cluster in the domain's nouns. It holds no
// state: any node's client does the same.
type Client struct{ n *Node }

// Patience of a client with grains that are moving.
const (
	callTime  = 15 * time.Second // a call without a deadline of its own
	retryTime = 3 * time.Second  // repeats after Unavailable; every command is safe to repeat
)

// once sends one command and decodes the answer.
func (c *Client) once(ctx context.Context, kind, id string, cmd any, atLeast parley.Revision) (any, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		var cancel context.CancelFunc
		deadline = time.Now().Add(callTime)
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	if atLeast > 0 { // the grain may park it for so long; a shorter attempt would hear nothing, and park another
		ctx = cluster.Patient(ctx, behindWait+callTime)
	}
	req, err := wire.Request(cmd, requestID(ctx), deadline, atLeast)
	if err != nil {
		return nil, err
	}
	rep, err := c.n.cluster.Call(ctx, kind, id, req)
	if err != nil {
		return nil, err
	}
	return wire.Answer(rep.(*pb.Reply))
}

// call repeats once while the answer is Unavailable: an activation that ended,
// or one that lost its row, has dropped its state, and the next one knows
// whether the command was committed.
func (c *Client) call(ctx context.Context, kind, id string, cmd any, atLeast parley.Revision) (any, error) {
	giveUp := time.Now().Add(retryTime)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 300*time.Millisecond) {
		rep, err := c.once(ctx, kind, id, cmd, atLeast)
		if parley.CodeOf(err) != parley.Unavailable || time.Now().Add(pause).After(giveUp) {
			return rep, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
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

type requestKey struct{}

// WithRequestID carries a request's id into the grains' calls.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
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
