package wire

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setAsk wraps the reads of a mailbox.
func setAsk(m *pb.Request, cmd any) bool {
	switch c := cmd.(type) {
	case mailbox.AskStats:
		m.Command = &pb.Request_AskStats{AskStats: &pb.AskStats{}}
	case mailbox.AskFolders:
		m.Command = &pb.Request_AskFolders{AskFolders: &pb.AskFolders{}}
	case mailbox.AskThreads:
		m.Command = &pb.Request_AskThreads{AskThreads: &pb.AskThreads{Query: query(c.Query), People: hashes(c.People)}}
	case mailbox.AskThread:
		m.Command = &pb.Request_AskThread{AskThread: &pb.AskThread{Id: string(c.ID)}}
	case mailbox.AskMessages:
		m.Command = &pb.Request_AskMessages{AskMessages: &pb.AskMessages{
			Thread: string(c.Thread), Around: string(c.Around), Page: page(c.Page), Notices: c.Notices,
		}}
	case mailbox.AskMessage:
		m.Command = &pb.Request_AskMessage{AskMessage: &pb.AskMessage{Id: string(c.ID)}}
	case mailbox.AskPlace:
		m.Command = &pb.Request_AskPlace{AskPlace: &pb.AskPlace{Id: string(c.ID)}}
	case mailbox.AskBody:
		m.Command = &pb.Request_AskBody{AskBody: &pb.AskBody{Id: string(c.ID)}}
	case mailbox.AskBlob:
		m.Command = &pb.Request_AskBlob{AskBlob: &pb.AskBlob{Id: string(c.ID)}}
	case mailbox.AskEvents:
		m.Command = &pb.Request_AskEvents{AskEvents: &pb.AskEvents{
			Since: uint64(c.Since), Index: int64(c.Index), WaitNanos: int64(c.Wait), Limit: int64(c.Limit),
		}}
	default:
		return false
	}
	return true
}

func (r *reader) ask(m *pb.Request) any {
	switch c := m.GetCommand().(type) {
	case *pb.Request_AskStats:
		return mailbox.AskStats{}
	case *pb.Request_AskFolders:
		return mailbox.AskFolders{}
	case *pb.Request_AskThreads:
		return mailbox.AskThreads{Query: unquery(c.AskThreads.GetQuery()), People: r.hashes(c.AskThreads.GetPeople())}
	case *pb.Request_AskThread:
		return mailbox.AskThread{ID: parley.ThreadID(c.AskThread.GetId())}
	case *pb.Request_AskMessages:
		q := c.AskMessages
		return mailbox.AskMessages{
			Thread: parley.ThreadID(q.GetThread()), Around: parley.MessageID(q.GetAround()), Page: unpage(q.GetPage()),
			Notices: q.GetNotices(),
		}
	case *pb.Request_AskMessage:
		return mailbox.AskMessage{ID: parley.MessageID(c.AskMessage.GetId())}
	case *pb.Request_AskPlace:
		return mailbox.AskPlace{ID: parley.MessageID(c.AskPlace.GetId())}
	case *pb.Request_AskBody:
		return mailbox.AskBody{ID: parley.MessageID(c.AskBody.GetId())}
	case *pb.Request_AskBlob:
		return mailbox.AskBlob{ID: parley.BlobID(c.AskBlob.GetId())}
	case *pb.Request_AskEvents:
		q := c.AskEvents
		return mailbox.AskEvents{
			Since: revision(q.GetSince()), Index: int(q.GetIndex()), Wait: time.Duration(q.GetWaitNanos()),
			Limit: int(q.GetLimit()),
		}
	}
	return nil
}

func query(q parley.ThreadQuery) *pb.ThreadQuery {
	return &pb.ThreadQuery{
		Folder: string(q.Folder), Unread: q.Unread, Participant: q.Participant, Kind: string(q.Kind), Page: page(q.Page),
		Label: string(q.Label), Flagged: q.Flagged, Muted: q.Muted, Channel: string(q.Channel),
	}
}

func unquery(q *pb.ThreadQuery) parley.ThreadQuery {
	if q == nil {
		return parley.ThreadQuery{}
	}
	return parley.ThreadQuery{
		Folder: parley.FolderID(q.Folder), Unread: q.Unread, Participant: q.Participant, Kind: parley.Kind(q.Kind),
		Page: unpage(q.Page), Label: parley.FolderID(q.Label), Flagged: q.Flagged, Muted: q.Muted,
		Channel: parley.Channel(q.Channel),
	}
}
