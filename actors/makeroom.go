package actors

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/mail"
)

// MakeRoom makes a room of a mail thread in the caller's copy. The room and the
// messages that it takes along are one commit.
func (c *Client) MakeRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, id parley.ThreadID, r parley.RoomOfMail) (parley.Thread, parley.Revision, bool, error) {
	room := c.n.cfg.Secret.Thread(cmd.ID)
	cr, err := c.ofMail(ctx, acc, room, cmd, id, r)
	rep, rev, err := c.enterOr(ctx, acc, room, prepared{cmd, cr, thread.Create{Cmd: cmd}, err})
	if err != nil {
		return parley.Thread{}, 0, false, err
	}
	t, err := c.room(ctx, room, acc, rev)
	return t, rev, rep.Answer.Replayed, err
}

// ofMail prepares such a room.
func (c *Client) ofMail(ctx context.Context, acc parley.AccountID, room parley.ThreadID, cmd parley.Command, id parley.ThreadID, r parley.RoomOfMail) (thread.Create, error) {
	of, ms, err := c.mailToCarry(ctx, acc, id, r.Messages)
	if err != nil {
		return thread.Create{Cmd: cmd}, err
	}
	r.Subject = cmp.Or(r.Subject, of.Subject)
	cr, err := c.create(ctx, acc, room, cmd, "", r.NewRoom)
	if err != nil {
		return cr, err
	}
	cr.Of = of.ID
	for i, m := range ms {
		p, err := c.carried(ctx, acc, room, cmd, i, m)
		if err != nil {
			return cr, fmt.Errorf("carry %s: %w", m.ID, err)
		}
		cr.Carried = append(cr.Carried, p)
	}
	return cr, nil
}

// mailToCarry reads a mail thread and the messages meant, oldest first.
func (c *Client) mailToCarry(ctx context.Context, acc parley.AccountID, id parley.ThreadID, ids []parley.MessageID) (parley.Thread, []parley.Message, error) {
	of, _, err := c.Thread(ctx, acc, id, 0)
	if err != nil {
		return of, nil, err
	}
	if of.Kind != parley.KindMail {
		return of, nil, &parley.Error{Code: parley.BadRequest, Op: "actors.makeroom", Public: "This is a room already.", Field: "thread"}
	}
	var ms []parley.Message
	for page := (parley.Page{End: true, Limit: parley.MaxCarried}); len(ids) == 0 && len(ms) < parley.MaxCarried; {
		l, err := c.Messages(ctx, acc, of.ID, "", page, 0)
		if err != nil {
			return of, nil, err
		}
		ms = append(slices.DeleteFunc(l.Items, staysBehind), ms...)
		if page = (parley.Page{Before: l.Prev, Limit: parley.MaxCarried - len(ms)}); l.Prev == "" {
			break
		}
	}
	for _, id := range ids {
		m, _, err := c.Message(ctx, acc, id, 0)
		if parley.CodeOf(err) == parley.NotFound || err == nil && (m.Thread != of.ID || m.Has(parley.Draft)) {
			return of, nil, &parley.Error{Code: parley.NotFound, Op: "actors.makeroom", Public: "There is no such message in this thread.", Field: "messages"}
		}
		if err != nil {
			return of, nil, err
		}
		ms = append(ms, m)
	}
	slices.SortStableFunc(ms, func(a, b parley.Message) int { return a.ReceivedAt.Compare(b.ReceivedAt) })
	return of, ms, nil
}

// staysBehind is what a room takes along only where it is named: what was thrown
// away. A draft never goes along.
func staysBehind(m parley.Message) bool {
	thrown := func(f parley.FolderID) bool { return f == parley.Trash || f == parley.Spam }
	return m.Has(parley.Draft) || slices.ContainsFunc(m.Folders, thrown)
}

// carried prepares the rendition of a mail as a post: own text and attachments,
// with author and date. Text of some length goes into a blob, so that all of them
// fit into one commit.
func (c *Client) carried(ctx context.Context, acc parley.AccountID, room parley.ThreadID, cmd parley.Command, i int, m parley.Message) (thread.Post, error) {
	p := parley.Post{Text: carriedText(m)}
	for _, at := range m.Attachments {
		p.Attachments = append(p.Attachments, at.Blob)
	}
	if len(p.Attachments) > thread.MaxAttachments {
		p.Attachments = p.Attachments[:thread.MaxAttachments]
	}
	out, err := c.post(ctx, acc, c.n.cfg.Secret.Message(cmd.ID, fmt.Sprint(room, " carried ", i)), p)
	if err != nil {
		return out, err
	}
	if err := shorten(ctx, c.n.blobs, &out, thread.SmallText); err != nil {
		return out, err
	}
	// A sender's address is no proof of an account.
	out.Carried = &thread.Carried{Author: parley.Author{Name: m.Author.Name, Address: m.Author.Address}, At: m.At, Channel: m.Channel, Subject: m.Subject}
	return out, nil
}

// carriedText is what a mail itself says, without what it quotes.
func carriedText(m parley.Message) string {
	own := strings.TrimSpace(mail.OwnText(m.Text))
	return strings.ToValidUTF8(cmp.Or(own, strings.TrimSpace(m.Text), m.Subject, "(empty message)"), "\uFFFD")
}

// PreviewRoom says what MakeRoom would make, and makes nothing.
func (c *Client) PreviewRoom(ctx context.Context, acc parley.AccountID, id parley.ThreadID, r parley.RoomOfMail) (parley.RoomPreview, error) {
	of, ms, err := c.mailToCarry(ctx, acc, id, r.Messages)
	if err != nil {
		return parley.RoomPreview{}, err
	}
	cr, err := c.create(ctx, acc, of.ID, parley.Command{}, "", parley.NewRoom{To: r.To, Subject: cmp.Or(r.Subject, of.Subject)})
	if err != nil {
		return parley.RoomPreview{}, err
	}
	out := parley.RoomPreview{Subject: cr.Subject, Earlier: of.Messages - int64(len(ms))}
	for _, p := range append([]parley.Participant{cr.Maker}, cr.Others...) {
		p.ID = "" // of a room that is not there
		out.Participants = append(out.Participants, p)
	}
	for _, m := range ms {
		m.Text = carriedText(m)
		out.Messages = append(out.Messages, m)
	}
	for _, a := range of.Authors {
		in := false
		if who, err := c.n.cfg.Accounts.Resolve(ctx, a.Address); err == nil {
			in = slices.ContainsFunc(out.Participants, func(p parley.Participant) bool { return p.Account == who })
		}
		if !in {
			out.Outside = append(out.Outside, a)
		}
	}
	return out, nil
}
