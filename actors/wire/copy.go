package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

func copyMessage(m mailbox.Message) *pb.CopyMessage {
	return &pb.CopyMessage{
		Id: string(m.ID), Thread: string(m.Thread), Generation: m.Generation, Notice: string(m.Notice), Seq: uint64(m.Seq),
		Prev: uint64(m.Prev), Author: author(m.Author), Own: m.Own, Answers: m.Answers, Mentioned: m.Mentioned,
		Channel: string(m.Channel), Subject: m.Subject, Excerpt: m.Excerpt, At: m.At, Received: m.Received,
		Folders: list[string](m.Folders), Before: list[string](m.Before), Keywords: list[string](m.Keywords), Size: m.Size,
		MessageId: m.MessageID, To: each(m.To, address), Cc: each(m.Cc, address), HasHtml: m.HasHTML,
		Body: &pb.CopyBody{
			InAction: m.Body.InAction, InLog: m.Body.InLog, Blob: digest(m.Body.Blob), Mail: m.Body.Mail,
		},
		Attachments: each(m.Attachments, copyAttachment), ReplyTo: string(m.ReplyTo), Mentions: list[string](m.Mentions),
		About: list[string](m.About), Signal: string(m.Signal), Evidence: m.Evidence, Rule: m.Rule,
		Arrivals: each(m.Arrivals, arrival), Content: digest(m.Content), Nodes: hashes(m.Nodes), Filed: uint64(m.Filed),
		Moved: m.Moved, Logged: each(m.Logged, func(n parley.Revision) uint64 { return uint64(n) }), Revision: uint64(m.Revision),
	}
}

func (r *reader) copyMessage(m *pb.CopyMessage) mailbox.Message {
	if m == nil {
		return mailbox.Message{}
	}
	return mailbox.Message{
		ID: parley.MessageID(m.Id), Thread: parley.ThreadID(m.Thread), Generation: m.Generation,
		Notice: parley.Notice(m.Notice), Seq: seq(m.Seq), Prev: seq(m.Prev), Author: unauthor(m.Author), Own: m.Own,
		Answers: m.Answers, Mentioned: m.Mentioned, Channel: parley.Channel(m.Channel), Subject: m.Subject,
		Excerpt: m.Excerpt, At: m.At, Received: m.Received, Folders: list[parley.FolderID](m.Folders),
		Before: list[parley.FolderID](m.Before), Keywords: list[parley.Keyword](m.Keywords), Size: m.Size,
		MessageID: m.MessageId, To: each(m.To, unaddress), Cc: each(m.Cc, unaddress), HasHTML: m.HasHtml,
		Body: mailbox.Body{
			InAction: m.Body.GetInAction(), InLog: m.Body.GetInLog(), Blob: r.digest(m.Body.GetBlob()), Mail: m.Body.GetMail(),
		},
		Attachments: each(m.Attachments, r.copyAttachment), ReplyTo: parley.MessageID(m.ReplyTo),
		Mentions: list[parley.PartID](m.Mentions), About: list[parley.PartID](m.About), Signal: parley.Signal(m.Signal),
		Evidence: m.Evidence, Rule: m.Rule, Arrivals: each(m.Arrivals, unarrival), Content: r.digest(m.Content),
		Nodes: r.hashes(m.Nodes), Filed: revision(m.Filed), Logged: each(m.Logged, revision), Moved: m.Moved, Revision: revision(m.Revision),
	}
}

func copyAttachment(a mailbox.Attachment) *pb.CopyAttachment {
	return &pb.CopyAttachment{Attachment: attachment(a.Attachment), Digest: digest(a.Digest), Path: a.Path}
}

func (r *reader) copyAttachment(a *pb.CopyAttachment) mailbox.Attachment {
	return mailbox.Attachment{
		Attachment: unattachment(a.GetAttachment()), Digest: r.digest(a.GetDigest()), Path: a.GetPath(),
	}
}

func copyBlob(b mailbox.Blob) *pb.CopyBlob {
	return &pb.CopyBlob{
		Message: string(b.Message), Digest: digest(b.Digest), Name: b.Name, Type: b.Type, Bytes: b.Bytes, At: b.At,
	}
}

func (r *reader) copyBlob(b *pb.CopyBlob) mailbox.Blob {
	return mailbox.Blob{
		Message: parley.MessageID(b.GetMessage()), Digest: r.digest(b.GetDigest()), Name: b.GetName(), Type: b.GetType(),
		Bytes: b.GetBytes(), At: b.GetAt(),
	}
}
