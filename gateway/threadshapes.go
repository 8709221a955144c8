package gateway

import (
	"time"

	"github.com/parley-im/parley"
)

// thread is what both kinds have.
type thread struct {
	ID       parley.ThreadID   `json:"id"`
	Kind     parley.Kind       `json:"kind"`
	Subject  string            `json:"subject"`
	Excerpt  string            `json:"excerpt"`
	Messages int64             `json:"messages"`
	Unread   int64             `json:"unread"`
	Folders  []parley.FolderID `json:"folders"`
	Labels   []parley.FolderID `json:"labels"`
	Muted    bool              `json:"muted"`
	Linked   []parley.ThreadID `json:"linked"`
	Last     *lastMessage      `json:"last_message,omitempty"`
	Revision parley.Revision   `json:"revision"`
}

type lastMessage struct {
	ID     parley.MessageID `json:"id"`
	At     time.Time        `json:"at"`
	Author author           `json:"author"`
}

type room struct {
	thread
	Participants  []participant    `json:"participants"`
	RosterVersion parley.Seq       `json:"roster_version"`
	Seq           parley.Seq       `json:"seq"`
	History       parley.History   `json:"history"`
	Open          bool             `json:"open"`
	State         parley.PartState `json:"state"`
}

type mailThread struct {
	thread
	Authors []author `json:"authors"`
}

type author struct {
	Account     parley.AccountID `json:"account,omitempty"`
	Participant parley.PartID    `json:"participant,omitempty"`
	Name        string           `json:"name"`
	Address     string           `json:"address,omitempty"`
}

func authorShape(a parley.Author) author {
	return author{Account: a.Account, Participant: a.Part, Name: a.Name, Address: a.Address}
}

// threadShape is a room or a mailThread.
func threadShape(t parley.Thread) any {
	shape := thread{
		ID: t.ID, Kind: t.Kind, Subject: t.Subject, Excerpt: t.Excerpt, Messages: t.Messages, Unread: t.Unread,
		Folders: foldersOf(t.Folders), Labels: labelsOf(t.Folders), Muted: t.Muted, Linked: each(t.Linked, same), Revision: t.Revision,
	}
	if t.LastMessage != "" {
		shape.Last = &lastMessage{ID: t.LastMessage, At: t.LastAt.UTC(), Author: authorShape(t.LastAuthor)}
	}
	if t.Kind == parley.KindMail {
		return mailThread{thread: shape, Authors: each(t.Authors, authorShape)}
	}
	return room{
		thread: shape, Participants: each(t.Participants, participantShape), RosterVersion: t.RosterVersion,
		Seq: t.Seq, History: t.History, Open: t.Open, State: t.State,
	}
}
