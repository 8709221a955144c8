package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	pb "github.com/parley-im/parley/messages"
)

// setRoom wraps the commands and the read of a room.
func setRoom(m *pb.Request, cmd any) bool {
	switch c := cmd.(type) {
	case thread.Create:
		m.Command = &pb.Request_Create{Create: create(c)}
	case thread.Post:
		m.Command = &pb.Request_Post{Post: post(c)}
	case thread.Join:
		m.Command = &pb.Request_Join{Join: &pb.Join{Cmd: command(c.Cmd), Who: participant(c.Who)}}
	case thread.Leave:
		m.Command = &pb.Request_Leave{Leave: &pb.Leave{Cmd: command(c.Cmd), Who: string(c.Who), Gone: c.Gone}}
	case thread.Add:
		m.Command = &pb.Request_Add{Add: &pb.Add{Cmd: command(c.Cmd), By: string(c.By), Who: participant(c.Who)}}
	case thread.Remove:
		m.Command = &pb.Request_Remove{Remove: &pb.Remove{Cmd: command(c.Cmd), By: string(c.By), Part: string(c.Part), IfMatch: uint64(c.IfMatch)}}
	case thread.Alter:
		m.Command = &pb.Request_Alter{Alter: &pb.Alter{
			Cmd: command(c.Cmd), By: string(c.By), Subject: c.Subject, Open: c.Open,
			History: optional(c.History, spell[string, parley.History]), Part: string(c.Part), Role: string(c.Role),
			IfMatch: uint64(c.IfMatch),
		}}
	case thread.Split:
		m.Command = &pb.Request_SplitRoom{SplitRoom: &pb.SplitRoom{
			Cmd: command(c.Cmd), By: string(c.By), Room: string(c.Room), Subject: c.Subject, Posts: each(c.Posts, moving),
		}}
	case thread.Made:
		m.Command = &pb.Request_MadeRoom{MadeRoom: &pb.MadeRoom{Room: string(c.Room)}}
	case thread.Came:
		m.Command = &pb.Request_Came{Came: &pb.Came{Account: string(c.Account), Last: uint64(c.Last)}}
	case thread.Ask:
		m.Command = &pb.Request_AskRoom{AskRoom: &pb.AskRoom{Who: string(c.Who)}}
	default:
		return false
	}
	return true
}

func (r *reader) room(m *pb.Request) any {
	switch c := m.GetCommand().(type) {
	case *pb.Request_Create:
		return r.create(c.Create)
	case *pb.Request_Post:
		return r.post(c.Post)
	case *pb.Request_Join:
		return thread.Join{Cmd: r.keyed(c.Join.GetCmd()), Who: unparticipant(c.Join.GetWho())}
	case *pb.Request_Leave:
		return thread.Leave{Cmd: r.keyed(c.Leave.GetCmd()), Who: parley.AccountID(c.Leave.GetWho()), Gone: c.Leave.GetGone()}
	case *pb.Request_Add:
		return thread.Add{Cmd: r.keyed(c.Add.GetCmd()), By: parley.AccountID(c.Add.GetBy()), Who: unparticipant(c.Add.GetWho())}
	case *pb.Request_Remove:
		return thread.Remove{
			Cmd: r.keyed(c.Remove.GetCmd()), By: parley.AccountID(c.Remove.GetBy()), Part: parley.PartID(c.Remove.GetPart()),
			IfMatch: seq(c.Remove.GetIfMatch()),
		}
	case *pb.Request_Alter:
		return r.alter(c.Alter)
	case *pb.Request_SplitRoom:
		return thread.Split{
			Cmd: r.keyed(c.SplitRoom.GetCmd()), By: parley.AccountID(c.SplitRoom.GetBy()), Room: parley.ThreadID(c.SplitRoom.GetRoom()),
			Subject: c.SplitRoom.GetSubject(), Posts: each(c.SplitRoom.GetPosts(), unmoving),
		}
	case *pb.Request_MadeRoom:
		return thread.Made{Room: parley.ThreadID(c.MadeRoom.GetRoom())}
	case *pb.Request_Came:
		return thread.Came{Account: parley.AccountID(c.Came.GetAccount()), Last: seq(c.Came.GetLast())}
	case *pb.Request_AskRoom:
		return thread.Ask{Who: parley.AccountID(c.AskRoom.GetWho())}
	}
	return nil
}

func create(c thread.Create) *pb.Create {
	m := &pb.Create{
		Cmd: command(c.Cmd), Maker: participant(c.Maker), Others: each(c.Others, participant), Subject: c.Subject,
		History: string(c.History), Open: c.Open, Of: string(c.Of), Carried: each(c.Carried, post),
	}
	if c.First != nil {
		m.First = post(*c.First)
	}
	return m
}

func (r *reader) create(m *pb.Create) thread.Create {
	c := thread.Create{
		Cmd: r.keyed(m.GetCmd()), Maker: unparticipant(m.GetMaker()), Others: each(m.GetOthers(), unparticipant),
		Subject: m.GetSubject(), History: parley.History(m.GetHistory()), Open: m.GetOpen(),
		Of: parley.ThreadID(m.GetOf()), Carried: each(m.GetCarried(), r.post),
	}
	if m.GetFirst() != nil {
		first := r.post(m.GetFirst())
		c.First = &first
	}
	return c
}

func post(c thread.Post) *pb.Post {
	return &pb.Post{
		Cmd: command(c.Cmd), Author: string(c.Author), Message: string(c.Message), Text: c.Text, TextBlob: digest(c.TextBlob),
		TextSize: c.TextSize, Excerpt: c.Excerpt, Attachments: each(c.Attachments, roomAttachment),
		ReplyTo: string(c.ReplyTo), Mentions: list[string](c.Mentions), Roster: uint64(c.Roster),
		Carried: carried(c.Carried),
	}
}

func (r *reader) post(c *pb.Post) thread.Post {
	return thread.Post{
		Cmd: r.keyed(c.GetCmd()), Author: parley.AccountID(c.GetAuthor()), Message: parley.MessageID(c.GetMessage()),
		Text: c.GetText(), TextBlob: r.digest(c.GetTextBlob()), TextSize: c.GetTextSize(), Excerpt: c.GetExcerpt(),
		Attachments: each(c.GetAttachments(), r.roomAttachment), ReplyTo: parley.MessageID(c.GetReplyTo()),
		Mentions: list[parley.PartID](c.GetMentions()), Roster: seq(c.GetRoster()),
		Carried: uncarried(c.GetCarried()),
	}
}

func (r *reader) alter(c *pb.Alter) thread.Alter {
	if c == nil {
		c = &pb.Alter{}
	}
	return thread.Alter{
		Cmd: r.keyed(c.Cmd), By: parley.AccountID(c.By), Subject: c.Subject, Open: c.Open,
		History: optional(c.History, spell[parley.History, string]), Part: parley.PartID(c.Part), Role: parley.Role(c.Role),
		IfMatch: seq(c.IfMatch),
	}
}
