package gateway

import (
	"context"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) makeRoomRoutes() []edge.Route {
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "POST", Path: "/threads/{thread}/make_room", Name: "makeRoom", Scopes: scopes{parley.ScopeSend}, Key: edge.MustKey, Query: []string{"preview"}}, g.makeRoom),
	}
}

// mailRoom asks for a room that begins with messages of a mail thread.
type mailRoom struct {
	roomFields
	Messages []parley.MessageID `json:"messages"`
}

// Sanitize holds the fields to what a room may have.
func (b *mailRoom) Sanitize(t *edge.Texts) {
	b.sanitize(t)
	if len(b.Messages) > parley.MaxCarried {
		t.Fail(&parley.Error{Code: parley.TooLarge, Op: "gateway.makeroom", Public: fmt.Sprintf("A room takes at most %d messages along.", parley.MaxCarried), Field: "messages"})
		return
	}
	messageNames(t, "messages", b.Messages, bound{0, parley.MaxCarried, "messages"})
}

func (b *mailRoom) room() parley.RoomOfMail {
	return parley.RoomOfMail{NewRoom: b.roomFields.room(), Messages: b.Messages}
}

type roomPreview struct {
	Subject      string          `json:"subject"`
	Participants []newcomerShape `json:"participants"`
	Outside      []author        `json:"outside"`
	Messages     []carried       `json:"messages"`
	Earlier      int64           `json:"earlier"`
}

// newcomerShape is who would be in a room that is not there yet.
type newcomerShape struct {
	Account parley.AccountID `json:"account"`
	Name    string           `json:"name"`
	Role    parley.Role      `json:"role"`
}

// carried is a message as all participants would read it.
type carried struct {
	ID          parley.MessageID `json:"id"`
	Author      author           `json:"author"`
	At          string           `json:"at"`
	Subject     string           `json:"subject"`
	Text        string           `json:"text"`
	Attachments []string         `json:"attachments"`
}

func (g *Gateway) makeRoom(ctx context.Context, a with[mailRoom]) (*edge.Reply, error) {
	id, err := edge.ID[parley.ThreadID](a.Req.Call, "thread")
	if err != nil {
		return nil, err
	}
	preview, err := yesOrNo(a.Req.Call, "preview")
	if err != nil {
		return nil, err
	}
	if value(preview) {
		p, err := g.Rooms.PreviewRoom(ctx, a.Account, id, a.Req.Body.room())
		if err != nil {
			return nil, err
		}
		return edge.OK(previewShape(p)), nil
	}
	t, rev, replayed, err := g.Rooms.MakeRoom(ctx, a.Account, a.Req.Command, id, a.Req.Body.room())
	if err != nil {
		return nil, err
	}
	return createdThread(t, rev, replayed), nil
}

func previewShape(p parley.RoomPreview) roomPreview {
	return roomPreview{
		Subject: p.Subject, Outside: each(p.Outside, authorShape), Earlier: p.Earlier,
		Participants: each(p.Participants, func(p parley.Participant) newcomerShape {
			return newcomerShape{p.Account, p.Name, p.Role}
		}),
		Messages: each(p.Messages, func(m parley.Message) carried {
			return carried{m.ID, authorShape(m.Author), m.At.UTC().Format("2006-01-02T15:04:05Z07:00"), m.Subject, m.Text,
				each(m.Attachments, func(a parley.Attachment) string { return a.Name })}
		}),
	}
}
