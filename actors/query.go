package actors

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// The answers of queries before their texts are read.
type (
	messagePage struct {
		page mailbox.MessagePage
		rev  parley.Revision
	}
	oneMessage struct {
		m   *mailbox.Message
		rev parley.Revision
	}
	bodyOf struct {
		m   *mailbox.Message
		at  mailbox.Attachment // the attachment meant; zero: the message itself
		rev parley.Revision
	}
)

// query returns what answers a read; ok is false for a command.
func query(s *mailbox.State, cmd any, now time.Time) (q func() (any, error), ok bool) {
	switch c := cmd.(type) {
	case mailbox.AskStats:
		return func() (any, error) { return s.Stats(now) }, true
	case mailbox.AskFolders:
		return func() (any, error) {
			fs, err := s.Folders()
			return mailbox.Folders{Folders: fs, Revision: s.Last()}, err
		}, true
	case mailbox.AskThreads:
		return func() (any, error) {
			p, err := s.Threads(c.Query, c.People)
			return listThreads(p, s.Last()), err
		}, true
	case mailbox.AskThread:
		return func() (any, error) {
			it, err := s.Thread(c.ID)
			if err != nil {
				return nil, err
			}
			return mailbox.OneThread{Thread: it.Public(), Revision: s.Last()}, nil
		}, true
	case mailbox.AskMessages:
		return func() (any, error) {
			p, err := s.Messages(c.Thread, c.Around, c.Page, c.Notices)
			return messagePage{p, s.Last()}, err
		}, true
	case mailbox.AskMessage:
		return func() (any, error) {
			m, err := s.Message(c.ID)
			return oneMessage{m, s.Last()}, err
		}, true
	case mailbox.AskPlace:
		return func() (any, error) {
			m, err := s.Message(c.ID)
			if err != nil {
				return nil, err
			}
			return mailbox.OneMessage{Message: m.Public(), Explanation: m.Explanation(), Revision: s.Last()}, nil
		}, true
	case mailbox.AskBody:
		return func() (any, error) {
			m, err := s.Message(c.ID)
			return bodyOf{m: m, rev: s.Last()}, err
		}, true
	case mailbox.AskJob:
		return func() (any, error) {
			j, err := s.Job(c.ID, now)
			if err != nil {
				return nil, err
			}
			return mailbox.OneJob{Job: j.Public(), Revision: s.Last()}, nil
		}, true
	case mailbox.AskJobs:
		return func() (any, error) { return s.Jobs(c.Page, now) }, true
	case mailbox.AskBlob:
		return func() (any, error) { return askBlob(s, c.ID, now) }, true
	}
	return draftQuery(s, cmd, now)
}

func listThreads(p mailbox.ThreadPage, rev parley.Revision) parley.Listing[parley.Thread] {
	out := parley.Listing[parley.Thread]{Next: p.Next, Prev: p.Prev, Total: p.Total, Revision: rev}
	for _, it := range p.Items {
		out.Items = append(out.Items, it.Public())
	}
	return out
}

// askBlob finds an upload's bytes, or the message and attachment that hold them.
func askBlob(s *mailbox.State, id parley.BlobID, now time.Time) (any, error) {
	b, m, err := s.Blob(id, now)
	if err != nil {
		return nil, err
	}
	if m == nil {
		at := parley.Attachment{Blob: id, Name: b.Name, Type: b.Type, Size: b.Bytes}
		return mailbox.Bytes{Blob: b.Digest, Attachment: at, Revision: s.Last()}, nil
	}
	for _, at := range m.Attachments {
		if at.Blob == id {
			if !at.Digest.IsZero() {
				return mailbox.Bytes{Blob: at.Digest, Attachment: at.Attachment, Revision: s.Last()}, nil
			}
			return bodyOf{m: m, at: at, rev: s.Last()}, nil
		}
	}
	return nil, parley.E(parley.NotFound, "mailbox.blob", "there is no such blob here")
}

// isRead reports whether a command changes nothing: reads need a fresh fence.
func isRead(cmd any) bool {
	switch cmd.(type) {
	case mailbox.AskStats, mailbox.AskFolders, mailbox.AskThreads, mailbox.AskThread, mailbox.AskMessages,
		mailbox.AskMessage, mailbox.AskPlace, mailbox.AskBody, mailbox.AskBlob, mailbox.AskEvents, mailbox.AskDraft,
		mailbox.AskDrafts, askSending, mailbox.AskJob, mailbox.AskJobs, thread.Ask:
		return true
	}
	return false
}
