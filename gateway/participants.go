package gateway

import (
	"cmp"
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) participantRoutes() []edge.Route {
	read, send := scopes{parley.ScopeRead}, scopes{parley.ScopeSend}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/threads/{thread}/participants", Name: "listParticipants", Scopes: read, Query: reading}, g.listParticipants),
		edge.Bodied(edge.Route{Method: "POST", Path: "/threads/{thread}/participants", Name: "addParticipant", Scopes: send, Key: edge.MustKey}, g.addParticipant),
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/threads/{thread}/participants/{participant}", Name: "updateParticipant", Scopes: send, Key: edge.MayKey, IfMatch: true}, g.updateParticipant),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/threads/{thread}/participants/{participant}", Name: "removeParticipant", Scopes: send, Key: edge.MayKey, IfMatch: true}, g.removeParticipant),
	}
}

type participant = edge.Participant

func participantShape(p parley.Participant) participant { return participant(p) }

// newParticipant names whom to add.
type newParticipant struct {
	Account parley.AccountID `json:"account"`
	Address string           `json:"address"`
	Role    parley.Role      `json:"role"`
}

// Sanitize wants an account or an address.
func (b *newParticipant) Sanitize(t *edge.Texts) {
	r := recipient{Account: b.Account, Address: b.Address}
	r.sanitize(t, "")
	b.Address = r.Address
	b.Role = cmp.Or(b.Role, parley.RoleMember)
	role(t, b.Role)
}

// participantChange is a new role.
type participantChange struct {
	Role parley.Role `json:"role"`
}

// Sanitize wants a role that there is.
func (b *participantChange) Sanitize(t *edge.Texts) { role(t, b.Role) }

func role(t *edge.Texts, r parley.Role) {
	if r != parley.RoleMember && r != parley.RoleModerator {
		t.Fail(edge.Bad("role", "moderator or member."))
	}
}

type roster struct {
	list[participant]
	RosterVersion parley.Seq `json:"roster_version"`
}

func (g *Gateway) listParticipants(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	ps, version, rev, err := g.Rooms.Participants(ctx, a.Account, id, atLeast)
	if err != nil {
		return nil, err
	}
	l := list[participant]{Data: each(ps, participantShape), Revision: rev}
	return edge.OK(roster{list: l, RosterVersion: version}).Tag(uint64(version)).At(rev), nil
}

func (g *Gateway) addParticipant(ctx context.Context, a with[newParticipant]) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req.Call, "thread")
	if err != nil {
		return nil, err
	}
	p, rev, replayed, err := g.Rooms.AddParticipant(ctx, a.Account, a.Req.Command, id, parley.Recipient(*a.Req.Body))
	if err != nil {
		return nil, err
	}
	return edge.Created("", participantShape(p)).At(rev).Repeat(replayed), nil
}

// seat is a participant of a room, as the path names it.
func seat(c *edge.Call) (parley.ThreadID, parley.PartID, error) {
	id, err := edge.ID[parley.ThreadID](c, "thread")
	if err != nil {
		return "", "", err
	}
	pid, err := edge.ID[parley.PartID](c, "participant")
	return id, pid, err
}

func (g *Gateway) updateParticipant(ctx context.Context, a with[participantChange]) (*edge.Reply, error) {
	id, pid, err := seat(a.Req.Call)
	if err != nil {
		return nil, err
	}
	p, rev, replayed, err := g.Rooms.ChangeParticipant(ctx, a.Account, a.Req.Command, parley.Seq(a.Req.IfMatch), id, pid, a.Req.Body.Role)
	if err != nil {
		return nil, err
	}
	return edge.OK(participantShape(p)).At(rev).Repeat(replayed), nil
}

func (g *Gateway) removeParticipant(ctx context.Context, a user) (*edge.Reply, error) {
	id, pid, err := seat(a.Req)
	if err != nil {
		return nil, err
	}
	return deleted(g.Rooms.RemoveParticipant(ctx, a.Account, a.Req.Command, parley.Seq(a.Req.IfMatch), id, pid))
}
