package torture

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/client"
)

// The checks know the nouns of package parley alone; here the answers of /v1
// become such.

// like gives ids the type that the other side has for them. Nil stays nil: it is
// what was not asked for.
func like[To, From ~string](ids []From) []To {
	if ids == nil {
		return nil
	}
	out := make([]To, len(ids))
	for i, id := range ids {
		out[i] = To(id)
	}
	return out
}

func participantNoun(p client.Participant) parley.Participant {
	return parley.Participant{ID: parley.PartID(p.ID), Account: parley.AccountID(p.Account), Name: p.Name, State: parley.PartState(p.State)}
}

func threadNoun(t client.Thread) parley.Thread {
	out := parley.Thread{ID: parley.ThreadID(t.ID), Kind: parley.Kind(t.Kind), Subject: t.Subject, Excerpt: t.Excerpt, Messages: t.Messages,
		Unread: t.Unread, Folders: like[parley.FolderID](t.Folders), Muted: t.Muted, Seq: parley.Seq(t.Seq), State: parley.PartState(t.State)}
	if t.LastMessage != nil {
		out.LastMessage, out.LastAt = parley.MessageID(t.LastMessage.ID), t.LastMessage.At
	}
	for _, p := range t.Participants {
		out.Participants = append(out.Participants, participantNoun(p))
	}
	return out
}

// roomNoun is what a player notes of a room that it made or joined; nil is none.
func roomNoun(r *client.Room) parley.Thread {
	if r == nil {
		return parley.Thread{}
	}
	return parley.Thread{ID: parley.ThreadID(r.ID), Kind: parley.KindRoom, Seq: parley.Seq(r.Seq), State: parley.PartState(r.State)}
}

func attachmentNoun(a client.Attachment) parley.Attachment {
	return parley.Attachment{Blob: parley.BlobID(a.Blob), Name: a.Name, Size: a.Size}
}

func messageNoun(m client.Message) parley.Message {
	author := parley.Author{Account: parley.AccountID(m.Author.Account), Part: parley.PartID(m.Author.Participant), Name: m.Author.Name, Address: m.Author.Address}
	out := parley.Message{ID: parley.MessageID(m.ID), Thread: parley.ThreadID(m.Thread), Seq: parley.Seq(m.Seq), Author: author,
		Channel: parley.Channel(m.Channel), Subject: m.Subject, Text: m.Text, Excerpt: m.Excerpt, ReplyTo: parley.MessageID(m.ReplyTo), At: m.At,
		ReceivedAt: m.ReceivedAt, Folders: like[parley.FolderID](m.Folders), Keywords: like[parley.Keyword](m.Keywords), Size: m.Size, MessageID: m.MessageID}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, attachmentNoun(a))
	}
	return out
}

func listing[T, S any](data []S, next, prev client.Cursor, rev client.Revision, noun func(S) T) parley.Listing[T] {
	out := parley.Listing[T]{Next: string(next), Prev: string(prev), Revision: parley.Revision(rev)}
	for _, s := range data {
		out.Items = append(out.Items, noun(s))
	}
	return out
}
