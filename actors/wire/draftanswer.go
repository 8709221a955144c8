package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setDraftAnswer wraps the answers about drafts.
func setDraftAnswer(m *pb.Reply, answer any) bool {
	switch a := answer.(type) {
	case mailbox.OneDraft:
		m.Answer = &pb.Reply_Draft{Draft: &pb.OneDraft{Draft: draftView(a.Draft), Revision: uint64(a.Revision)}}
	case parley.Listing[parley.DraftMessage]:
		m.Answer = &pb.Reply_Drafts{Drafts: &pb.DraftListing{
			Items: each(a.Items, draftView), Next: a.Next, Prev: a.Prev, Total: a.Total, Revision: uint64(a.Revision),
		}}
	default:
		return false
	}
	return true
}

func undraftAnswer(m *pb.Reply) any {
	switch a := m.GetAnswer().(type) {
	case *pb.Reply_Draft:
		return mailbox.OneDraft{Draft: undraftView(a.Draft.GetDraft()), Revision: revision(a.Draft.GetRevision())}
	case *pb.Reply_Drafts:
		p := a.Drafts
		return parley.Listing[parley.DraftMessage]{
			Items: each(p.GetItems(), undraftView), Next: p.GetNext(), Prev: p.GetPrev(), Total: p.GetTotal(),
			Revision: revision(p.GetRevision()),
		}
	}
	return nil
}

func draftView(d parley.DraftMessage) *pb.Draft {
	return &pb.Draft{
		Id: string(d.ID), Thread: string(d.Thread), Alone: d.Alone, Kind: string(d.Kind), To: each(d.To, recipient),
		Subject: d.Subject, Text: d.Text, Excerpt: d.Excerpt, Attachments: each(d.Attachments, attachment),
		ReplyTo: string(d.ReplyTo), Mentions: list[string](d.Mentions), RosterVersion: uint64(d.RosterVersion),
		Sending: micros(d.Sending), Size: d.Size, CreatedAt: micros(d.CreatedAt), UpdatedAt: micros(d.UpdatedAt),
		Revision: uint64(d.Revision),
	}
}

func undraftView(d *pb.Draft) parley.DraftMessage {
	if d == nil {
		return parley.DraftMessage{}
	}
	return parley.DraftMessage{
		ID: parley.MessageID(d.Id), Thread: parley.ThreadID(d.Thread), Alone: d.Alone, Kind: parley.Kind(d.Kind),
		To: each(d.To, unrecipient), Subject: d.Subject, Text: d.Text, Excerpt: d.Excerpt,
		Attachments: each(d.Attachments, unattachment), ReplyTo: parley.MessageID(d.ReplyTo),
		Mentions: list[parley.PartID](d.Mentions), RosterVersion: seq(d.RosterVersion), Sending: moment(d.Sending),
		Size: d.Size, CreatedAt: moment(d.CreatedAt), UpdatedAt: moment(d.UpdatedAt), Revision: revision(d.Revision),
	}
}
