package wire

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setChange wraps the commands of a mailbox.
func setChange(m *pb.Request, cmd any) bool {
	switch c := cmd.(type) {
	case mailbox.Deliver:
		m.Command = &pb.Request_Deliver{Deliver: &pb.Deliver{
			Room: string(c.Room), Deliveries: each(c.Deliveries, delivery), Blobs: each(c.Blobs, blobNames),
			Notices: list[string](c.Notices),
		}}
	case mailbox.DeliverMail:
		m.Command = &pb.Request_DeliverMail{DeliverMail: deliverMail(c)}
	case mailbox.ChangeMessages:
		m.Command = &pb.Request_ChangeMessages{ChangeMessages: &pb.ChangeMessages{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Messages: list[string](c.Messages), Change: change(c.Change),
		}}
	case mailbox.ChangeThread:
		m.Command = &pb.Request_ChangeThread{ChangeThread: &pb.ChangeThread{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Thread: string(c.Thread), Change: threadChange(c.Change),
			Op: uint32(c.Op), Job: string(c.Job),
		}}
	case mailbox.DeleteMessage:
		m.Command = &pb.Request_DeleteMessage{DeleteMessage: &pb.DeleteMessage{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Message: string(c.Message),
		}}
	case mailbox.Upload:
		m.Command = &pb.Request_Upload{Upload: &pb.Upload{Cmd: command(c.Cmd), Id: string(c.ID), Blob: copyBlob(c.Blob)}}
	case mailbox.SplitThread:
		m.Command = &pb.Request_SplitThread{SplitThread: &pb.SplitThread{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Thread: string(c.Thread), Messages: list[string](c.Messages),
			From: string(c.From), NewThread: string(c.NewThread),
		}}
	case mailbox.MergeThreads:
		m.Command = &pb.Request_MergeThreads{MergeThreads: &pb.MergeThreads{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Thread: string(c.Thread), With: string(c.With),
		}}
	case mailbox.Reparse:
		m.Command = &pb.Request_Reparse{Reparse: reparse(c)}
	case mailbox.Undo:
		m.Command = &pb.Request_Undo{Undo: &pb.Undo{Cmd: command(c.Cmd), Revision: uint64(c.Revision)}}
	case mailbox.CreateFolder, mailbox.ChangeFolder, mailbox.DeleteFolder:
		setFolderChange(m, c)
	case mailbox.Close:
		m.Command = &pb.Request_Close{Close: &pb.Close{}}
	default:
		return false
	}
	return true
}

func (r *reader) change(m *pb.Request) any {
	switch c := m.GetCommand().(type) {
	case *pb.Request_Deliver:
		d := c.Deliver
		return mailbox.Deliver{
			Room: parley.ThreadID(d.GetRoom()), Deliveries: each(d.GetDeliveries(), r.delivery),
			Blobs: each(d.GetBlobs(), unblobNames), Notices: list[parley.MessageID](d.GetNotices()),
		}
	case *pb.Request_DeliverMail:
		return r.deliverMail(c.DeliverMail)
	case *pb.Request_ChangeMessages:
		d := c.ChangeMessages
		return mailbox.ChangeMessages{
			Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), Messages: list[parley.MessageID](d.GetMessages()),
			Change: unchange(d.GetChange()),
		}
	case *pb.Request_ChangeThread:
		d := c.ChangeThread
		return mailbox.ChangeThread{
			Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), Thread: parley.ThreadID(d.GetThread()),
			Change: unthreadChange(d.GetChange()), Op: r.threadOp(d.GetOp()), Job: parley.JobID(d.GetJob()),
		}
	case *pb.Request_DeleteMessage:
		d := c.DeleteMessage
		return mailbox.DeleteMessage{
			Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), Message: parley.MessageID(d.GetMessage()),
		}
	case *pb.Request_Upload:
		d := c.Upload
		return mailbox.Upload{Cmd: r.keyed(d.GetCmd()), ID: parley.BlobID(d.GetId()), Blob: r.copyBlob(d.GetBlob())}
	case *pb.Request_SplitThread:
		d := c.SplitThread
		return mailbox.SplitThread{
			Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), Thread: parley.ThreadID(d.GetThread()),
			Messages: list[parley.MessageID](d.GetMessages()), From: parley.MessageID(d.GetFrom()),
			NewThread: parley.ThreadID(d.GetNewThread()),
		}
	case *pb.Request_MergeThreads:
		d := c.MergeThreads
		return mailbox.MergeThreads{
			Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), Thread: parley.ThreadID(d.GetThread()),
			With: parley.ThreadID(d.GetWith()),
		}
	case *pb.Request_Reparse:
		return r.reparse(c.Reparse)
	case *pb.Request_Undo:
		return mailbox.Undo{Cmd: r.keyed(c.Undo.GetCmd()), Revision: revision(c.Undo.GetRevision())}
	case *pb.Request_CreateFolder, *pb.Request_ChangeFolder, *pb.Request_DeleteFolder:
		return r.folderChange(c)
	case *pb.Request_Close:
		return mailbox.Close{}
	}
	return nil
}

// threadOp refuses an operation that a later version knows, rather than do less.
func (r *reader) threadOp(op uint32) mailbox.ThreadOp {
	if op > uint32(mailbox.OpRestore) {
		r.fail("operation %d on a thread", op)
	}
	return mailbox.ThreadOp(op)
}

func blobNames(ids []parley.BlobID) *pb.Names { return &pb.Names{Names: list[string](ids)} }

func unblobNames(ns *pb.Names) []parley.BlobID { return list[parley.BlobID](ns.GetNames()) }

func change(c parley.Change) *pb.Change {
	return &pb.Change{
		Seen: c.Seen, Flagged: c.Flagged, Folders: names(c.Folders), Add: names(c.Add), Remove: names(c.Remove),
		Labels: names(c.Labels),
	}
}

func unchange(c *pb.Change) parley.Change {
	if c == nil {
		return parley.Change{}
	}
	return parley.Change{
		Seen: c.Seen, Flagged: c.Flagged, Folders: unnames[parley.FolderID](c.Folders),
		Add: unnames[parley.FolderID](c.Add), Remove: unnames[parley.FolderID](c.Remove),
		Labels: unnames[parley.FolderID](c.Labels),
	}
}

func threadChange(c parley.ThreadChange) *pb.ThreadChange {
	return &pb.ThreadChange{
		Change: change(c.Change), Archived: c.Archived, Muted: c.Muted, Subject: c.Subject, Open: c.Open,
		History: optional(c.History, spell[string, parley.History]),
	}
}

func unthreadChange(c *pb.ThreadChange) parley.ThreadChange {
	if c == nil {
		return parley.ThreadChange{}
	}
	return parley.ThreadChange{
		Change: unchange(c.Change), Archived: c.Archived, Muted: c.Muted, Subject: c.Subject, Open: c.Open,
		History: optional(c.History, spell[parley.History, string]),
	}
}

func deliverMail(c mailbox.DeliverMail) *pb.DeliverMail {
	return &pb.DeliverMail{
		Cmd: command(c.Cmd), KeyLifeNanos: int64(c.KeyLife), Envelope: arrival(c.Envelope), Message: copyMessage(c.Message),
		Nodes: hashes(c.Nodes), Signals: list[string](c.Signals), Evidence: c.Evidence, NewThread: string(c.NewThread),
		Import: c.Import, Folders: names(c.Folders), Keywords: list[string](c.Keywords), BornRead: c.BornRead, Raw: c.Raw,
		Quota: c.Quota,
	}
}

func (r *reader) deliverMail(c *pb.DeliverMail) mailbox.DeliverMail {
	return mailbox.DeliverMail{
		Cmd: r.keyed(c.GetCmd()), KeyLife: time.Duration(c.GetKeyLifeNanos()), Envelope: unarrival(c.GetEnvelope()),
		Message: r.copyMessage(c.GetMessage()), Nodes: r.hashes(c.GetNodes()), Signals: list[parley.Signal](c.GetSignals()),
		Evidence: list[string](c.GetEvidence()), NewThread: parley.ThreadID(c.GetNewThread()), Import: c.GetImport(),
		Folders: unnames[parley.FolderID](c.GetFolders()), Keywords: list[parley.Keyword](c.GetKeywords()),
		BornRead: c.GetBornRead(), Raw: c.GetRaw(), Quota: c.GetQuota(),
	}
}
