package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

// file is a message as its action holds it, with its id.
func (w *writer) file(m *mailbox.Message) *record.Message {
	out := w.message(m)
	out.Id = message(m.ID)
	return out
}

// message leaves the id to what names the message.
func (w *writer) message(m *mailbox.Message) *record.Message {
	return &record.Message{
		Thread: threadID(m.Thread), Generation: m.Generation, Seq: uint64(m.Seq), Prev: uint64(m.Prev),
		Notice: number[record.Notice](w, notices, m.Notice),
		Author: author(m.Author), Own: m.Own, Answers: m.Answers, Mentioned: m.Mentioned,
		Channel: number[record.Channel](w, channels, m.Channel),
		Subject: m.Subject, Excerpt: m.Excerpt, At: m.At, ReceivedAfter: m.Received - m.At,
		Folders: names(folders, m.Folders), Before: names(folders, m.Before), Keywords: names(keywords, m.Keywords),
		Size: m.Size, MessageId: m.MessageID, To: each(m.To, address), Cc: each(m.Cc, address), HasHtml: m.HasHTML,
		BodyInAction: m.Body.InAction, BodyInLog: m.Body.InLog, BodyMail: m.Body.Mail, BodyBlob: digest(m.Body.Blob),
		Attachments: each(m.Attachments, attachment), ReplyTo: message(m.ReplyTo),
		Mentions: each(m.Mentions, part), About: each(m.About, part),
		Signal:   number[record.Signal](w, signals, m.Signal),
		Evidence: m.Evidence, Rule: m.Rule, Arrivals: each(m.Arrivals, w.arrival),
		Content: digest(m.Content), Nodes: hashes(m.Nodes),
		Filed: uint64(m.Filed), Logged: each(m.Logged, revision), Revision: uint64(m.Revision),
		Draft: w.draft(m.Draft), Moved: m.Moved,
	}
}

func (r *reader) file(m *record.Message) mailbox.Message {
	return mailbox.Message{
		ID: r.message(m.GetId()), Thread: r.threadID(m.GetThread()), Generation: m.GetGeneration(),
		Notice: word(r, notices, m.GetNotice()), Seq: parley.Seq(m.GetSeq()), Prev: parley.Seq(m.GetPrev()),
		Author: r.author(m.GetAuthor()), Own: m.GetOwn(), Answers: m.GetAnswers(), Mentioned: m.GetMentioned(),
		Channel: word(r, channels, m.GetChannel()), Subject: m.GetSubject(), Excerpt: m.GetExcerpt(),
		At: m.GetAt(), Received: m.GetAt() + m.GetReceivedAfter(),
		Folders: unnames(r, folders, m.GetFolders()), Before: unnames(r, folders, m.GetBefore()),
		Keywords: unnames(r, keywords, m.GetKeywords()), Size: m.GetSize(), MessageID: m.GetMessageId(),
		To: each(m.GetTo(), unaddress), Cc: each(m.GetCc(), unaddress), HasHTML: m.GetHasHtml(),
		Body: mailbox.Body{
			InAction: m.GetBodyInAction(), InLog: m.GetBodyInLog(), Blob: r.digest(m.GetBodyBlob()), Mail: m.GetBodyMail(),
		},
		Attachments: each(m.GetAttachments(), r.attachment), ReplyTo: r.message(m.GetReplyTo()),
		Mentions: each(m.GetMentions(), r.part), About: each(m.GetAbout(), r.part),
		Signal: word(r, signals, m.GetSignal()), Evidence: m.GetEvidence(), Rule: m.GetRule(),
		Arrivals: each(m.GetArrivals(), r.arrival), Content: r.digest(m.GetContent()),
		Nodes: unhashes[mailbox.Hash](r, m.GetNodes()), Filed: parley.Revision(m.GetFiled()),
		Logged: each(m.GetLogged(), unrevision), Revision: parley.Revision(m.GetRevision()),
		Draft: r.draft(m.GetDraft()), Moved: m.GetMoved(),
	}
}

func attachment(a mailbox.Attachment) *record.Attachment {
	return &record.Attachment{
		Blob: blobID(a.Blob), Name: a.Name, Type: a.Type, Size: a.Size, Inline: a.Inline, Cid: a.CID,
		Digest: digest(a.Digest), Path: a.Path,
	}
}

func (r *reader) attachment(a *record.Attachment) mailbox.Attachment {
	return mailbox.Attachment{
		Attachment: parley.Attachment{
			Blob: r.blobID(a.GetBlob()), Name: a.GetName(), Type: a.GetType(), Size: a.GetSize(),
			Inline: a.GetInline(), CID: a.GetCid(),
		},
		Digest: r.digest(a.GetDigest()), Path: a.GetPath(),
	}
}

func (w *writer) arrival(a parley.Arrival) *record.Arrival {
	return &record.Arrival{
		At: micros(a.At), Channel: number[record.Channel](w, channels, a.Channel), From: a.From, To: a.To,
	}
}

func (r *reader) arrival(a *record.Arrival) parley.Arrival {
	if a == nil {
		return parley.Arrival{}
	}
	return parley.Arrival{At: moment(a.At), Channel: word(r, channels, a.Channel), From: a.From, To: a.To}
}

func revision(n parley.Revision) uint64   { return uint64(n) }
func unrevision(n uint64) parley.Revision { return parley.Revision(n) }
