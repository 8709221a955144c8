package actors

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
)

// splitRoom has a room split, makes the new one, and brings both to the caller's copy.
func (c *Client) splitRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, room parley.Thread, s parley.Split) (parley.ThreadID, parley.Revision, bool, error) {
	made := parley.ThreadID(parley.FormatID(parley.ThreadPrefix, c.n.cfg.Secret.Derive("split room", string(room.ID), string(cmd.ID[:]))))
	rep, rev, err := c.divide(ctx, acc, cmd, ifMatch, room, made, s)
	if err != nil {
		return "", 0, false, err
	}
	rev = max(rev, c.found(ctx, acc, room.ID, made, rep.Answer.Founds()))
	th, _, err := c.Thread(ctx, acc, made, rev)
	switch {
	case err != nil && rep.Answer.Replayed && room.Seq >= rep.Answer.Seq:
		return "", 0, false, err // it was here, and is purged
	case err != nil || th.Seq == 0 || !slices.Contains(th.Linked, room.ID): // without the new room, or what went there
		return "", 0, false, &parley.Error{Code: parley.Unavailable, Op: "actors.split", Err: err} // done, and not here yet: a repeat finds it
	}
	return made, rev, rep.Answer.Replayed, nil
}

// found makes the new room and tells the old one that it is there. What fails here
// the old room does again.
func (c *Client) found(ctx context.Context, acc parley.AccountID, room, made parley.ThreadID, cr thread.Create) parley.Revision {
	rev, err := c.makeOffshoot(ctx, acc, made, cr)
	if err != nil {
		return 0
	}
	c.tellRoom(room, thread.Made{Room: made})
	return rev
}

// makeOffshoot makes a room that was split off, unless it is there, and brings it
// to the copy of who did that.
func (c *Client) makeOffshoot(ctx context.Context, acc parley.AccountID, made parley.ThreadID, cr thread.Create) (parley.Revision, error) {
	rep, err := c.askThread(ctx, made, cr)
	switch {
	case parley.CodeOf(err) == parley.Conflict:
		return 0, nil
	case err != nil:
		return 0, err
	}
	return c.toAuthor(ctx, made, acc, rep), nil
}

// divide gives the command to the room. A repeat is answered by the room where the
// copy no longer has the posts in their old place.
func (c *Client) divide(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, room parley.Thread, made parley.ThreadID, s parley.Split) (wire.ThreadReply, parley.Revision, error) {
	posts, err := c.postsToMove(ctx, acc, room.ID, s)
	if err == nil && ifMatch != 0 && ifMatch != room.Revision {
		err = parley.E(parley.Stale, "actors.split", "the thread has changed since")
	}
	full := thread.Split{Cmd: cmd, By: acc, Room: made, Subject: s.Subject, Posts: posts}
	return c.enterOr(ctx, acc, room.ID, prepared{cmd, full, thread.Split{Cmd: cmd, By: acc}, err})
}

// postsToMove holds what is named to what the caller sees in the room.
func (c *Client) postsToMove(ctx context.Context, acc parley.AccountID, room parley.ThreadID, s parley.Split) ([]thread.Moving, error) {
	if s.From != "" {
		return c.postsFrom(ctx, acc, room, s.From)
	}
	var posts []thread.Moving
	for _, id := range s.Messages {
		m, err := c.postHere(ctx, acc, room, id, "messages")
		if err != nil {
			return nil, err
		}
		if !slices.Contains(posts, moving(m)) {
			posts = append(posts, moving(m))
		}
		if len(posts) > thread.MaxSplit {
			return nil, tooManyPosts("messages")
		}
	}
	return posts, nil
}

func moving(m parley.Message) thread.Moving { return thread.Moving{Message: m.ID, Seq: m.Seq} }

func (c *Client) postsFrom(ctx context.Context, acc parley.AccountID, room parley.ThreadID, from parley.MessageID) ([]thread.Moving, error) {
	l, err := c.Messages(ctx, acc, room, "", parley.Page{End: true, Limit: thread.MaxSplit}, 0)
	if err != nil {
		return nil, err
	}
	var posts []thread.Moving
	for _, m := range l.Items {
		if m.ID == from || len(posts) > 0 {
			posts = append(posts, moving(m))
		}
	}
	if len(posts) > 0 {
		return posts, nil
	}
	if _, err := c.postHere(ctx, acc, room, from, "from"); err != nil {
		return nil, err
	}
	return nil, tooManyPosts("from")
}

// postHere wants a post that the caller has in this room.
func (c *Client) postHere(ctx context.Context, acc parley.AccountID, room parley.ThreadID, id parley.MessageID, field string) (parley.Message, error) {
	m, _, err := c.Message(ctx, acc, id, 0)
	if code := parley.CodeOf(err); code == parley.NotFound || code == parley.Gone || err == nil && (m.Thread != room || m.Notice != "" || m.Has(parley.Draft)) {
		return m, &parley.Error{Code: parley.NotFound, Op: "actors.split", Public: "there is no such message in this thread", Field: field}
	}
	return m, err
}

func tooManyPosts(field string) error {
	return &parley.Error{Code: parley.TooLarge, Op: "actors.split", Public: fmt.Sprintf("a split moves at most %d messages of a room", thread.MaxSplit), Field: field}
}
