package mailbox_test

import (
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// slip is a draft as the edges see it.
type slip struct {
	parley.DraftMessage
	text int64 // bytes
}

func (n *naive) slip(id parley.MessageID) *slip {
	for _, m := range n.drafts {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// draftsOf lists drafts, of a thread or all, the last written first.
func (n *naive) draftsOf(id parley.ThreadID) (out []*slip) {
	for _, m := range n.drafts {
		if id == "" || m.Thread == id {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b *slip) int {
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(raw(string(a.ID)), raw(string(b.ID)))
	})
	return out
}

// onlyDrafts reports a thread in which nothing was sent or received.
func (n *naive) onlyDrafts(id parley.ThreadID) bool {
	th := n.threads[id]
	return th != nil && th.Kind == parley.KindMail && len(n.of(id, false)) == 0
}

// showDrafts is what a thread shows of them.
func (n *naive) showDrafts(out *parley.Thread) {
	ms := n.draftsOf(out.ID)
	if len(ms) == 0 {
		return
	}
	out.Folders = set(append(out.Folders, parley.Drafts))
	if n.onlyDrafts(out.ID) {
		out.Subject, out.Excerpt, out.LastAt = ms[0].Subject, ms[0].Excerpt, ms[0].UpdatedAt
	}
}

func (n *naive) write(c mailbox.WriteDraft) (mailbox.Reply, error) {
	if n.closed {
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	}
	m, err := n.unwritten(c)
	if err != nil {
		return mailbox.Reply{}, err
	}
	if err := n.refused(c, m); err != nil {
		return mailbox.Reply{}, err
	}
	was := m.Size
	next := *m
	next.change(c)
	if c.Quota > 0 && next.Size > was && n.bytes()-was+next.Size > c.Quota {
		return mailbox.Reply{}, parley.E(parley.OverQuota, "", "")
	}
	next.UpdatedAt, next.Revision = n.now.UTC(), n.step()
	if *m = next; c.New {
		m.CreatedAt = m.UpdatedAt
		n.drafts = append(n.drafts, m)
	}
	for _, a := range m.Attachments {
		delete(n.uploads, a.Blob)
	}
	if n.threads[m.Thread] == nil {
		n.threads[m.Thread] = &talk{Thread: parley.Thread{ID: m.Thread, Kind: parley.KindMail}}
	}
	if c.New || n.onlyDrafts(m.Thread) {
		n.threads[m.Thread].Revision = n.last
	}
	return mailbox.Reply{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}, nil
}

// unwritten is the draft as it was, or a new one.
func (n *naive) unwritten(c mailbox.WriteDraft) (*slip, error) {
	switch {
	case !c.New:
		return n.editable(c.ID, c.IfMatch)
	case n.slip(c.ID) != nil || n.find(c.ID) != nil:
		return nil, parley.E(parley.Conflict, "", "")
	}
	m := &slip{DraftMessage: parley.DraftMessage{ID: c.ID, Thread: c.NewThread, Alone: c.Thread == "", Kind: c.Kind}}
	if c.Thread == "" {
		if n.threads[c.NewThread] != nil {
			return nil, parley.E(parley.Conflict, "", "")
		}
		return m, nil
	}
	th := n.thread(c.Thread)
	if th == nil {
		return nil, parley.E(parley.NotFound, "", "")
	}
	if slices.ContainsFunc(n.draftsOf(th.ID), func(m *slip) bool { return m.Alone }) {
		return nil, parley.E(parley.BadRequest, "", "")
	}
	m.Thread, m.Kind = th.ID, th.Kind
	return m, nil
}

func (n *naive) editable(id parley.MessageID, ifMatch parley.Revision) (*slip, error) {
	m, sent := n.slip(id), n.find(id)
	switch {
	case m == nil && sent != nil && sent.Notice == "" && sent.own:
		return nil, parley.E(parley.AlreadySent, "", "")
	case m == nil:
		return nil, parley.E(parley.NotFound, "", "")
	case !m.Sending.IsZero():
		return nil, parley.E(parley.AlreadySent, "", "")
	case ifMatch != 0 && ifMatch != m.Revision:
		return nil, parley.E(parley.Stale, "", "")
	}
	return m, nil
}

func (n *naive) refused(c mailbox.WriteDraft, m *slip) error {
	if !m.Alone && (c.To != nil || c.Subject != nil) {
		return parley.E(parley.BadRequest, "", "")
	}
	if c.ReplyTo != nil && *c.ReplyTo != "" {
		if to := n.find(*c.ReplyTo); to == nil || to.Notice != "" || to.Thread != m.Thread {
			return parley.E(parley.BadContent, "", "")
		}
	}
	return nil
}

func (m *slip) change(c mailbox.WriteDraft) {
	if c.Text != nil {
		m.text, m.Excerpt = int64(len(c.Text.Text)), c.Text.Text
	}
	if c.Subject != nil {
		m.Subject = *c.Subject
	}
	if c.To != nil {
		m.To = *c.To
	}
	if c.Attachments != nil {
		m.Attachments = nil
		for _, a := range *c.Attachments {
			m.Attachments = append(m.Attachments, a.Attachment)
		}
	}
	if c.ReplyTo != nil {
		m.ReplyTo = *c.ReplyTo
	}
	if c.Mentions != nil {
		m.Mentions = *c.Mentions
	}
	if c.Roster != nil {
		m.RosterVersion = *c.Roster
	}
	m.Size = m.text
	for _, a := range m.Attachments {
		m.Size += a.Size
	}
}

func (n *naive) discard(c mailbox.DiscardDraft) (mailbox.Reply, error) {
	m, err := n.editable(c.ID, c.IfMatch)
	if err != nil {
		return mailbox.Reply{}, err
	}
	n.drop(m)
	return mailbox.Reply{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}, nil
}

// drop forgets a draft, and a thread that has nothing else.
func (n *naive) drop(m *slip) {
	n.step()
	n.drafts = slices.DeleteFunc(n.drafts, func(have *slip) bool { return have == m })
	n.threads[m.Thread].Revision = n.last
	if n.onlyDrafts(m.Thread) && len(n.draftsOf(m.Thread)) == 0 {
		delete(n.threads, m.Thread)
	}
}

// send notes that a draft is on its way. Under its key a repeat goes on; once the
// draft was sent it is a replay, and once it was refused it is decided anew.
func (n *naive) send(c mailbox.SendDraft) (mailbox.Reply, error) {
	m := n.slip(c.ID)
	before, known := n.keys[c.Cmd.ID]
	known = known && before.expires.After(n.now)
	if m != nil && m.Sending.IsZero() && known && before.body == c.Cmd.Body {
		delete(n.keys, c.Cmd.ID)
	}
	r, err := n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) {
		m, err := n.editable(c.ID, c.IfMatch)
		if err != nil {
			return mailbox.Reply{}, err
		}
		switch {
		case m.Kind == parley.KindMail, m.Alone && len(m.To) == 0:
			return mailbox.Reply{}, parley.E(parley.BadAddress, "", "")
		case m.Excerpt == "" && len(m.Attachments) == 0:
			return mailbox.Reply{}, parley.E(parley.BadContent, "", "")
		}
		m.Revision, m.Sending = n.step(), n.now.UTC()
		return mailbox.Reply{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}, nil
	})
	if err != nil && known {
		n.keys[c.Cmd.ID] = before
	}
	if r.Replayed && m != nil {
		r.Replayed, r.Revision = false, n.last
	}
	return r, err
}

func (n *naive) keep(c mailbox.KeepDraft) (mailbox.Reply, error) {
	if m := n.slip(c.ID); m != nil && !m.Sending.IsZero() {
		m.Sending, m.Revision = time.Time{}, n.step()
	}
	return mailbox.Reply{Revision: n.last}, nil
}
