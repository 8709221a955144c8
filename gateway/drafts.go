package gateway

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) draftRoutes() []edge.Route {
	read, write, send := scopes{parley.ScopeRead}, scopes{parley.ScopeWrite}, scopes{parley.ScopeSend}
	query := []string{"after", "before", "limit", "at_least", "thread"}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/drafts", Name: "listDrafts", Scopes: read, Query: query}, g.listDrafts),
		edge.Bodied(edge.Route{Method: "POST", Path: "/drafts", Name: "createDraft", Scopes: write, Key: edge.MustKey}, g.createDraft),
		edge.Plain(edge.Route{Method: "GET", Path: "/drafts/{draft}", Name: "getDraft", Scopes: read, Query: reading}, g.getDraft),
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/drafts/{draft}", Name: "updateDraft", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.updateDraft),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/drafts/{draft}", Name: "deleteDraft", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.deleteDraft),
		edge.Plain(edge.Route{Method: "POST", Path: "/drafts/{draft}/send", Name: "sendDraft", Scopes: send, Key: edge.MustKey, IfMatch: true}, g.sendDraft),
	}
}

func (g *Gateway) listDrafts(ctx context.Context, a user) (*edge.Reply, error) {
	var q parley.DraftQuery
	var err error
	if q.Page, err = a.Req.Page(); err != nil {
		return nil, err
	}
	if a.Req.Query.Has("thread") {
		if q.Thread = parley.ThreadID(a.Req.Query.Get("thread")); !q.Thread.Valid() {
			return nil, noSuch("thread", "thread")
		}
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	l, err := g.Mailboxes.Drafts(ctx, a.Account, q, atLeast)
	if err != nil {
		return nil, err
	}
	return listing(l, draftShape), nil
}

func (g *Gateway) createDraft(ctx context.Context, a with[newDraft]) (*edge.Reply, error) {
	d, rev, replayed, err := g.Mailboxes.CreateDraft(ctx, a.Account, a.Req.Command, a.Req.Body.draft())
	if err != nil {
		return nil, err
	}
	r := edge.Created(prefix+"/drafts/"+string(d.ID), draftShape(d))
	return r.Tag(uint64(d.Revision)).At(rev).Repeat(replayed), nil
}

func (g *Gateway) getDraft(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "draft")
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	d, rev, err := g.Mailboxes.Draft(ctx, a.Account, id, atLeast)
	if err != nil {
		return nil, err
	}
	return edge.OK(draftShape(d)).Tag(uint64(d.Revision)).At(rev), nil
}

func (g *Gateway) updateDraft(ctx context.Context, a with[draftChange]) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req.Call, "draft")
	if err != nil {
		return nil, err
	}
	d, rev, replayed, err := g.Mailboxes.ChangeDraft(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id, a.Req.Body.change())
	if err != nil {
		return nil, err
	}
	return edge.OK(draftShape(d)).Tag(uint64(d.Revision)).At(rev).Repeat(replayed), nil
}

func (g *Gateway) deleteDraft(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "draft")
	if err != nil {
		return nil, err
	}
	return deleted(g.Mailboxes.DiscardDraft(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id))
}

// sendDraft answers with the message, as a post does.
func (g *Gateway) sendDraft(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "draft")
	if err != nil {
		return nil, err
	}
	p, err := g.Mailboxes.SendDraft(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id)
	if err != nil {
		return nil, err
	}
	return posted(p)
}
