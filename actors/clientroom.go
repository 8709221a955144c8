package actors

import (
	"context"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
)

// authorWait is how long a post waits for its author's copy; it answers 201
// either way, since the post is durable.
const authorWait = time.Second

// partID names a participant of a room: the same account is the same participant
// whenever it comes back.
func (c *Client) partID(room parley.ThreadID, acc parley.AccountID) parley.PartID {
	return parley.PartID(parley.FormatID(parley.PartPrefix, c.n.cfg.Secret.Derive("participant", string(room), string(acc))))
}

func (c *Client) participant(room parley.ThreadID, a parley.Account, role parley.Role) parley.Participant {
	if role == "" {
		role = parley.RoleMember
	}
	p := parley.Participant{ID: c.partID(room, a.ID), Account: a.ID, Name: a.Name, Channel: parley.ChannelChat, Role: role, State: parley.StateIn}
	if len(a.Addresses) > 0 {
		p.Address = a.Addresses[0]
		if p.Name == "" {
			p.Name, _, _ = strings.Cut(p.Address, "@")
		}
	}
	return p
}

// account finds whom a recipient names. Outside addresses need a channel out.
func (c *Client) account(ctx context.Context, r parley.Recipient) (parley.Account, error) {
	id := r.Account
	if id == "" {
		var err error
		if id, err = c.n.cfg.Accounts.Resolve(ctx, r.Address); err != nil {
			return parley.Account{}, badRecipient(err)
		}
	}
	a, err := c.n.cfg.Accounts.Get(ctx, id)
	if err != nil {
		return parley.Account{}, badRecipient(err)
	}
	if a.Closed {
		return parley.Account{}, &parley.Error{Code: parley.BadAddress, Op: "actors.recipient", Public: "this account is closed", Field: "to"}
	}
	return a, nil
}

func badRecipient(err error) error {
	switch parley.CodeOf(err) {
	case parley.NotFound, parley.NoRecipient, parley.BadAddress, parley.BadRequest, parley.Gone:
		return &parley.Error{Code: parley.BadAddress, Op: "actors.recipient", Public: "there is no such account here, and no way out to other addresses is set up", Field: "to", Err: err}
	}
	return err
}

// room reads a room from the caller's copy, or, if that has not come yet, as the
// room itself knows it.
func (c *Client) room(ctx context.Context, room parley.ThreadID, acc parley.AccountID, rev parley.Revision) (parley.Thread, error) {
	if t, _, err := c.Thread(ctx, acc, room, rev); err == nil {
		return t, nil
	}
	rep, err := c.askThread(ctx, room, thread.Ask{Who: acc})
	if err != nil {
		return parley.Thread{}, err
	}
	a := rep.Answer
	return parley.Thread{ID: room, Kind: parley.KindRoom, Subject: a.Subject, History: a.History, Open: a.Open, Participants: a.Participants,
		RosterVersion: a.Roster, Seq: a.Seq, State: parley.StateIn, LastAt: a.At}, nil
}

// toAuthor hands the caller's own copy what the room's answer brought for it, and
// tells the room how far that copy is. It gives up after a second.
func (c *Client) toAuthor(ctx context.Context, room parley.ThreadID, acc parley.AccountID, rep wire.ThreadReply) parley.Revision {
	if len(rep.Deliveries) == 0 {
		return 0
	}
	within, cancel := context.WithTimeout(ctx, authorWait)
	defer cancel()
	got, err := c.deliver(within, room, acc, rep.Deliveries)
	if err != nil {
		return 0 // the room delivers as to anyone
	}
	c.tellRoom(room, thread.Came{Account: acc, Last: got.Last})
	return got.Revision
}

// tellRoom tells a room beside what it finds out by itself where this fails.
func (c *Client) tellRoom(room parley.ThreadID, cmd any) {
	c.n.beside.Go(func() {
		ctx, cancel := context.WithTimeout(c.n.ctx, callTime)
		defer cancel()
		_, _ = c.n.send(ctx, call{kind: KindThread, id: string(room), cmd: cmd})
	})
}

// post prepares a post: attachments become the blobs that the author may open.
func (c *Client) post(ctx context.Context, acc parley.AccountID, id parley.MessageID, p parley.Post) (thread.Post, error) {
	out := thread.Post{Author: acc, Message: id, Text: p.Text, ReplyTo: p.ReplyTo, Mentions: p.Mentions, Roster: p.RosterVersion}
	if err := shorten(ctx, c.n.blobs, &out, thread.MaxInlineText); err != nil {
		return out, err
	}
	for _, id := range p.Attachments {
		at, err := c.attach(ctx, acc, id)
		if err != nil {
			return out, err
		}
		out.Attachments = append(out.Attachments, at)
	}
	return out, nil
}

// Post speaks in a room.
func (c *Client) Post(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID, p parley.Post) (parley.Posted, error) {
	return c.postAs(ctx, acc, cmd, room, c.n.cfg.Secret.Message(cmd.ID, string(room)), p)
}

// postAs posts under an id: one that derives from the command, or a draft's.
func (c *Client) postAs(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID, id parley.MessageID, p parley.Post) (parley.Posted, error) {
	var po thread.Post
	err := c.answers(ctx, acc, room, p.ReplyTo)
	if err == nil {
		po, err = c.post(ctx, acc, id, p)
	}
	po.Cmd = cmd
	rep, rev, err := c.enterOr(ctx, acc, room, prepared{cmd, po, thread.Post{Cmd: cmd, Author: acc}, err})
	if parley.CodeOf(err) == parley.NotFound {
		return parley.Posted{}, c.noRoom(ctx, acc, room, err)
	}
	if err != nil {
		return parley.Posted{}, err
	}
	return c.postedAs(ctx, acc, room, rep, rev, p), nil
}

// postedAs is the answer to a post: as the author's copy has it, or, if that has
// not come yet, as it was posted.
func (c *Client) postedAs(ctx context.Context, acc parley.AccountID, room parley.ThreadID, rep wire.ThreadReply, rev parley.Revision, p parley.Post) parley.Posted {
	out := parley.Posted{Replayed: rep.Answer.Replayed, Revision: rev}
	m, gone, err := c.posted(ctx, acc, room, rep.Answer, out.Revision)
	if err == nil {
		out.Message = m
		return out
	}
	out.Revision = 0
	out.Message = parley.Message{ID: rep.Answer.Message, Thread: room, Seq: rep.Answer.Seq, Author: parley.Author{Account: acc, Part: c.partID(room, acc)},
		Channel: parley.ChannelChat, Text: p.Text, ReplyTo: p.ReplyTo, Mentions: p.Mentions, At: rep.Answer.At, ReceivedAt: rep.Answer.At}
	if gone {
		out.Message.Gone, out.Message.Text = true, ""
	}
	return out
}

// posted reads a post from its author's copy. It is gone, deleted for good, if a
// copy that is known to have come so far does not have it; before that it may be
// on its way.
func (c *Client) posted(ctx context.Context, acc parley.AccountID, room parley.ThreadID, a thread.Answer, rev parley.Revision) (m parley.Message, gone bool, err error) {
	m, _, err = c.Message(ctx, acc, a.Message, rev)
	if err == nil && m.Has(parley.Draft) { // which the post has yet to replace
		err = notYet
	}
	if !a.Replayed || parley.CodeOf(err) != parley.NotFound {
		return m, false, err
	}
	if t, _, terr := c.Thread(ctx, acc, room, 0); terr != nil || t.Seq < a.Seq {
		return m, false, err
	}
	m, _, err = c.Message(ctx, acc, a.Message, 0)
	return m, parley.CodeOf(err) == parley.NotFound, err
}

var notYet = parley.E(parley.NotFound, "actors.post", "this post has not come yet")

// noRoom says it plainly when what is not a room is a mail thread of the caller's.
func (c *Client) noRoom(ctx context.Context, acc parley.AccountID, id parley.ThreadID, err error) error {
	if t, _, terr := c.Thread(ctx, acc, id, 0); terr == nil && t.Kind == parley.KindMail {
		return &parley.Error{Code: parley.BadAddress, Op: "actors.post", Public: "this is a mail thread, and no way out for mail is set up", Field: "thread"}
	}
	return err
}

// enter answers join, leave and the like with the caller's copy.
func (c *Client) enter(ctx context.Context, acc parley.AccountID, room parley.ThreadID, cmd any) (wire.ThreadReply, parley.Revision, error) {
	rep, err := c.askThread(ctx, room, cmd)
	if err != nil {
		return rep, 0, err
	}
	return rep, c.toAuthor(ctx, room, acc, rep), nil
}

// Join lets the caller into a room that is open, or that invited or knew them.
func (c *Client) Join(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID) (parley.Thread, parley.Revision, bool, error) {
	me, err := c.n.cfg.Accounts.Get(ctx, acc)
	if err != nil {
		return parley.Thread{}, 0, false, err
	}
	rep, rev, err := c.enter(ctx, acc, room, thread.Join{Cmd: cmd, Who: c.participant(room, me, parley.RoleMember)})
	if err != nil {
		return parley.Thread{}, 0, false, err
	}
	t, err := c.room(ctx, room, acc, rev)
	return t, rev, rep.Answer.Replayed, err
}

// Leave ends the caller's taking part.
func (c *Client) Leave(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID) (parley.Revision, bool, error) {
	rep, rev, err := c.enter(ctx, acc, room, thread.Leave{Cmd: cmd, Who: acc})
	return rev, rep.Answer.Replayed, err
}

// Participants lists a room's participants as the caller's copy has them.
func (c *Client) Participants(ctx context.Context, acc parley.AccountID, room parley.ThreadID, atLeast parley.Revision) ([]parley.Participant, parley.Seq, parley.Revision, error) {
	t, rev, err := c.Thread(ctx, acc, room, atLeast)
	return t.Participants, t.RosterVersion, rev, err
}

// AddParticipant lets somebody in.
func (c *Client) AddParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID, r parley.Recipient) (parley.Participant, parley.Revision, bool, error) {
	a, err := c.account(ctx, r)
	add := thread.Add{Cmd: cmd, By: acc, Who: c.participant(room, a, r.Role)}
	rep, rev, err := c.enterOr(ctx, acc, room, prepared{cmd, add, thread.Add{Cmd: cmd, By: acc}, err})
	return rep.Answer.Part, rev, rep.Answer.Replayed, err
}

// ChangeParticipant changes somebody's role.
func (c *Client) ChangeParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Seq, room parley.ThreadID, part parley.PartID, role parley.Role) (parley.Participant, parley.Revision, bool, error) {
	rep, rev, err := c.enter(ctx, acc, room, thread.Alter{Cmd: cmd, By: acc, Part: part, Role: role, IfMatch: ifMatch})
	return rep.Answer.Part, rev, rep.Answer.Replayed, err
}

// RemoveParticipant ends somebody's taking part.
func (c *Client) RemoveParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Seq, room parley.ThreadID, part parley.PartID) (parley.Revision, bool, error) {
	rep, rev, err := c.enter(ctx, acc, room, thread.Remove{Cmd: cmd, By: acc, Part: part, IfMatch: ifMatch})
	return rev, rep.Answer.Replayed, err
}

// alter changes a room. What the caller knows of it is its copy, so that is what
// ifMatch is held to, unless the command was carried out before.
func (c *Client) alter(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID, ch parley.ThreadChange) (wire.ThreadReply, parley.Revision, error) {
	p := prepared{cmd: cmd, full: thread.Alter{Cmd: cmd, By: acc, Subject: ch.Subject, Open: ch.Open, History: ch.History}, blank: thread.Alter{Cmd: cmd, By: acc}}
	if ifMatch != 0 {
		t, _, err := c.Thread(ctx, acc, id, 0)
		if err != nil {
			return wire.ThreadReply{}, 0, err
		}
		if t.Revision != ifMatch {
			p.err = parley.E(parley.Stale, "actors.alter", "the thread has changed since")
		}
	}
	return c.enterOr(ctx, acc, id, p)
}

// ChangeThread changes the caller's copy, and the room where the change is about it.
func (c *Client) ChangeThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID, ch parley.ThreadChange) (parley.Outcome, error) {
	var rev parley.Revision
	if ch.Subject != nil || ch.Open != nil || ch.History != nil {
		r, got, err := c.alter(ctx, acc, cmd, ifMatch, id, ch)
		if err != nil {
			return parley.Outcome{}, err
		}
		if rev = got; !ch.Own() {
			return parley.Outcome{Revision: rev, Replayed: r.Answer.Replayed, Behind: rev == 0 && len(r.Deliveries) > 0}, nil
		}
		ch.Subject, ch.Open, ch.History, ifMatch = nil, nil, nil, 0 // the copy has changed by this very command
	}
	cmd = c.named(cmd)
	out, err := c.bulk(ctx, acc, mailbox.ChangeThread{Cmd: cmd, Job: c.job(cmd), IfMatch: ifMatch, Thread: id, Change: ch})
	out.Revision = max(rev, out.Revision)
	return out, err
}
