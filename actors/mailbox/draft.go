package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// A draft is a message of the copy like any other, with its page, size, blobs and
// folder counts. What is different: it stands in trees of its own and not among
// the messages of its thread, whose order it would disturb, and no operation on
// the thread touches it. Once it is sent, the message that the room delivers has
// its id and takes its place.

// Draft is what a message that is not sent yet has besides.
type Draft struct {
	Kind    parley.Kind // of what it will be; "" for a message that is no draft
	Alone   bool        // its thread was made for it
	To      []parley.Recipient
	Roster  parley.Seq
	Sending int64 // microseconds since when it is being sent; 0: it is not
}

func (m *Message) draft() bool { return m != nil && m.Draft.Kind != "" }

// recent is the place of a draft among others, the last written first.
func (m *Message) recent() []byte {
	return append(newest(m.Received), rawID(parley.MessagePrefix, string(m.ID))...)
}

// leaving is the place of a draft among those that are being sent, oldest first.
func (m *Message) leaving() []byte {
	return append(oldest(m.Draft.Sending), rawID(parley.MessagePrefix, string(m.ID))...)
}

// held are the actions that hold what a message says.
func (m *Message) held() []parley.Revision {
	return append([]parley.Revision{m.Filed}, m.Logged...)
}

// PublicDraft is the draft as the edges speak of it; the text is read elsewhere.
func (m *Message) PublicDraft() parley.DraftMessage {
	p := m.Public()
	out := parley.DraftMessage{
		ID: m.ID, Thread: m.Thread, Alone: m.Draft.Alone, Kind: m.Draft.Kind, To: m.Draft.To, Subject: m.Subject, Excerpt: m.Excerpt,
		Attachments: p.Attachments, ReplyTo: m.ReplyTo, Mentions: m.Mentions, RosterVersion: m.Draft.Roster, Size: m.Size,
		CreatedAt: p.At, UpdatedAt: p.ReceivedAt, Revision: m.Revision,
	}
	if m.Draft.Sending != 0 {
		out.Sending = time.UnixMicro(m.Draft.Sending).UTC()
	}
	return out
}
