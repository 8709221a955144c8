package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func header(h *mailbox.Header) *record.Header {
	return &record.Header{
		Last: uint64(h.Last), Messages: h.Messages, Bytes: h.Bytes, Threads: h.Threads, Replies: h.Replies,
		Badge: h.Badge, Other: h.Other, Folders: each(h.Folders, folderCounts), Closed: h.Closed, Sending: h.Sending,
		Jobs: each(h.Jobs, jobID), Transfers: each(h.Transfers, jobID), Exports: each(h.Exports, jobID),
	}
}

func (r *reader) header(h *record.Header) *mailbox.Header {
	return &mailbox.Header{
		Last: parley.Revision(h.GetLast()), Messages: h.GetMessages(), Bytes: h.GetBytes(), Threads: h.GetThreads(),
		Replies: h.GetReplies(), Badge: h.GetBadge(), Other: h.GetOther(),
		Folders: each(h.GetFolders(), r.folderCounts), Closed: h.GetClosed(), Sending: h.GetSending(),
		Jobs: each(h.GetJobs(), r.jobID), Transfers: each(h.GetTransfers(), r.jobID), Exports: each(h.GetExports(), r.jobID),
	}
}

func folderCounts(f mailbox.FolderCounts) *record.FolderCounts {
	fixed, id := folder(f.Folder)
	return &record.FolderCounts{
		Fixed: fixed, Id: id, Messages: f.Messages, Unread: f.Unread, Threads: f.Threads, UnreadThreads: f.UnreadThreads,
	}
}

func (r *reader) folderCounts(f *record.FolderCounts) mailbox.FolderCounts {
	return mailbox.FolderCounts{Folder: r.folder(f.GetFixed(), f.GetId()), Counts: parley.Counts{
		Messages: f.GetMessages(), Unread: f.GetUnread(), Threads: f.GetThreads(), UnreadThreads: f.GetUnreadThreads(),
	}}
}

func (w *writer) roster(o *mailbox.Roster) *record.Roster {
	return &record.Roster{Parts: each(o.Parts, w.listed)}
}

func (r *reader) roster(o *record.Roster) *mailbox.Roster {
	return &mailbox.Roster{Parts: each(o.GetParts(), r.participant)}
}

func node(n *mailbox.Node) *record.Node {
	return &record.Node{Thread: threadID(n.Thread), Messages: each(n.Messages, message)}
}

func (r *reader) node(n *record.Node) *mailbox.Node {
	return &mailbox.Node{Thread: r.threadID(n.GetThread()), Messages: each(n.GetMessages(), r.message)}
}

func remembered(k *mailbox.Remembered) *record.Remembered {
	return &record.Remembered{
		Body: digest(k.Body), Expires: k.Expires, Revision: uint64(k.Revision), Answer: answer(k.Answer),
	}
}

func (r *reader) remembered(k *record.Remembered) *mailbox.Remembered {
	return &mailbox.Remembered{
		Body: r.digest(k.GetBody()), Expires: k.GetExpires(), Revision: parley.Revision(k.GetRevision()),
		Answer: r.answer(k.GetAnswer()),
	}
}

func answer(a mailbox.Answer) *record.Answer {
	return &record.Answer{
		Messages: each(a.Messages, message), Thread: threadID(a.Thread), Blob: blobID(a.Blob),
		Undone: a.Undone.Undone, Skipped: a.Undone.Skipped, Undoing: uint64(a.Undoing),
		Folder: string(a.Folder), Job: jobID(a.Job), Tally: tally(a.Tally),
	}
}

func (r *reader) answer(a *record.Answer) mailbox.Answer {
	return mailbox.Answer{
		Messages: each(a.GetMessages(), r.message), Thread: r.threadID(a.GetThread()), Blob: r.blobID(a.GetBlob()),
		Undone: mailbox.Undone{Undone: a.GetUndone(), Skipped: a.GetSkipped()}, Undoing: parley.Revision(a.GetUndoing()),
		Folder: parley.FolderID(a.GetFolder()),
		Job:    r.jobID(a.GetJob()), Tally: untally(a.GetTally()),
	}
}

func blob(b *mailbox.Blob) *record.Blob {
	return &record.Blob{
		Message: message(b.Message), Digest: digest(b.Digest), Name: b.Name, Type: b.Type, Bytes: b.Bytes, At: b.At,
	}
}

func (r *reader) blob(b *record.Blob) *mailbox.Blob {
	return &mailbox.Blob{
		Message: r.message(b.GetMessage()), Digest: r.digest(b.GetDigest()), Name: b.GetName(), Type: b.GetType(),
		Bytes: b.GetBytes(), At: b.GetAt(),
	}
}

func contact(c *mailbox.Contact) *record.Contact { return &record.Contact{Last: c.Last} }

func uncontact(c *record.Contact) *mailbox.Contact { return &mailbox.Contact{Last: c.GetLast()} }
