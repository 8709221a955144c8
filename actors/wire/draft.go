package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setDraft wraps the commands and reads about drafts.
func setDraft(m *pb.Request, cmd any) bool {
	switch c := cmd.(type) {
	case mailbox.WriteDraft:
		m.Command = &pb.Request_WriteDraft{WriteDraft: writeDraft(c)}
	case mailbox.DiscardDraft:
		m.Command = &pb.Request_DiscardDraft{DiscardDraft: &pb.DiscardDraft{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Id: string(c.ID),
		}}
	case mailbox.SendDraft:
		m.Command = &pb.Request_SendDraft{SendDraft: &pb.SendDraft{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Id: string(c.ID),
		}}
	case mailbox.KeepDraft:
		m.Command = &pb.Request_KeepDraft{KeepDraft: &pb.KeepDraft{Id: string(c.ID)}}
	case mailbox.AskDraft:
		m.Command = &pb.Request_AskDraft{AskDraft: &pb.AskDraft{Id: string(c.ID)}}
	case mailbox.AskDrafts:
		m.Command = &pb.Request_AskDrafts{AskDrafts: &pb.AskDrafts{Thread: string(c.Query.Thread), Page: page(c.Query.Page)}}
	default:
		return false
	}
	return true
}

func (r *reader) draft(m *pb.Request) any {
	switch c := m.GetCommand().(type) {
	case *pb.Request_WriteDraft:
		return r.writeDraft(c.WriteDraft)
	case *pb.Request_DiscardDraft:
		d := c.DiscardDraft
		return mailbox.DiscardDraft{Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), ID: parley.MessageID(d.GetId())}
	case *pb.Request_SendDraft:
		d := c.SendDraft
		return mailbox.SendDraft{Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), ID: parley.MessageID(d.GetId())}
	case *pb.Request_KeepDraft:
		return mailbox.KeepDraft{ID: parley.MessageID(c.KeepDraft.GetId())}
	case *pb.Request_AskDraft:
		return mailbox.AskDraft{ID: parley.MessageID(c.AskDraft.GetId())}
	case *pb.Request_AskDrafts:
		q := c.AskDrafts
		return mailbox.AskDrafts{Query: parley.DraftQuery{Thread: parley.ThreadID(q.GetThread()), Page: unpage(q.GetPage())}}
	}
	return nil
}

func writeDraft(c mailbox.WriteDraft) *pb.WriteDraft {
	m := &pb.WriteDraft{
		Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Id: string(c.ID), New: c.New, Kind: string(c.Kind),
		Thread: string(c.Thread), NewThread: string(c.NewThread), Subject: c.Subject,
		ReplyTo: optional(c.ReplyTo, spell[string, parley.MessageID]), Roster: (*uint64)(c.Roster), Quota: c.Quota,
	}
	if c.Text != nil {
		m.Text = &pb.DraftText{Text: c.Text.Text, Blob: digest(c.Text.Blob), Size: c.Text.Size, Excerpt: c.Text.Excerpt}
	}
	if c.To != nil {
		m.To = &pb.Recipients{List: each(*c.To, recipient)}
	}
	if c.Attachments != nil {
		m.Attachments = &pb.CopyAttachments{List: each(*c.Attachments, copyAttachment)}
	}
	if c.Mentions != nil {
		m.Mentions = &pb.Names{Names: list[string](*c.Mentions)}
	}
	return m
}

func (r *reader) writeDraft(m *pb.WriteDraft) mailbox.WriteDraft {
	if m == nil {
		return mailbox.WriteDraft{}
	}
	c := mailbox.WriteDraft{
		Cmd: r.keyed(m.Cmd), IfMatch: revision(m.IfMatch), ID: parley.MessageID(m.Id), New: m.New, Kind: parley.Kind(m.Kind),
		Thread: parley.ThreadID(m.Thread), NewThread: parley.ThreadID(m.NewThread), Subject: m.Subject,
		ReplyTo: optional(m.ReplyTo, spell[parley.MessageID, string]), Roster: (*parley.Seq)(m.Roster), Quota: m.Quota,
	}
	if t := m.Text; t != nil {
		c.Text = &mailbox.DraftText{Text: t.Text, Blob: r.digest(t.Blob), Size: t.Size, Excerpt: t.Excerpt}
	}
	if m.To != nil {
		c.To = new(each(m.To.List, unrecipient))
	}
	if m.Attachments != nil {
		c.Attachments = new(each(m.Attachments.List, r.copyAttachment))
	}
	if m.Mentions != nil {
		c.Mentions = new(list[parley.PartID](m.Mentions.Names))
	}
	return c
}

func recipient(p parley.Recipient) *pb.Recipient {
	return &pb.Recipient{Account: string(p.Account), Address: p.Address, Role: string(p.Role)}
}

func unrecipient(p *pb.Recipient) parley.Recipient {
	return parley.Recipient{Account: parley.AccountID(p.GetAccount()), Address: p.GetAddress(), Role: parley.Role(p.GetRole())}
}
