package mailbox_test

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// reparse reads mails anew. Which of equal threads keeps its id is taken over.
func (n *naive) reparse(c mailbox.Reparse, got mailbox.Reply) (r mailbox.Reply, err error) {
	if c.Preview {
		return got, nil // that it changes nothing is what is compared
	}
	for _, rd := range c.Readings {
		m := n.find(rd.Message.ID)
		if m == nil || n.threads[m.Thread].Kind != parley.KindMail || m.Notice != "" {
			r.Tally.Missing++
			continue
		}
		if !n.readsOtherwise(m, rd) {
			continue
		}
		r.Tally.Changed++
		n.readAnew(m, rd, keptBy(got, m.ID, m.Thread))
	}
	r.Revision, r.Reread = n.last, got.Reread
	if len(got.Reread) != int(r.Tally.Changed) {
		r.Reread = nil
	}
	return r, nil
}

// keptBy is the thread that a mail is in by the product's choice.
func keptBy(got mailbox.Reply, id parley.MessageID, was parley.ThreadID) parley.ThreadID {
	for _, r := range got.Reread {
		for _, d := range r.Differences {
			if r.Message == id && d.Field == "thread" {
				return parley.ThreadID(d.Now)
			}
		}
	}
	return was
}

func (n *naive) readsOtherwise(m *note, rd mailbox.Reading) bool {
	now := rd.Message
	same := m.Subject == now.Subject && m.Author == now.Author && m.Excerpt == now.Excerpt && m.At.Equal(time.UnixMicro(now.At)) &&
		m.MessageID == now.MessageID && slices.Equal(m.To, now.To) && slices.Equal(m.Cc, now.Cc) && m.answers == now.Answers &&
		m.content == now.Content && slices.Equal(m.refs, rd.Nodes) && len(m.Attachments) == len(now.Attachments)
	for i := range m.Attachments {
		same = same && m.Attachments[i] == now.Attachments[i].Attachment
	}
	return !same
}

func (n *naive) readAnew(m *note, rd mailbox.Reading, kept parley.ThreadID) {
	tied, first := []parley.ThreadID{m.Thread}, -1
	for i, h := range rd.Nodes {
		th := n.thread(n.heard[h])
		if th == nil || slices.Contains(m.refs, h) || slices.Contains(tied, th.ID) || slices.ContainsFunc(tied, func(id parley.ThreadID) bool { return n.apart(id, th.ID) }) {
			continue
		}
		if tied = append(tied, th.ID); first < 0 {
			first = i
		}
	}
	most := 0
	for _, id := range tied {
		most = max(most, len(n.of(id, false)))
	}
	if !slices.Contains(tied, kept) || len(n.of(kept, false)) < most {
		kept = "a thread that it does not belong to, or a smaller one"
	}
	for _, id := range tied {
		if id != kept {
			n.merge(id, kept)
		}
	}
	n.step()
	if first >= 0 {
		m.signal, m.evidence = rd.Signals[first], rd.Evidence[first]
	}
	now := rd.Message
	if now.Author.Address != m.Author.Address && now.Author.Address != "" && !m.own {
		n.wrote(now.Author.Address, m.order)
	}
	m.Subject, m.Author, m.Excerpt, m.At, m.MessageID = now.Subject, now.Author, now.Excerpt, time.UnixMicro(now.At).UTC(), now.MessageID
	m.To, m.Cc, m.answers, m.content, m.Attachments = now.To, now.Cc, now.Answers, now.Content, nil
	for _, a := range now.Attachments {
		m.Attachments = append(m.Attachments, a.Attachment)
	}
	m.Generation, m.Revision, n.threads[m.Thread].Revision = m.Generation+1, n.last, n.last
	if slices.Equal(m.refs, rd.Nodes) {
		return
	}
	i := slices.Index(n.messages, m) // its own names are heard as for the first time
	n.messages = slices.Delete(n.messages, i, i+1)
	m.refs = rd.Nodes
	n.hear(m)
	n.messages = slices.Insert(n.messages, i, m)
}

// reparse brings what a better parser reads in letters that came.
func (p *play) reparse() {
	if len(p.sent) == 0 {
		return
	}
	names := []string{"a", "b", "c", "d", "e", "f"}
	c := mailbox.Reparse{Preview: p.some("preview")}
	for range 1 + p.pick(2, "more") {
		l := p.sent[p.pick(len(p.sent), "which")]
		was := l.command()
		switch p.pick(6, "what") {
		case 0:
			l.text = draw(p, "text", "one", "three")
		case 1:
			l.from = draw(p, "from", "ana@out", "dee@out", "")
		case 2:
			l.references = without(set(chosen(p, "references", 2, names...)), append(l.replies, l.id)...)
		case 3:
			l.files = chosen(p, "parts", 2, "part.txt", "other.txt")
		case 4:
			l.id = draw(p, "id", names...)
			l.references, l.replies = without(l.references, l.id), without(l.replies, l.id)
		}
		now := l.command()
		now.Message.ID = was.Message.ID
		for i := range now.Message.Attachments {
			now.Message.Attachments[i].Blob = blobID("part", was.Message.ID, l.files[i])
		}
		if l.id == "" {
			now.Nodes[0] = was.Nodes[0]
		}
		c.Readings = append(c.Readings, mailbox.Reading{Message: now.Message, Nodes: now.Nodes, Signals: now.Signals, Evidence: now.Evidence})
	}
	p.do(c)
}
