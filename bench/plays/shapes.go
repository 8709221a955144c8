package plays

import (
	"time"

	"github.com/parley-im/parley"
)

// The answers of /v1 as far as they are foreseen, written down apart from the
// gateway.

type authorShape struct {
	Account     parley.AccountID `json:"account"`
	Participant parley.PartID    `json:"participant"`
	Name        string           `json:"name"`
	Address     string           `json:"address"`
}

type seatShape struct {
	ID      parley.PartID    `json:"id"`
	Account parley.AccountID `json:"account"`
	Name    string           `json:"name"`
	Address string           `json:"address"`
	Role    parley.Role      `json:"role"`
	State   parley.PartState `json:"state"`
}

type lastShape struct {
	ID     parley.MessageID `json:"id"`
	At     time.Time        `json:"at"`
	Author authorShape      `json:"author"`
}

type threadShape struct {
	ID            parley.ThreadID   `json:"id"`
	Kind          parley.Kind       `json:"kind"`
	Subject       string            `json:"subject"`
	Excerpt       string            `json:"excerpt"`
	Messages      int               `json:"messages"`
	Unread        int               `json:"unread"`
	Folders       []parley.FolderID `json:"folders"`
	Labels        []parley.FolderID `json:"labels"`
	Muted         bool              `json:"muted"`
	Linked        []parley.ThreadID `json:"linked"`
	Last          *lastShape        `json:"last_message"`
	Revision      parley.Revision   `json:"revision"`
	Participants  []seatShape       `json:"participants"`
	RosterVersion parley.Seq        `json:"roster_version"`
	Seq           parley.Seq        `json:"seq"`
	History       parley.History    `json:"history"`
	Open          bool              `json:"open"`
	State         parley.PartState  `json:"state"`
	Authors       []authorShape     `json:"authors"`
}

type fileShape struct {
	Blob parley.BlobID `json:"blob"`
	Name string        `json:"name"`
	Type string        `json:"type"`
	Size int64         `json:"size"`
}

type messageShape struct {
	ID          parley.MessageID  `json:"id"`
	Thread      parley.ThreadID   `json:"thread"`
	Kind        string            `json:"kind"`
	Notice      parley.Notice     `json:"notice"`
	About       []parley.PartID   `json:"about"`
	Seq         parley.Seq        `json:"seq"`
	Author      authorShape       `json:"author"`
	Channel     parley.Channel    `json:"channel"`
	Subject     string            `json:"subject"`
	Text        string            `json:"text"`
	Excerpt     string            `json:"excerpt"`
	Attachments []fileShape       `json:"attachments"`
	Mentions    []parley.PartID   `json:"mentions"`
	ReplyTo     parley.MessageID  `json:"reply_to"`
	At          time.Time         `json:"at"`
	ReceivedAt  time.Time         `json:"received_at"`
	Folders     []parley.FolderID `json:"folders"`
	Labels      []parley.FolderID `json:"labels"`
	Keywords    []parley.Keyword  `json:"keywords"`
	Seen        bool              `json:"seen"`
	Flagged     bool              `json:"flagged"`
	Size        int64             `json:"size"`
	MessageID   string            `json:"message_id"`
	Revision    parley.Revision   `json:"revision"`
}

type listShape[T any] struct {
	Data     []T             `json:"data"`
	Next     *string         `json:"next"`
	Prev     *string         `json:"prev"`
	Total    *int            `json:"total"`
	Revision parley.Revision `json:"revision"`
}

type rosterShape struct {
	Data          []seatShape     `json:"data"`
	RosterVersion parley.Seq      `json:"roster_version"`
	Revision      parley.Revision `json:"revision"`
}

type mailboxShape struct {
	Bytes          int64           `json:"bytes"`
	Messages       int             `json:"messages"`
	Threads        int             `json:"threads"`
	Replies        int             `json:"replies"`
	ActiveContacts int             `json:"active_contacts"`
	Badge          int64           `json:"badge"`
	Other          int64           `json:"other"`
	Revision       parley.Revision `json:"revision"`
}

type countsShape struct {
	Messages      int `json:"messages"`
	Unread        int `json:"unread"`
	Threads       int `json:"threads"`
	UnreadThreads int `json:"unread_threads"`
}

type folderShape struct {
	ID       parley.FolderID `json:"id"`
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Color    string          `json:"color"`
	Counts   countsShape     `json:"counts"`
	Revision parley.Revision `json:"revision"`
}

type eventShape struct {
	ID       string           `json:"id"`
	Revision parley.Revision  `json:"revision"`
	Type     parley.EventType `json:"type"`
	Account  parley.AccountID `json:"account"`
	Thread   parley.ThreadID  `json:"thread"`
	Data     struct {
		Message parley.MessageID `json:"message"`
		Draft   parley.MessageID `json:"draft"`
		Badge   int64            `json:"badge"`
		Other   int64            `json:"other"`
	} `json:"data"`
}
