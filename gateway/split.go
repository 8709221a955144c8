package gateway

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// maxSplit is how many messages a split names; one that says from where on may
// move more.
const maxSplit = 500

func (g *Gateway) splitRoutes() []edge.Route {
	write := scopes{parley.ScopeWrite}
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "POST", Path: "/threads/{thread}/split", Name: "splitThread", Scopes: write, Key: edge.MustKey, IfMatch: true}, g.splitThread),
		edge.Bodied(edge.Route{Method: "POST", Path: "/threads/{thread}/merge", Name: "mergeThreads", Scopes: write, Key: edge.MustKey, IfMatch: true}, g.mergeThreads),
	}
}

// split names messages, or the first that goes.
type split struct {
	Messages []parley.MessageID `json:"messages"`
	From     parley.MessageID   `json:"from"`
	Subject  string             `json:"subject"`
}

// Sanitize wants one or the other.
func (b *split) Sanitize(t *edge.Texts) {
	switch {
	case (b.From == "") == (len(b.Messages) == 0):
		t.Fail(edge.Bad("messages", "Either messages, or from which on."))
	case b.From != "" && !b.From.Valid():
		t.Fail(noSuch("from", "message"))
	}
	messageNames(t, "messages", b.Messages, bound{0, maxSplit, "messages"})
	t.Line("subject", &b.Subject, maxSubject)
}

func (g *Gateway) splitThread(ctx context.Context, a with[split]) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req.Call, "thread")
	if err != nil {
		return nil, err
	}
	if err := g.maySplit(ctx, a, id); err != nil {
		return nil, err
	}
	s := parley.Split{Messages: a.Req.Body.Messages, From: a.Req.Body.From, Subject: a.Req.Body.Subject}
	made, rev, replayed, err := g.Mailboxes.SplitThread(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id, s)
	if err != nil {
		return nil, err
	}
	t, at, err := g.Mailboxes.Thread(ctx, a.Account, made, rev)
	if err = since(replayed, err); err != nil {
		return nil, err
	}
	return createdThread(t, at, replayed), nil
}

// maySplit wants the scope send where the split is one for all.
func (g *Gateway) maySplit(ctx context.Context, a with[split], id parley.ThreadID) error {
	if a.May(parley.ScopeSend) {
		return nil
	}
	if t, _, err := g.Mailboxes.Thread(ctx, a.Account, id, 0); err == nil && t.Kind == parley.KindRoom {
		return &parley.Error{Code: parley.NotPermitted, Op: "gateway.split", Public: "This changes the room for all and needs the scope send."}
	}
	return nil
}

// merge names the other thread.
type merge struct {
	Thread parley.ThreadID `json:"thread"`
}

// Sanitize wants a thread.
func (b *merge) Sanitize(t *edge.Texts) {
	if !b.Thread.Valid() {
		t.Fail(noSuch("thread", "thread"))
	}
}

func (g *Gateway) mergeThreads(ctx context.Context, a with[merge]) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req.Call, "thread")
	if err != nil {
		return nil, err
	}
	one, rev, replayed, err := g.Mailboxes.MergeThreads(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id, a.Req.Body.Thread)
	if err != nil {
		return nil, err
	}
	return repeated(replayed)(g.threadAt(ctx, a.Account, one, rev))
}
