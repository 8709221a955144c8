package actors

import (
	"strconv"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/mail"
)

// Bounds of what a message page keeps of a header.
const (
	maxListedAddresses = 100
	maxReferences      = 50 // nodes that one message touches: the first and the last ones
	maxSubjectBytes    = 998
)

// command is what an arrival asks of one mailbox.
func (c *Client) command(acc parley.AccountID, a arrival, env parley.Arrival) mailbox.DeliverMail {
	s := c.n.cfg.Secret
	key := "mail\x00" + env.From + "\x00" + a.m.MessageID + "\x00" + string(a.door[:])
	cmd := parley.Command{ID: s.Command(acc, key), Body: a.door}
	id := s.Message(cmd.ID, string(acc))
	if a.m.MessageID == "" && env.Channel != parley.ChannelImport {
		// Without a Message-ID the same bytes an hour later are another message.
		id = parley.MessageID(parley.FormatID(parley.MessagePrefix, s.Derive("message", string(cmd.ID[:]), strconv.FormatInt(env.At.UnixMicro(), 10))))
	}
	out := mailbox.DeliverMail{Cmd: cmd, KeyLife: mailbox.Age(a.m.MessageID), Envelope: env, Raw: a.raw,
		NewThread: parley.ThreadID(parley.FormatID(parley.ThreadPrefix, s.Derive("mail thread", string(acc), string(id))))}
	out.Message = a.message(s, acc, id, env.At)
	out.Nodes, out.Signals, out.Evidence = a.nodes(id, env.Channel)
	return out
}

// message is the page that the mailbox will keep.
func (a arrival) message(s parley.Secret, acc parley.AccountID, id parley.MessageID, at time.Time) mailbox.Message {
	m := a.m
	out := mailbox.Message{ID: id, Channel: parley.ChannelMail, Subject: cutBytes(m.Subject, maxSubjectBytes), Excerpt: mailbox.Excerpt(m.Snippet(mailbox.ExcerptRunes)),
		At: at.UnixMicro(), Received: at.UnixMicro(), Size: a.size, MessageID: m.MessageID, HasHTML: m.HTML != "",
		To: addresses(m.To), Cc: addresses(m.Cc), Answers: len(m.InReplyTo)+len(m.References) > 0, Content: a.content,
		Body: mailbox.Body{Mail: true, InLog: a.raw != nil, Blob: a.blob}}
	if !m.Date.IsZero() {
		out.At = m.Date.UnixMicro()
	}
	if len(m.From) > 0 {
		out.Author = parley.Author{Name: m.From[0].Name, Address: m.From[0].Addr}
	}
	for _, p := range m.Attachments {
		blob := parley.BlobID(parley.FormatID(parley.BlobPrefix, s.Derive("part", string(acc), string(id), p.Path)))
		out.Attachments = append(out.Attachments, mailbox.Attachment{Path: p.Path, Attachment: parley.Attachment{
			Blob: blob, Name: p.Filename, Type: p.Type, Size: p.Size, Inline: p.Inline, CID: p.ContentID}})
	}
	return out
}

// nodes are the message's places in the reference graph: its own id, then what it
// refers to by the order of signals. Where In-Reply-To and References have
// nothing in common, the stronger one alone counts.
func (a arrival) nodes(id parley.MessageID, ch parley.Channel) (hs []mailbox.Hash, signals []parley.Signal, evidence []string) {
	add := func(h mailbox.Hash, s parley.Signal, e string) {
		hs, signals, evidence = append(hs, h), append(signals, s), append(evidence, e)
	}
	m := a.m
	switch {
	case m.MessageID != "":
		add(mailbox.ReferenceHash(m.MessageID), parley.SignalReferences, m.MessageID)
	case ch == parley.ChannelImport:
		add(mailbox.ContentHash(a.door), parley.SignalSame, "")
	default:
		add(mailbox.ReferenceHash(string(id)), parley.SignalSame, "")
	}
	replies := map[string]bool{}
	for _, r := range m.InReplyTo {
		replies[r] = true
	}
	agree := len(replies) == 0
	for _, r := range m.References {
		agree = agree || replies[r]
	}
	chain := m.RefChain()
	if len(chain) > maxReferences {
		chain = append(chain[:maxReferences-1:maxReferences-1], chain[len(chain)-1])
	}
	for _, r := range chain {
		switch {
		case replies[r]:
			add(mailbox.ReferenceHash(r), parley.SignalInReplyTo, r)
		case agree:
			add(mailbox.ReferenceHash(r), parley.SignalReferences, r)
		}
	}
	if m.ThreadIndex != "" {
		add(mailbox.ThreadIndexHash(m.ThreadIndex), parley.SignalThreadIndex, m.ThreadIndex)
	}
	return hs, signals, evidence
}

func addresses(as []mail.Address) []parley.Address {
	var out []parley.Address
	for _, a := range as[:min(len(as), maxListedAddresses)] {
		out = append(out, parley.Address{Name: a.Name, Addr: a.Addr})
	}
	return out
}

func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
