package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// maxListed bounds the participants that a thread shows in a list.
const maxListed = 500

// Public is the thread as the edges speak of it.
func (it ThreadItem) Public() parley.Thread {
	th := it.Thread
	out := parley.Thread{
		ID: th.ID, Kind: th.Kind, Subject: th.Subject, Excerpt: th.Excerpt, Messages: th.Messages, Unread: th.Unread,
		Muted: th.Muted, LastMessage: th.Last, LastAt: time.UnixMicro(th.LastAt).UTC(), LastAuthor: th.LastAuthor,
		Authors: th.Authors, RosterVersion: th.RosterSeq, Seq: th.Seq, History: th.History, Open: th.Open, State: th.State,
		Revision: th.Revision, Linked: th.Linked,
	}
	for _, f := range th.Folders {
		out.Folders = append(out.Folders, f.Folder)
	}
	if it.Roster != nil {
		out.Participants = it.Roster.Parts[:min(len(it.Roster.Parts), maxListed)]
	}
	return out
}

// Public is the folder as the edges speak of it; its counts are kept elsewhere.
func (f *OwnFolder) Public() parley.Folder {
	kind := parley.KindFolder
	if f.ID.IsLabel() {
		kind = parley.KindLabel
	}
	return parley.Folder{ID: f.ID, Name: f.Name, Kind: kind, Parent: f.Parent, Color: f.Color, Revision: f.Revision}
}

// Public is the message as the edges speak of it; the text is read elsewhere.
func (m *Message) Public() parley.Message {
	out := parley.Message{
		ID: m.ID, Thread: m.Thread, Generation: m.Generation, Notice: m.Notice, Seq: m.Seq, Author: m.Author,
		Channel: m.Channel, Subject: m.Subject, HasHTML: m.HasHTML, Excerpt: m.Excerpt, Mentions: m.Mentions,
		ReplyTo: m.ReplyTo, At: time.UnixMicro(m.At).UTC(), ReceivedAt: time.UnixMicro(m.Received).UTC(),
		Folders: m.Folders, Keywords: m.Keywords, Size: m.Size, MessageID: m.MessageID, To: m.To, Cc: m.Cc,
		Subjects: m.About, Revision: m.Revision,
	}
	if m.Moved {
		out.Seq = 0 // its number is of another room
	}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, a.Attachment)
	}
	return out
}

// Explanation says why the message is where it is.
func (m *Message) Explanation() parley.Explanation {
	signal := m.Signal
	if m.draft() {
		signal = parley.SignalDraft
	}
	return parley.Explanation{Thread: m.Thread, Signal: signal, Evidence: m.Evidence, Folders: m.Folders, Rule: m.Rule, Arrivals: m.Arrivals}
}
