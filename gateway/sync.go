package gateway

import (
	"context"
	"slices"
	"strconv"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/service/future"
)

func (g *Gateway) syncRoutes() []edge.Route {
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/changes", Name: "listChanges", Scopes: scopes{parley.ScopeRead},
			Query: slices.Concat([]string{"since", "limit"}, reading)}, g.listChanges),
	}
}

// changes is what a client that keeps a mirror fetches anew, and what it drops.
type changes struct {
	Since    parley.Revision           `json:"since"`
	Revision parley.Revision           `json:"revision"`
	More     bool                      `json:"more"`
	Threads  touched[parley.ThreadID]  `json:"threads"`
	Messages touched[parley.MessageID] `json:"messages"`
	Drafts   touched[parley.MessageID] `json:"drafts"`
	Folders  touched[parley.FolderID]  `json:"folders"`
	Jobs     []parley.JobID            `json:"jobs"`
	Counts   *ofCounts                 `json:"counts,omitempty"`

	jobs touched[parley.JobID]
}

// touched has each id once, in the order in which they were touched first.
type touched[ID ~string] struct {
	Changed []ID `json:"changed"`
	Removed []ID `json:"removed"`

	order []ID
	gone  map[ID]bool // what is in order, and whether it is gone now
	born  map[ID]bool // came after since
}

func (t *touched[ID]) is(id ID, gone bool) {
	if t.gone == nil {
		t.gone, t.born = map[ID]bool{}, map[ID]bool{}
	}
	if _, known := t.gone[id]; !known {
		t.order = append(t.order, id)
	}
	t.gone[id] = gone
}

func (t *touched[ID]) comes(id ID) {
	if _, known := t.gone[id]; !known {
		t.is(id, false)
		t.born[id] = true
	}
	t.is(id, false)
}

// settle makes the lists. What came and went in between was never known
// (RFC 8620 5.2 lets it be left out).
func (t *touched[ID]) settle() {
	t.Changed, t.Removed = []ID{}, []ID{}
	for _, id := range t.order {
		switch {
		case !t.gone[id]:
			t.Changed = append(t.Changed, id)
		case !t.born[id]:
			t.Removed = append(t.Removed, id)
		}
	}
}

// size is how many ids there are so far.
func (c *changes) size() int {
	return len(c.Threads.order) + len(c.Messages.order) + len(c.Drafts.order) + len(c.Folders.order) + len(c.jobs.order)
}

// tell takes in one event.
func (c *changes) tell(e parley.Event) {
	switch e.Type {
	case parley.MessageCreated:
		c.Messages.comes(e.Message)
	case parley.MessageUpdated, parley.MentionMade:
		c.Messages.is(e.Message, false)
	case parley.MessageRemoved:
		c.Messages.is(e.Message, true)
	case parley.DraftCreated:
		c.Drafts.comes(e.Message)
	case parley.DraftUpdated:
		c.Drafts.is(e.Message, false)
	case parley.DraftRemoved:
		c.Drafts.is(e.Message, true)
	case parley.FolderCreated:
		c.Folders.comes(e.Folder)
	case parley.FolderUpdated:
		c.Folders.is(e.Folder, false)
	case parley.FolderRemoved:
		c.Folders.is(e.Folder, true)
	case parley.JobUpdated, parley.JobFinished:
		c.jobs.is(e.Job.ID, false)
	case parley.CountsChanged:
		c.Counts = &ofCounts{e.Badge, e.Other}
	}
	if e.Thread != "" {
		c.Threads.is(e.Thread, e.Type == parley.ThreadRemoved)
	}
}

// settle makes the lists of each type.
func (c *changes) settle() {
	c.Threads.settle()
	c.Messages.settle()
	c.Drafts.settle()
	c.Folders.settle()
	c.jobs.settle()
	c.Jobs = c.jobs.Changed
}

// listChanges reads whole actions until there are as many ids as asked for.
func (g *Gateway) listChanges(ctx context.Context, a user) (*edge.Reply, error) {
	since, err := sinceOf(a.Req)
	if err != nil {
		return nil, err
	}
	p, err := a.Req.Page()
	if err != nil {
		return nil, err
	}
	if err := g.reached(ctx, a); err != nil {
		return nil, err
	}
	c := &changes{Since: since, Revision: since}
	if err := g.gather(ctx, a.Account, c, p.Limit); err != nil {
		return nil, err
	}
	if err := g.standing(ctx, a.Account, c); err != nil {
		return nil, err
	}
	c.settle()
	return edge.OK(c).At(c.Revision), nil
}

// sinceOf reads since, which is 0 by default.
func sinceOf(c *edge.Call) (parley.Revision, error) {
	if !c.Query.Has("since") {
		return 0, nil
	}
	n, err := strconv.ParseUint(c.Query.Get("since"), 10, 63)
	if err != nil {
		return 0, edge.Bad("since", "A revision is a number; 0 is before everything.")
	}
	return parley.Revision(n), nil
}

// gather follows the events as a stream does, without waiting for more.
func (g *Gateway) gather(ctx context.Context, acc parley.AccountID, c *changes, most int) error {
	at := position{c.Since, endOfRevision}
	for {
		events, head, err := g.Mailboxes.Events(ctx, acc, at.revision, at.index, 0, batch)
		if err != nil {
			return err
		}
		if head > 0 && c.Since > head { // the client knows what this server has never done
			return parley.E(parley.Resync, "gateway.changes", "")
		}
		if len(events) == 0 {
			c.Revision = max(at.revision, head)
			return nil
		}
		for _, e := range events {
			if e.Revision > c.Revision && c.size() >= most { // the action before is whole
				c.More = true
				return nil
			}
			c.tell(e)
			c.Revision, at = e.Revision, position{e.Revision, e.Index}
		}
	}
}

// lookups bounds how many threads are looked at beside each other.
const lookups = 8

// standing looks which of the threads are there now: a thread ends with its last
// message, by whatever ended that.
func (g *Gateway) standing(ctx context.Context, acc parley.AccountID, c *changes) error {
	there, err := future.Gather(ctx, lookups, c.Threads.order, func(ctx context.Context, id parley.ThreadID) (bool, error) {
		t, _, err := g.Mailboxes.Thread(ctx, acc, id, c.Revision)
		switch parley.CodeOf(err) {
		case parley.NotFound, parley.Gone:
			return false, nil
		}
		return err == nil && t.ID == id, err
	}).Await(ctx)
	if err != nil {
		return err
	}
	for i, id := range c.Threads.order {
		c.Threads.gone[id] = !there[i]
	}
	return nil
}
