package mailbox_test

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// letter is a mail before it is a command: names stand for Message-IDs.
type letter struct {
	id           string // "" for none
	replies      []string
	references   []string
	index        string // Thread-Index root
	from         string
	to           []string
	text         string
	files        []string
	at           time.Time
	own, import_ bool
	folders      []parley.FolderID
	keywords     []parley.Keyword
	old          bool // older than the account
	quota        int64
	envelope     string // its sender
}

// command says what the mail door makes of the letter.
func (l letter) command() mailbox.DeliverMail {
	same := []any{l.id, l.from, l.text, l.replies, l.references, l.index, l.import_, l.envelope}
	if l.id == "" {
		same = append(same, l.at.UnixMicro())
	}
	id := messageID(append([]any{"mail"}, same...)...)
	c := mailbox.DeliverMail{
		Envelope: parley.Arrival{At: l.at, Channel: parley.ChannelMail, From: l.envelope, To: "me@here"},
		Cmd:      parley.Command{ID: parley.CommandID(bits("door", same)), Body: digest(same...)}, KeyLife: mailbox.Age(l.id),
		NewThread: threadID("mail", id), Import: l.import_, Folders: l.folders, Keywords: l.keywords, BornRead: l.old, Quota: l.quota,
	}
	if l.import_ {
		c.KeyLife, c.Envelope.Channel = 0, parley.ChannelImport
	}
	c.Message = mailbox.Message{
		ID: id, Channel: parley.ChannelMail, Subject: "about " + l.id, Excerpt: l.text, At: l.at.UnixMicro(), Received: l.at.UnixMicro(),
		Size: int64(100 + len(l.text)), MessageID: l.id, Author: parley.Author{Name: l.from, Address: l.from}, Own: l.own,
		Answers: len(l.replies)+len(l.references) > 0, Content: digest(l.from, l.text), Body: mailbox.Body{Mail: true, InLog: true},
	}
	for _, a := range l.to {
		c.Message.To = append(c.Message.To, parley.Address{Addr: a})
	}
	for _, f := range l.files {
		at := parley.Attachment{Blob: blobID("part", id, f), Name: f, Type: "text/plain", Size: 3}
		c.Message.Attachments = append(c.Message.Attachments, mailbox.Attachment{Attachment: at, Path: "2"})
	}
	c.Raw = []byte(l.text)
	l.name(&c)
	return c
}

// name gives the places in the graph of references, the strongest first.
func (l letter) name(c *mailbox.DeliverMail) {
	add := func(h mailbox.Hash, s parley.Signal, e string) {
		c.Nodes, c.Signals, c.Evidence = append(c.Nodes, h), append(c.Signals, s), append(c.Evidence, e)
	}
	if l.id != "" {
		add(mailbox.ReferenceHash(l.id), parley.SignalReferences, l.id)
	} else {
		add(mailbox.ReferenceHash(string(c.Message.ID)), parley.SignalSame, "")
	}
	for _, r := range l.replies {
		add(mailbox.ReferenceHash(r), parley.SignalInReplyTo, r)
	}
	for _, r := range l.references {
		add(mailbox.ReferenceHash(r), parley.SignalReferences, r)
	}
	if l.index != "" {
		add(mailbox.ThreadIndexHash(l.index), parley.SignalThreadIndex, l.index)
	}
}
