package gateway

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) jobRoutes() []edge.Route {
	read, write := scopes{parley.ScopeRead}, scopes{parley.ScopeWrite}
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/messages", Name: "updateMessages", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.updateMessages),
		edge.Plain(edge.Route{Method: "POST", Path: "/folders/{folder}/read", Name: "readFolder", Scopes: write, Key: edge.MustKey}, g.readFolder),
		edge.Plain(edge.Route{Method: "GET", Path: "/jobs", Name: "listJobs", Scopes: read, Query: slices.Concat(paging, reading)}, g.listJobs),
		edge.Plain(edge.Route{Method: "GET", Path: "/jobs/{job}", Name: "getJob", Scopes: read, Query: reading}, g.getJob),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/jobs/{job}", Name: "cancelJob", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.cancelJob),
	}
}

// messagesChange changes many messages alike.
type messagesChange struct {
	IDs []parley.MessageID `json:"ids"`
	messageChange
}

// Sanitize wants each message once.
func (b *messagesChange) Sanitize(t *edge.Texts) {
	names(t, "ids", b.IDs, bound{1, parley.MaxListed, "messages"}, parley.MessageID.Valid, unknownName("message"))
	b.messageChange.Sanitize(t)
}

type tally struct {
	Changed int64 `json:"changed"`
	Missing int64 `json:"missing"`
	Stale   int64 `json:"stale"`
}

type job struct {
	ID         parley.JobID    `json:"id"`
	Kind       parley.JobKind  `json:"kind"`
	State      parley.JobState `json:"state"`
	Done       int64           `json:"done"`
	Total      int64           `json:"total"`
	Result     tally           `json:"result"`
	Import     *importShape    `json:"import,omitempty"`
	Export     *exportShape    `json:"export,omitempty"`
	Error      string          `json:"error,omitempty"`
	CreatedAt  time.Time       `json:"created_at"`
	FinishedAt time.Time       `json:"finished_at,omitzero"`
	Revision   parley.Revision `json:"revision"`
}

func jobShape(j parley.Job) job {
	return job{
		ID: j.ID, Kind: j.Kind, State: j.State, Done: j.Done, Total: j.Total, Result: tally(j.Result), Import: importOf(j), Export: exportOf(j), Error: j.Error,
		CreatedAt: j.CreatedAt.UTC(), FinishedAt: j.FinishedAt.UTC(), Revision: j.Revision,
	}
}

// accepted answers a command that became a job with the job as it is now.
func (g *Gateway) accepted(ctx context.Context, acc parley.AccountID, o parley.Outcome, err error) (*edge.Reply, error) {
	if err != nil {
		return nil, err
	}
	j, rev, err := g.Mailboxes.Job(ctx, acc, o.Job, o.Revision)
	if err = since(o.Replayed, err); err != nil {
		return nil, err
	}
	r := &edge.Reply{Status: http.StatusAccepted, Body: jobShape(j)}
	return r.Set("Location", prefix+"/jobs/"+string(j.ID)).Tag(uint64(j.Revision)).At(rev).Repeat(o.Replayed), nil
}

// counted answers a command on many messages: what it came to, or its job.
func (g *Gateway) counted(ctx context.Context, acc parley.AccountID, o parley.Outcome, err error) (*edge.Reply, error) {
	if err != nil || o.Job != "" {
		return g.accepted(ctx, acc, o, err)
	}
	return edge.OK(tally(o.Tally)).At(o.Revision).Repeat(o.Replayed), nil
}

func (g *Gateway) updateMessages(ctx context.Context, a with[messagesChange]) (*edge.Reply, error) {
	b := a.Req.Body
	o, err := g.Mailboxes.ChangeMany(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), b.IDs, b.change())
	return g.counted(ctx, a.Account, o, err)
}

func (g *Gateway) readFolder(ctx context.Context, a user) (*edge.Reply, error) {
	f := parley.FolderID(a.Req.Param("folder"))
	if !f.Valid() {
		return nil, parley.E(parley.NotFound, "gateway.folders", "There is no such folder.")
	}
	o, err := g.Mailboxes.ReadFolder(ctx, a.Account, a.Req.Command, f)
	return g.counted(ctx, a.Account, o, err)
}

func (g *Gateway) listJobs(ctx context.Context, a user) (*edge.Reply, error) {
	p, err := a.Req.Page()
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	l, err := g.Mailboxes.Jobs(ctx, a.Account, p, atLeast)
	if err != nil {
		return nil, err
	}
	return listing(l, jobShape), nil
}

func (g *Gateway) getJob(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.JobID](a.Req, "job")
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	return g.jobAt(ctx, a.Account, id, atLeast)
}

func (g *Gateway) jobAt(ctx context.Context, acc parley.AccountID, id parley.JobID, atLeast parley.Revision) (*edge.Reply, error) {
	j, rev, err := g.Mailboxes.Job(ctx, acc, id, atLeast)
	if err != nil {
		return nil, err
	}
	return edge.OK(jobShape(j)).Tag(uint64(j.Revision)).At(rev), nil
}

// cancelJob tells how far the job came.
func (g *Gateway) cancelJob(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.JobID](a.Req, "job")
	if err != nil {
		return nil, err
	}
	rev, replayed, err := g.Mailboxes.CancelJob(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id)
	if err != nil {
		return nil, err
	}
	return repeated(replayed)(g.jobAt(ctx, a.Account, id, rev))
}
