package gateway

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) messageRoutes() []edge.Route {
	read, write, send := scopes{parley.ScopeRead}, scopes{parley.ScopeWrite}, scopes{parley.ScopeSend}
	query := []string{"after", "before", "limit", "page", "at_least", "around", "notices"}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/threads/{thread}/messages", Name: "listMessages", Scopes: read, Query: query}, g.listMessages),
		edge.Bodied(edge.Route{Method: "POST", Path: "/threads/{thread}/messages", Name: "postMessage", Scopes: send, Key: edge.MustKey}, g.postMessage),
		edge.Plain(edge.Route{Method: "GET", Path: "/messages/{message}", Name: "getMessage", Scopes: read, Query: reading}, g.getMessage),
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/messages/{message}", Name: "updateMessage", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.updateMessage),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/messages/{message}", Name: "deleteMessage", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.deleteMessage),
		edge.Plain(edge.Route{Method: "GET", Path: "/messages/{message}/raw", Name: "getRawMessage", Scopes: read, Query: reading, Timing: edge.Transfer}, g.getRawMessage),
		edge.Plain(edge.Route{Method: "GET", Path: "/messages/{message}/html", Name: "getMessageHTML", Scopes: read, Query: append([]string{"remote"}, reading...), Timing: edge.Transfer}, g.getMessageHTML),
		edge.Plain(edge.Route{Method: "GET", Path: "/messages/{message}/explain", Name: "explainMessage", Scopes: read, Query: reading}, g.explainMessage),
	}
}

func (g *Gateway) listMessages(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	p, around, err := messagePage(a.Req)
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	l, err := g.Mailboxes.Messages(ctx, a.Account, id, around, p, atLeast)
	if err != nil {
		return nil, err
	}
	return counted(l, inThread()), nil
}

func messagePage(c *edge.Call) (p parley.Page, around parley.MessageID, err error) {
	if p, err = c.Page(); err != nil {
		return p, "", err
	}
	notices, err := yesOrNo(c, "notices")
	if err != nil {
		return p, "", err
	}
	p.Notices = value(notices)
	if !c.Query.Has("around") {
		return p, "", nil
	}
	if p.After != "" || p.Before != "" || p.End || p.Number > 0 {
		return p, "", edge.Bad("around", "Either around, or after, before or page.")
	}
	if around = parley.MessageID(c.Query.Get("around")); !around.Valid() {
		return p, "", noSuch("around", "message")
	}
	return p, around, nil
}

func (g *Gateway) postMessage(ctx context.Context, a with[post]) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req.Call, "thread")
	if err != nil {
		return nil, err
	}
	p, err := g.Rooms.Post(ctx, a.Account, a.Req.Command, id, a.Req.Body.post())
	if err != nil {
		return nil, err
	}
	return posted(p)
}

// posted answers with the message that a post or a draft became.
func posted(p parley.Posted) (*edge.Reply, error) {
	if p.Message.Gone { // a repeat after the message was removed
		return nil, gone()
	}
	r := edge.Created(prefix+"/messages/"+string(p.Message.ID), messageShape(p.Message))
	return r.Tag(uint64(p.Message.Revision)).At(p.Revision).Repeat(p.Replayed), nil
}

func (g *Gateway) getMessage(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "message")
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	return g.messageAt(ctx, a.Account, id, atLeast)
}

// messageAt reads a message as of a revision.
func (g *Gateway) messageAt(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (*edge.Reply, error) {
	m, rev, err := g.Mailboxes.Message(ctx, acc, id, atLeast)
	if err != nil {
		return nil, err
	}
	if m.Gone {
		return nil, gone()
	}
	return edge.OK(inThread()(m)).Tag(uint64(m.Revision)).At(rev), nil
}

func gone() error {
	return parley.E(parley.Gone, "gateway.messages", "This message was removed for good.")
}

func (g *Gateway) updateMessage(ctx context.Context, a with[messageChange]) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req.Call, "message")
	if err != nil {
		return nil, err
	}
	rev, replayed, err := g.Mailboxes.ChangeMessages(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), []parley.MessageID{id}, a.Req.Body.change())
	if err != nil {
		return nil, err
	}
	return repeated(replayed)(g.messageAt(ctx, a.Account, id, rev))
}

func (g *Gateway) deleteMessage(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "message")
	if err != nil {
		return nil, err
	}
	return deleted(g.Mailboxes.DeleteMessage(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id))
}
