package mailbox

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// deliverMail files a message from the mail door or an import. The door's key
// catches a retry; the copy's own rule catches the same
// message by another way, for ever.
func (d *decider) deliverMail(c DeliverMail) error {
	if done, err := d.repeated(c.Cmd, max(c.KeyLife, parley.MailKeyLife)); done || err != nil {
		return err
	}
	if err := d.open(); err != nil {
		return err
	}
	if err := d.checkFolders("folders", c.Folders); err != nil {
		return err
	}
	if !c.Message.ID.Valid() || !c.NewThread.Valid() {
		return errID
	}
	if same := d.same(c); same != nil {
		return d.arriveAgain(c, same)
	}
	if c.Quota > 0 && d.header().Bytes+c.Message.Size > c.Quota {
		return parley.E(parley.OverQuota, "mailbox.deliver", "the mailbox is full")
	}
	m := c.Message
	m.Nodes, m.Arrivals = c.Nodes, []parley.Arrival{c.Envelope}
	tied := d.tied(c.Nodes)
	m.Thread, m.Signal, m.Evidence = d.threadOf(c, tied)
	m.Thread = d.mergeAll(m.Thread, tied)
	m.Folders, m.Keywords, m.Rule = d.fileMail(c, m.Thread)
	a := Action{Filed: &Filed{Message: m}}
	if !m.Own && m.Author.Address != "" {
		a.Filed.Contact = PersonHash(m.Author.Address)
	}
	a.Key = d.memory(c.Cmd, c.KeyLife, Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread})
	n := d.next
	d.add(a)
	d.out.Reply.Filed = true
	if c.Raw != nil {
		if d.out.Raw == nil {
			d.out.Raw = map[parley.Revision][]byte{}
		}
		d.out.Raw[n] = c.Raw
	}
	return nil
}

// same finds the message that this one doubles: the same Message-ID, author and
// own text, or the very id that this command gives it, when its key has expired.
func (d *decider) same(c DeliverMail) *Message {
	n, m := d.node(c.Nodes[0]), d.message(c.Message.ID)
	if m != nil || n == nil {
		return m
	}
	for _, id := range n.Messages {
		if m := d.message(id); m != nil && m.Content == c.Message.Content && m.Author.Address == c.Message.Author.Address {
			return m
		}
	}
	return nil
}

// arriveAgain records a further arrival of a message. An import that brings
// nothing new adds nothing.
func (d *decider) arriveAgain(c DeliverMail, m *Message) error {
	folders, keywords := slices.Clone(m.Folders), slices.Clone(m.Keywords)
	switch {
	case c.Import:
		for _, f := range c.Folders {
			folders = insert(folders, f)
		}
	case m.in(parley.Sent) && !m.in(parley.Inbox) && len(m.Arrivals) < 2: // mail to oneself: in Sent and Inbox, unread
		folders = insert(folders, parley.Inbox)
		keywords = slices.DeleteFunc(keywords, func(k parley.Keyword) bool { return k == parley.Seen })
	}
	ans := Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}
	if c.Import && slices.Equal(folders, m.Folders) {
		d.memory(c.Cmd, 0, ans)
		return nil
	}
	a := Action{Arrived: &Arrived{Message: m.ID, Thread: m.Thread, Arrival: c.Envelope, Folders: folders, Keywords: keywords}}
	if len(m.Arrivals) >= maxArrivals { // who sent it is not kept, so that there is nothing to purge later
		a = a.Blank()
	}
	a.Key = d.memory(c.Cmd, c.KeyLife, ans)
	d.add(a)
	return nil
}

// tied are the threads of a message's nodes. Nodes are in the order of signals, the
// message's own id first, since another message may have named it already: where a
// split lies between two threads, the message is with the one that comes first.
func (d *decider) tied(nodes []Hash) (all []*Thread) {
	for _, h := range nodes {
		n := d.node(h)
		if n == nil {
			continue
		}
		th := d.resolve(n.Thread)
		if th == nil || th.Kind != parley.KindMail || slices.Contains(all, th) || d.apart(th, all) {
			continue
		}
		all = append(all, th)
	}
	return all
}

// threadOf finds the mail thread, and why: by the strongest name of a message that
// is here, else of one that was only named.
func (d *decider) threadOf(c DeliverMail, tied []*Thread) (parley.ThreadID, parley.Signal, string) {
	at := func(i int) parley.ThreadID {
		side := d.side(d.node(c.Nodes[i]))
		if slices.ContainsFunc(tied, func(th *Thread) bool { return th.ID == side }) {
			return side
		}
		return ""
	}
	for i, h := range c.Nodes {
		if n := d.node(h); i > 0 && n != nil && len(n.Messages) > 0 && at(i) != "" {
			return at(i), c.Signals[i], c.Evidence[i]
		}
	}
	for i := range c.Nodes {
		if at(i) != "" {
			return at(i), c.Signals[i], c.Evidence[i]
		}
	}
	return c.NewThread, parley.SignalNew, ""
}

// mergeAll makes one of the threads that a message ties, so that arrival and import
// give the same threads in any order. The largest keeps its id, among equals the one
// that the signals chose: so a message moves only into a thread of twice the size
// or more, and chains of aliases stay short.
func (d *decider) mergeAll(chosen parley.ThreadID, all []*Thread) parley.ThreadID {
	into, most := chosen, int64(0)
	for _, th := range all {
		if th.Messages > most || th.Messages == most && th.ID == chosen {
			into, most = th.ID, th.Messages
		}
	}
	for _, th := range all {
		if th.ID != into {
			d.merge(th.ID, into)
		}
	}
	return into
}

// merge moves all messages of a thread into another.
func (d *decider) merge(from, into parley.ThreadID) {
	ids := d.messageIDs(from, nil, 0)
	if len(ids) == 0 { // it has drafts alone
		d.add(Action{Merged: &Merged{From: from, Into: into, Last: true, Drafts: d.draftIDs(from)}})
	}
	for chunk := range slices.Chunk(ids, MaxTouched) {
		g := &Merged{From: from, Into: into, Messages: chunk, Last: chunk[len(chunk)-1] == ids[len(ids)-1]}
		if g.Last {
			g.Drafts = d.draftIDs(from)
		}
		d.add(Action{Merged: g})
	}
}

// draftIDs are the drafts of a thread.
func (d *decider) draftIDs(id parley.ThreadID) (out []parley.MessageID) {
	for _, key := range d.tree(draftTree(id)).Ascend(nil, false, parley.MaxDrafts) {
		out = append(out, messageIDOf(key))
	}
	return out
}

// fileMail chooses folders and keywords: the default rule.
func (d *decider) fileMail(c DeliverMail, into parley.ThreadID) ([]parley.FolderID, []parley.Keyword, string) {
	kw := sorted(c.Keywords)
	if c.BornRead {
		kw = insert(kw, parley.Seen)
	}
	in := func(f parley.FolderID) []parley.FolderID { return settled(sorted(append(slices.Clone(c.Folders), f))) }
	switch {
	case slices.ContainsFunc(c.Folders, func(f parley.FolderID) bool { return !f.IsLabel() }):
		return settled(sorted(c.Folders)), kw, "import"
	case c.Import && c.Message.Own:
		return in(parley.Sent), insert(kw, parley.Seen), "own"
	case d.muted(into):
		return in(parley.Archive), kw, "muted"
	default:
		return in(parley.Inbox), kw, "default"
	}
}

func (d *decider) muted(id parley.ThreadID) bool {
	th := d.thread(id)
	return th != nil && th.Muted
}

// Age is how long a door's key is kept.
func Age(messageID string) time.Duration {
	if messageID == "" {
		return parley.MailKeyLifeWithoutID
	}
	return parley.MailKeyLife
}
