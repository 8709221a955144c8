package gateway

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) mailboxRoutes() []edge.Route {
	read := scopes{parley.ScopeRead}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/mailbox", Name: "getMailbox", Scopes: read, Query: reading}, g.getMailbox),
	}
}

type mailbox struct {
	Bytes          int64           `json:"bytes"`
	Messages       int64           `json:"messages"`
	Threads        int64           `json:"threads"`
	Replies        int64           `json:"replies"`
	ActiveContacts int64           `json:"active_contacts"`
	Badge          int64           `json:"badge"`
	Other          int64           `json:"other"`
	Revision       parley.Revision `json:"revision"`
	LastAudit      time.Time       `json:"last_audit,omitzero"`
}

func (g *Gateway) getMailbox(ctx context.Context, a user) (*edge.Reply, error) {
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	s, err := g.Mailboxes.Stats(ctx, a.Account, atLeast)
	if err != nil {
		return nil, err
	}
	return edge.OK(mailbox{
		Bytes: s.Bytes, Messages: s.Messages, Threads: s.Threads, Replies: s.Replies, ActiveContacts: s.ActiveContacts,
		Badge: s.Badge, Other: s.Other, Revision: s.Revision, LastAudit: s.LastAudit.UTC(),
	}).At(s.Revision), nil
}

// reached waits until the mailbox has come to the revision that a read names, for
// what is read in more than one step. What it finds then is at least as new.
func (g *Gateway) reached(ctx context.Context, a user) error {
	atLeast, err := a.Req.AtLeast()
	if err != nil || atLeast == 0 {
		return err
	}
	_, err = g.Mailboxes.Stats(ctx, a.Account, atLeast)
	return err
}

type folder struct {
	ID       parley.FolderID `json:"id"`
	Name     string          `json:"name"`
	Role     string          `json:"role,omitempty"`
	Kind     string          `json:"kind"`
	Parent   parley.FolderID `json:"parent,omitempty"`
	Color    string          `json:"color,omitempty"`
	Counts   counts          `json:"counts"`
	Revision parley.Revision `json:"revision,omitempty"`
}

type counts struct {
	Messages      int64 `json:"messages"`
	Unread        int64 `json:"unread"`
	Threads       int64 `json:"threads"`
	UnreadThreads int64 `json:"unread_threads"`
}

func folderShape(f parley.Folder) folder {
	return folder{
		ID: f.ID, Name: f.Name, Role: f.Role, Kind: f.Kind, Parent: f.Parent, Color: f.Color, Counts: counts(f.Counts),
		Revision: f.Revision,
	}
}

func (g *Gateway) listFolders(ctx context.Context, a user) (*edge.Reply, error) {
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	folders, rev, err := g.Mailboxes.Folders(ctx, a.Account, atLeast)
	if err != nil {
		return nil, err
	}
	return whole(folders, rev, folderShape), nil
}
