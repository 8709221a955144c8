package gateway

import (
	"cmp"
	"context"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// maxTo is how many are added at once.
const maxTo = 1000

func (g *Gateway) roomRoutes() []edge.Route {
	send := scopes{parley.ScopeSend}
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "POST", Path: "/threads", Name: "createRoom", Scopes: send, Key: edge.MustKey}, g.createRoom),
		edge.Plain(edge.Route{Method: "POST", Path: "/threads/{thread}/join", Name: "joinRoom", Scopes: send, Key: edge.MustKey}, g.joinRoom),
		edge.Plain(edge.Route{Method: "POST", Path: "/threads/{thread}/leave", Name: "leaveRoom", Scopes: send, Key: edge.MustKey}, g.leaveRoom),
	}
}

// newRoom asks for a room.
type newRoom struct {
	Kind parley.Kind `json:"kind"`
	roomFields
	Message *firstPost `json:"message"`
}

// roomFields are what every new room has.
type roomFields struct {
	To      []recipient    `json:"to"`
	Subject string         `json:"subject"`
	History parley.History `json:"history"`
	Open    bool           `json:"open"`
}

type recipient struct {
	Account parley.AccountID `json:"account"`
	Address string           `json:"address"`
}

type firstPost struct {
	Text        string          `json:"text"`
	Attachments []parley.BlobID `json:"attachments"`
}

// Sanitize holds the fields to what a room may have.
func (b *newRoom) Sanitize(t *edge.Texts) {
	if b.Kind != "" && b.Kind != parley.KindRoom {
		t.Fail(edge.Bad("kind", "Only a room is made so."))
	}
	b.sanitize(t)
	if b.Message != nil {
		content(t, "message.", &b.Message.Text, b.Message.Attachments)
	}
}

func (b *roomFields) sanitize(t *edge.Texts) {
	b.History = cmp.Or(b.History, parley.HistoryJoined)
	history(t, b.History)
	t.Line("subject", &b.Subject, maxSubject)
	switch {
	case len(b.To) == 0:
		t.Fail(edge.Bad("to", "A room is made with somebody."))
	case len(b.To) > maxTo:
		t.Fail(&parley.Error{Code: parley.TooManyRecipients, Op: "gateway.rooms", Public: fmt.Sprintf("At most %d recipients.", maxTo), Field: "to"})
		return
	}
	for i := range b.To {
		b.To[i].sanitize(t, place("to", i)+".")
	}
}

func (r *recipient) member() parley.Recipient {
	return parley.Recipient{Account: r.Account, Address: r.Address, Role: parley.RoleMember}
}

// sanitize wants an account or an address. field is its path, with the dot.
func (r *recipient) sanitize(t *edge.Texts, field string) {
	t.Line(field+"address", &r.Address, maxAddress)
	switch {
	case (r.Account == "") == (r.Address == ""):
		t.Fail(edge.Bad(field+"account", "Either an account or an address."))
	case r.Account != "" && !r.Account.Valid():
		t.Fail(noSuch(field+"account", "account"))
	}
}

func (b *roomFields) room() parley.NewRoom {
	n := parley.NewRoom{Subject: b.Subject, History: b.History, Open: b.Open}
	for _, r := range b.To {
		n.To = append(n.To, r.member())
	}
	return n
}

func (b *newRoom) room() parley.NewRoom {
	n := b.roomFields.room()
	if b.Message != nil {
		n.First = &parley.Post{Text: b.Message.Text, Attachments: b.Message.Attachments}
	}
	return n
}

func (g *Gateway) createRoom(ctx context.Context, a with[newRoom]) (*edge.Reply, error) {
	t, rev, replayed, err := g.Rooms.CreateRoom(ctx, a.Account, a.Req.Command, a.Req.Body.room())
	if err != nil {
		return nil, err
	}
	return createdThread(t, rev, replayed), nil
}

// createdThread answers what made a thread.
func createdThread(t parley.Thread, rev parley.Revision, replayed bool) *edge.Reply {
	r := edge.Created(prefix+"/threads/"+string(t.ID), threadShape(t))
	return r.Tag(uint64(t.Revision)).At(rev).Repeat(replayed)
}

func (g *Gateway) joinRoom(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	t, rev, replayed, err := g.Rooms.Join(ctx, a.Account, a.Req.Command, id)
	if err != nil {
		return nil, err
	}
	return edge.OK(threadShape(t)).Tag(uint64(t.Revision)).At(rev).Repeat(replayed), nil
}

func (g *Gateway) leaveRoom(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req, "thread")
	if err != nil {
		return nil, err
	}
	return deleted(g.Rooms.Leave(ctx, a.Account, a.Req.Command, id))
}
