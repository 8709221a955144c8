package gateway

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) threadRoutes() []edge.Route {
	read, write := scopes{parley.ScopeRead}, scopes{parley.ScopeWrite}
	query := []string{"after", "before", "limit", "at_least", "page", "folder", "label", "unread", "flagged", "muted", "participant", "channel", "kind"}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/threads", Name: "listThreads", Scopes: read, Query: query}, g.listThreads),
		edge.Plain(edge.Route{Method: "GET", Path: "/threads/{thread}", Name: "getThread", Scopes: read, Query: reading}, g.getThread),
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/threads/{thread}", Name: "updateThread", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.updateThread),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/threads/{thread}", Name: "deleteThread", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.deleteThread),
		edge.Plain(edge.Route{Method: "POST", Path: "/threads/{thread}/restore", Name: "restoreThread", Scopes: write, Key: edge.MustKey}, g.restoreThread),
	}
}

func (g *Gateway) listThreads(ctx context.Context, a user) (*edge.Reply, error) {
	q, err := threadQuery(a.Req)
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	l, err := g.Mailboxes.Threads(ctx, a.Account, q, atLeast)
	if err != nil {
		return nil, err
	}
	return counted(l, threadShape), nil
}

func threadQuery(c *edge.Call) (q parley.ThreadQuery, err error) {
	if q.Page, err = c.Page(); err != nil {
		return q, err
	}
	if c.Query.Has("folder") {
		if q.Folder = parley.FolderID(c.Query.Get("folder")); !isFolder(q.Folder) {
			return q, edge.Bad("folder", "There is no such folder.")
		}
	}
	if c.Query.Has("label") {
		if q.Label = parley.FolderID(c.Query.Get("label")); !isLabel(q.Label) {
			return q, edge.Bad("label", "There is no such label.")
		}
	}
	if q.Unread, err = yesOrNo(c, "unread"); err != nil {
		return q, err
	}
	if q.Flagged, err = yesOrNo(c, "flagged"); err != nil {
		return q, err
	}
	if q.Muted, err = yesOrNo(c, "muted"); err != nil {
		return q, err
	}
	if c.Query.Has("channel") {
		if q.Channel = parley.Channel(c.Query.Get("channel")); !slices.Contains(channels, q.Channel) {
			return q, edge.Bad("channel", "chat, mail, sms or import.")
		}
	}
	if c.Query.Has("participant") {
		if q.Participant = c.Query.Get("participant"); len(q.Participant) < 3 || len(q.Participant) > maxAddress {
			return q, edge.Bad("participant", "An account or an address.")
		}
	}
	if c.Query.Has("kind") {
		if q.Kind = parley.Kind(c.Query.Get("kind")); q.Kind != parley.KindMail && q.Kind != parley.KindRoom {
			return q, edge.Bad("kind", "mail or room.")
		}
	}
	return q, nil
}

var channels = []parley.Channel{parley.ChannelChat, parley.ChannelMail, parley.ChannelSMS, parley.ChannelImport}

// yesOrNo reads a parameter; nil where it is absent.
func yesOrNo(c *edge.Call, field string) (*bool, error) {
	if !c.Query.Has(field) {
		return nil, nil
	}
	switch v := c.Query.Get(field); v {
	case "true", "false":
		return new(v == "true"), nil
	}
	return nil, edge.Bad(field, "true or false.")
}

func (g *Gateway) getThread(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	return g.threadAt(ctx, a.Account, id, atLeast)
}

// threadAt reads a thread as of a revision.
func (g *Gateway) threadAt(ctx context.Context, acc parley.AccountID, id parley.ThreadID, atLeast parley.Revision) (*edge.Reply, error) {
	t, rev, err := g.Mailboxes.Thread(ctx, acc, id, atLeast)
	if err != nil {
		return nil, err
	}
	return edge.OK(threadShape(t)).Tag(uint64(t.Revision)).At(rev), nil
}

func (g *Gateway) updateThread(ctx context.Context, a with[threadChange]) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req.Call, "thread")
	if err != nil {
		return nil, err
	}
	if field := a.Req.Body.roomField(); field != "" && !a.May(parley.ScopeSend) {
		return nil, &parley.Error{Code: parley.NotPermitted, Op: "gateway.threads", Public: "This changes the room for all and needs the scope send.", Field: field}
	}
	o, err := g.Mailboxes.ChangeThread(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id, a.Req.Body.change())
	if err != nil || o.Job != "" {
		return g.accepted(ctx, a.Account, o, err)
	}
	if o.Behind { // what the copy shows is from before the change
		t, _, err := g.Mailboxes.Thread(ctx, a.Account, id, 0)
		if err != nil {
			return nil, err
		}
		return edge.OK(threadShape(t)), nil
	}
	return repeated(o.Replayed)(g.threadAt(ctx, a.Account, id, o.Revision))
}

func (g *Gateway) deleteThread(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	o, err := g.Mailboxes.DeleteThread(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id)
	if err != nil || o.Job != "" {
		return g.accepted(ctx, a.Account, o, err)
	}
	return deleted(o.Revision, o.Replayed, nil)
}

func (g *Gateway) restoreThread(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	o, err := g.Mailboxes.RestoreThread(ctx, a.Account, a.Req.Command, id)
	if err != nil || o.Job != "" {
		return g.accepted(ctx, a.Account, o, err)
	}
	return repeated(o.Replayed)(g.threadAt(ctx, a.Account, id, o.Revision))
}

// deleted answers what removes.
func deleted(rev parley.Revision, replayed bool, err error) (*edge.Reply, error) {
	if err != nil {
		return nil, err
	}
	return edge.NoContent().At(rev).Repeat(replayed), nil
}

// repeated marks the answer of a command that was read again.
func repeated(replayed bool) func(*edge.Reply, error) (*edge.Reply, error) {
	return func(r *edge.Reply, err error) (*edge.Reply, error) {
		if err = since(replayed, err); err != nil {
			return nil, err
		}
		return r.Repeat(replayed), nil
	}
}

// since says of what a repeat does not find any more that it is gone: it was there
// when the first answer was given.
func since(replayed bool, err error) error {
	if replayed && parley.CodeOf(err) == parley.NotFound {
		return parley.E(parley.Gone, "gateway.repeat", "What this request was answered with was removed since.")
	}
	return err
}
