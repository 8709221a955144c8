package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setAnswer wraps the answers of a mailbox.
func setAnswer(m *pb.Reply, answer any) bool {
	switch a := answer.(type) {
	case mailbox.Reply:
		m.Answer = &pb.Reply_MailboxReply{MailboxReply: &pb.MailboxReply{
			Revision: uint64(a.Revision), Replayed: a.Replayed, Last: uint64(a.Last), Messages: list[string](a.Messages),
			Thread: string(a.Thread), Blob: string(a.Blob), Filed: a.Filed, Job: string(a.Job), Tally: tally(a.Tally), Reread: each(a.Reread, reread),
			Undone: a.Undone.Undone, Skipped: a.Undone.Skipped,
			Folder: string(a.Folder),
		}}
	case parley.Stats:
		m.Answer = &pb.Reply_Stats{Stats: stats(a)}
	case mailbox.Folders:
		m.Answer = &pb.Reply_Folders{Folders: &pb.Folders{Folders: each(a.Folders, folderView), Revision: uint64(a.Revision)}}
	case parley.Listing[parley.Thread]:
		m.Answer = &pb.Reply_Threads{Threads: &pb.ThreadListing{
			Items: each(a.Items, threadView), Next: a.Next, Prev: a.Prev, Total: a.Total, Revision: uint64(a.Revision),
		}}
	case mailbox.OneThread:
		m.Answer = &pb.Reply_Thread{Thread: &pb.OneThread{Thread: threadView(a.Thread), Revision: uint64(a.Revision)}}
	case parley.Listing[parley.Message]:
		m.Answer = &pb.Reply_Messages{Messages: &pb.MessageListing{
			Items: each(a.Items, messageView), Next: a.Next, Prev: a.Prev, Total: a.Total, Revision: uint64(a.Revision),
		}}
	case mailbox.OneMessage:
		m.Answer = &pb.Reply_Message{Message: &pb.OneMessage{
			Message: messageView(a.Message), Explanation: explanation(a.Explanation), Revision: uint64(a.Revision),
		}}
	case mailbox.Bytes:
		m.Answer = &pb.Reply_Bytes{Bytes: &pb.Bytes{
			Raw: a.Raw, Blob: digest(a.Blob), Mail: a.Mail, Path: a.Path, Attachment: attachment(a.Attachment),
			Revision: uint64(a.Revision),
		}}
	case mailbox.OneJob:
		m.Answer = &pb.Reply_Job{Job: &pb.OneJob{Job: jobView(a.Job), Revision: uint64(a.Revision)}}
	case parley.Listing[parley.Job]:
		m.Answer = &pb.Reply_Jobs{Jobs: &pb.JobListing{
			Items: each(a.Items, jobView), Next: a.Next, Prev: a.Prev, Total: a.Total, Revision: uint64(a.Revision),
		}}
	case mailbox.Events:
		m.Answer = &pb.Reply_Events{Events: &pb.Events{Events: each(a.Events, event), Head: uint64(a.Head)}}
	default:
		return false
	}
	return true
}

func (r *reader) answer(m *pb.Reply) any {
	switch a := m.GetAnswer().(type) {
	case *pb.Reply_MailboxReply:
		p := a.MailboxReply
		return mailbox.Reply{
			Revision: revision(p.GetRevision()), Replayed: p.GetReplayed(), Last: seq(p.GetLast()),
			Messages: list[parley.MessageID](p.GetMessages()), Thread: parley.ThreadID(p.GetThread()),
			Blob: parley.BlobID(p.GetBlob()), Filed: p.GetFiled(), Job: parley.JobID(p.GetJob()), Tally: untally(p.GetTally()), Reread: each(p.GetReread(), unreread),
			Undone: mailbox.Undone{Undone: p.GetUndone(), Skipped: p.GetSkipped()},
			Folder: parley.FolderID(p.GetFolder()),
		}
	case *pb.Reply_Stats:
		return unstats(a.Stats)
	case *pb.Reply_Folders:
		return mailbox.Folders{Folders: each(a.Folders.GetFolders(), unfolderView), Revision: revision(a.Folders.GetRevision())}
	case *pb.Reply_Threads:
		p := a.Threads
		return parley.Listing[parley.Thread]{
			Items: each(p.GetItems(), unthreadView), Next: p.GetNext(), Prev: p.GetPrev(), Total: p.GetTotal(),
			Revision: revision(p.GetRevision()),
		}
	case *pb.Reply_Thread:
		return mailbox.OneThread{Thread: unthreadView(a.Thread.GetThread()), Revision: revision(a.Thread.GetRevision())}
	case *pb.Reply_Messages:
		p := a.Messages
		return parley.Listing[parley.Message]{
			Items: each(p.GetItems(), unmessageView), Next: p.GetNext(), Prev: p.GetPrev(), Total: p.GetTotal(),
			Revision: revision(p.GetRevision()),
		}
	case *pb.Reply_Message:
		return mailbox.OneMessage{
			Message: unmessageView(a.Message.GetMessage()), Explanation: unexplanation(a.Message.GetExplanation()),
			Revision: revision(a.Message.GetRevision()),
		}
	case *pb.Reply_Bytes:
		p := a.Bytes
		return mailbox.Bytes{
			Raw: p.GetRaw(), Blob: r.digest(p.GetBlob()), Mail: p.GetMail(), Path: p.GetPath(),
			Attachment: unattachment(p.GetAttachment()), Revision: revision(p.GetRevision()),
		}
	case *pb.Reply_Job:
		return mailbox.OneJob{Job: unjobView(a.Job.GetJob()), Revision: revision(a.Job.GetRevision())}
	case *pb.Reply_Jobs:
		p := a.Jobs
		return parley.Listing[parley.Job]{
			Items: each(p.GetItems(), unjobView), Next: p.GetNext(), Prev: p.GetPrev(), Total: p.GetTotal(),
			Revision: revision(p.GetRevision()),
		}
	case *pb.Reply_Events:
		return mailbox.Events{Events: each(a.Events.GetEvents(), r.event), Head: revision(a.Events.GetHead())}
	}
	r.fail("an answer that this member does not know")
	return nil
}

func stats(s parley.Stats) *pb.Stats {
	return &pb.Stats{
		Bytes: s.Bytes, Messages: s.Messages, Threads: s.Threads, Replies: s.Replies, ActiveContacts: s.ActiveContacts,
		Badge: s.Badge, Other: s.Other, Revision: uint64(s.Revision), LastAudit: micros(s.LastAudit),
	}
}

func unstats(s *pb.Stats) parley.Stats {
	if s == nil {
		return parley.Stats{}
	}
	return parley.Stats{
		Bytes: s.Bytes, Messages: s.Messages, Threads: s.Threads, Replies: s.Replies, ActiveContacts: s.ActiveContacts,
		Badge: s.Badge, Other: s.Other, Revision: revision(s.Revision), LastAudit: moment(s.LastAudit),
	}
}
