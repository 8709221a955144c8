package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/service/future"
)

// CreateRoom makes a room of the caller and others.
func (c *Client) CreateRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewRoom) (parley.Thread, parley.Revision, bool, error) {
	room := c.n.cfg.Secret.Thread(cmd.ID)
	rep, rev, err := c.makeRoom(ctx, acc, cmd, c.n.cfg.Secret.Message(cmd.ID, string(room)), n)
	if err != nil {
		return parley.Thread{}, 0, false, err
	}
	t, err := c.room(ctx, room, acc, rev)
	return t, rev, rep.Answer.Replayed, err
}

// makeRoom makes the room that the command names; first is the id of its first post.
func (c *Client) makeRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, first parley.MessageID, n parley.NewRoom) (wire.ThreadReply, parley.Revision, error) {
	room := c.n.cfg.Secret.Thread(cmd.ID)
	cr, err := c.create(ctx, acc, room, cmd, first, n)
	return c.enterOr(ctx, acc, room, prepared{cmd, cr, thread.Create{Cmd: cmd}, err})
}

// create prepares a room: who is named is looked up, and its first post prepared.
func (c *Client) create(ctx context.Context, acc parley.AccountID, room parley.ThreadID, cmd parley.Command, first parley.MessageID, n parley.NewRoom) (thread.Create, error) {
	cr := thread.Create{Cmd: cmd, Subject: n.Subject, History: n.History, Open: n.Open}
	if cr.History == "" {
		cr.History = parley.HistoryJoined
	}
	me, err := c.n.cfg.Accounts.Get(ctx, acc)
	if err != nil {
		return cr, err
	}
	cr.Maker = c.participant(room, me, parley.RoleModerator)
	others, err := c.accounts(ctx, n.To)
	if err != nil {
		return cr, err
	}
	for i, a := range others {
		if a.ID != acc {
			cr.Others = append(cr.Others, c.participant(room, a, n.To[i].Role))
		}
	}
	if n.First != nil {
		p, err := c.post(ctx, acc, first, *n.First)
		if err != nil {
			return cr, err
		}
		cr.First = &p
	}
	return cr, nil
}

// lookupsAtOnce bounds the rows of accounts that one request reads at a time.
const lookupsAtOnce = 16

// accounts looks up who is named, in order. Of several that cannot be, the first
// is told, so that a request fails the same way each time.
func (c *Client) accounts(ctx context.Context, named []parley.Recipient) ([]parley.Account, error) {
	type found struct {
		parley.Account
		err error
	}
	all, err := future.Gather(ctx, lookupsAtOnce, named, func(ctx context.Context, r parley.Recipient) (found, error) {
		a, err := c.account(ctx, r)
		return found{a, err}, nil
	}).Await(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]parley.Account, len(all))
	for i, f := range all {
		if f.err != nil {
			return nil, f.err
		}
		out[i] = f.Account
	}
	return out, nil
}
