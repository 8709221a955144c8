package wire

import (
	"github.com/parley-im/parley"
	pb "github.com/parley-im/parley/messages"
)

func threadView(t parley.Thread) *pb.Thread {
	return &pb.Thread{
		Id: string(t.ID), Kind: string(t.Kind), Subject: t.Subject, Excerpt: t.Excerpt, Messages: t.Messages,
		Unread: t.Unread, Folders: list[string](t.Folders), Muted: t.Muted, LastMessage: string(t.LastMessage),
		LastAt: micros(t.LastAt), LastAuthor: author(t.LastAuthor), Participants: each(t.Participants, participant),
		Authors: each(t.Authors, author), RosterVersion: uint64(t.RosterVersion), Seq: uint64(t.Seq),
		History: string(t.History), Open: t.Open, State: string(t.State), Revision: uint64(t.Revision),
		Linked: list[string](t.Linked),
	}
}

func unthreadView(t *pb.Thread) parley.Thread {
	if t == nil {
		return parley.Thread{}
	}
	return parley.Thread{
		ID: parley.ThreadID(t.Id), Kind: parley.Kind(t.Kind), Subject: t.Subject, Excerpt: t.Excerpt, Messages: t.Messages,
		Unread: t.Unread, Folders: list[parley.FolderID](t.Folders), Muted: t.Muted,
		LastMessage: parley.MessageID(t.LastMessage), LastAt: moment(t.LastAt), LastAuthor: unauthor(t.LastAuthor),
		Participants: each(t.Participants, unparticipant), Authors: each(t.Authors, unauthor),
		RosterVersion: seq(t.RosterVersion), Seq: seq(t.Seq), History: parley.History(t.History), Open: t.Open,
		State: parley.PartState(t.State), Revision: revision(t.Revision),
		Linked: list[parley.ThreadID](t.Linked),
	}
}

func messageView(m parley.Message) *pb.Message {
	return &pb.Message{
		Id: string(m.ID), Thread: string(m.Thread), Generation: m.Generation, Notice: string(m.Notice), Seq: uint64(m.Seq),
		Author: author(m.Author), Channel: string(m.Channel), Subject: m.Subject, Text: m.Text, HasHtml: m.HasHTML,
		Excerpt: m.Excerpt, Attachments: each(m.Attachments, attachment), Mentions: list[string](m.Mentions),
		ReplyTo: string(m.ReplyTo), At: micros(m.At), ReceivedAt: micros(m.ReceivedAt), Folders: list[string](m.Folders),
		Keywords: list[string](m.Keywords), Size: m.Size, MessageId: m.MessageID, To: each(m.To, address),
		Cc: each(m.Cc, address), Subjects: list[string](m.Subjects), Gone: m.Gone, Revision: uint64(m.Revision),
	}
}

func unmessageView(m *pb.Message) parley.Message {
	if m == nil {
		return parley.Message{}
	}
	return parley.Message{
		ID: parley.MessageID(m.Id), Thread: parley.ThreadID(m.Thread), Generation: m.Generation,
		Notice: parley.Notice(m.Notice), Seq: seq(m.Seq), Author: unauthor(m.Author), Channel: parley.Channel(m.Channel),
		Subject: m.Subject, Text: m.Text, HasHTML: m.HasHtml, Excerpt: m.Excerpt,
		Attachments: each(m.Attachments, unattachment), Mentions: list[parley.PartID](m.Mentions),
		ReplyTo: parley.MessageID(m.ReplyTo), At: moment(m.At), ReceivedAt: moment(m.ReceivedAt),
		Folders: list[parley.FolderID](m.Folders), Keywords: list[parley.Keyword](m.Keywords), Size: m.Size,
		MessageID: m.MessageId, To: each(m.To, unaddress), Cc: each(m.Cc, unaddress),
		Subjects: list[parley.PartID](m.Subjects), Gone: m.Gone, Revision: revision(m.Revision),
	}
}

func explanation(e parley.Explanation) *pb.Explanation {
	return &pb.Explanation{
		Thread: string(e.Thread), Signal: string(e.Signal), Evidence: e.Evidence, Folders: list[string](e.Folders),
		Rule: e.Rule, Arrivals: each(e.Arrivals, arrival),
	}
}

func unexplanation(e *pb.Explanation) parley.Explanation {
	return parley.Explanation{
		Thread: parley.ThreadID(e.GetThread()), Signal: parley.Signal(e.GetSignal()), Evidence: e.GetEvidence(),
		Folders: list[parley.FolderID](e.GetFolders()), Rule: e.GetRule(), Arrivals: each(e.GetArrivals(), unarrival),
	}
}

func folderView(f parley.Folder) *pb.Folder {
	return &pb.Folder{
		Id: string(f.ID), Name: f.Name, Role: f.Role, Kind: f.Kind, Messages: f.Counts.Messages, Unread: f.Counts.Unread,
		Threads: f.Counts.Threads, UnreadThreads: f.Counts.UnreadThreads,
		Parent: string(f.Parent), Color: f.Color, Revision: uint64(f.Revision),
	}
}

func unfolderView(f *pb.Folder) parley.Folder {
	return parley.Folder{ID: parley.FolderID(f.GetId()), Name: f.GetName(), Role: f.GetRole(), Kind: f.GetKind(), Counts: parley.Counts{
		Messages: f.GetMessages(), Unread: f.GetUnread(), Threads: f.GetThreads(), UnreadThreads: f.GetUnreadThreads(),
	}, Parent: parley.FolderID(f.GetParent()), Color: f.GetColor(), Revision: revision(f.GetRevision())}
}

func event(e parley.Event) *pb.Event {
	return &pb.Event{
		Revision: uint64(e.Revision), Index: int64(e.Index), Type: string(e.Type), At: micros(e.At), Thread: string(e.Thread),
		Message: string(e.Message), Parts: list[string](e.Parts), Badge: e.Badge, Other: e.Other, Cause: commandID(e.Cause),
		Folder: string(e.Folder), Job: eventJob(e.Job),
	}
}

func (r *reader) event(e *pb.Event) parley.Event {
	if e == nil {
		return parley.Event{}
	}
	return parley.Event{
		Revision: revision(e.Revision), Index: int(e.Index), Type: parley.EventType(e.Type), At: moment(e.At),
		Thread: parley.ThreadID(e.Thread), Message: parley.MessageID(e.Message), Parts: list[parley.PartID](e.Parts),
		Badge: e.Badge, Other: e.Other, Cause: r.commandID(e.Cause), Folder: parley.FolderID(e.Folder),
		Job: uneventJob(e.Job),
	}
}
