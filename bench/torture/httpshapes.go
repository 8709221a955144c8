package torture

import (
	"time"

	"github.com/parley-im/parley"
)

// The answers of /v1, written down apart from the gateway.

type jsonAuthor struct {
	Account     parley.AccountID
	Participant parley.PartID
	Name        string
	Address     string
}

func (a jsonAuthor) noun() parley.Author {
	return parley.Author{Account: a.Account, Part: a.Participant, Name: a.Name, Address: a.Address}
}

type jsonParticipant struct {
	ID      parley.PartID
	Account parley.AccountID
	Name    string
	State   parley.PartState
}

type jsonThread struct {
	ID           parley.ThreadID
	Kind         parley.Kind
	Subject      string
	Excerpt      string
	Messages     int64
	Unread       int64
	Folders      []parley.FolderID
	Muted        bool
	Last         *jsonLast `json:"last_message"`
	Participants []jsonParticipant
	Seq          parley.Seq
	State        parley.PartState
}

type jsonLast struct {
	ID parley.MessageID
	At time.Time
}

func (t jsonThread) noun() parley.Thread {
	out := parley.Thread{ID: t.ID, Kind: t.Kind, Subject: t.Subject, Excerpt: t.Excerpt, Messages: t.Messages, Unread: t.Unread,
		Folders: t.Folders, Muted: t.Muted, Seq: t.Seq, State: t.State}
	if t.Last != nil {
		out.LastMessage, out.LastAt = t.Last.ID, t.Last.At
	}
	for _, p := range t.Participants {
		out.Participants = append(out.Participants, parley.Participant{ID: p.ID, Account: p.Account, Name: p.Name, State: p.State})
	}
	return out
}

type jsonAttachment struct {
	Blob parley.BlobID
	Name string
	Size int64
}

type jsonMessage struct {
	ID          parley.MessageID
	Thread      parley.ThreadID
	Seq         parley.Seq
	Author      jsonAuthor
	Channel     parley.Channel
	Subject     string
	Text        string
	Excerpt     string
	Attachments []jsonAttachment
	ReplyTo     parley.MessageID `json:"reply_to"`
	At          time.Time
	ReceivedAt  time.Time `json:"received_at"`
	Folders     []parley.FolderID
	Keywords    []parley.Keyword
	Size        int64
	MessageID   string `json:"message_id"`
}

func (m jsonMessage) noun() parley.Message {
	out := parley.Message{ID: m.ID, Thread: m.Thread, Seq: m.Seq, Author: m.Author.noun(), Channel: m.Channel, Subject: m.Subject, Text: m.Text,
		Excerpt: m.Excerpt, ReplyTo: m.ReplyTo, At: m.At, ReceivedAt: m.ReceivedAt, Folders: m.Folders, Keywords: m.Keywords, Size: m.Size,
		MessageID: m.MessageID}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, parley.Attachment{Blob: a.Blob, Name: a.Name, Size: a.Size})
	}
	return out
}

type jsonList[T any] struct {
	Data     []T
	Next     string
	Prev     string
	Revision parley.Revision
}

func listOf[S interface{ noun() T }, T any](l jsonList[S]) parley.Listing[T] {
	out := parley.Listing[T]{Next: l.Next, Prev: l.Prev, Revision: l.Revision}
	for _, s := range l.Data {
		out.Items = append(out.Items, s.noun())
	}
	return out
}

type jsonMailbox struct {
	Bytes, Messages, Threads, Replies, Badge, Other int64

	ActiveContacts int64 `json:"active_contacts"`
	Revision       parley.Revision
}

type jsonFolder struct {
	ID     parley.FolderID
	Counts struct {
		Messages, Unread, Threads int64
		UnreadThreads             int64 `json:"unread_threads"`
	}
}

func (f jsonFolder) noun() parley.Folder {
	return parley.Folder{ID: f.ID, Counts: parley.Counts(f.Counts)}
}
