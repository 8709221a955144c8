package mailbox_test

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// changeMany changes those of the messages that are here and were not changed
// since the revision named.
func (n *naive) changeMany(c mailbox.ChangeMany) (r mailbox.Reply, err error) {
	if err := n.checkFolders(c.Change); err != nil {
		return r, err
	}
	var touched []*note
	for _, id := range c.Messages {
		switch m := n.find(id); {
		case m == nil || m.Notice != "", n.threads[m.Thread].Kind == parley.KindRoom && drafts(c.Change):
			r.Tally.Missing++
		case c.IfMatch != 0 && m.Revision > c.IfMatch:
			r.Tally.Stale++
		case n.patch(m, c.Change):
			touched = append(touched, m)
		}
	}
	r.Tally.Changed = int64(len(touched))
	n.stamp(touched)
	return r, nil
}

func (n *naive) readFolder(c mailbox.ReadFolder) (r mailbox.Reply, err error) {
	if !n.all([]parley.FolderID{c.Folder}) {
		return r, parley.E(parley.NotFound, "", "")
	}
	var touched []*note
	for _, m := range n.messages {
		if m.Notice == "" && m.in(c.Folder) && m.unread() {
			n.patch(m, parley.Change{Seen: new(true)})
			touched = append(touched, m)
		}
	}
	r.Tally.Changed = int64(len(touched))
	n.stamp(touched)
	return r, nil
}

// worked is the answer to a command that became a job, which is over.
func (n *naive) worked(t tester, s *mailbox.State, since parley.Revision, got, want mailbox.Reply) mailbox.Reply {
	t.Helper()
	j, err := s.Job(got.Job, n.now)
	if got.Replayed {
		want.Job, want.Tally = got.Job, parley.Tally{}
		return want
	}
	if tally := want.Tally; err != nil || j.State != parley.JobDone || j.Done != j.Total || want.Thread == "" && j.Tally != tally {
		t.Fatalf("got %+v, %v, want it done, and %+v", j, err, tally)
	}
	want.Job, want.Tally = got.Job, parley.Tally{}
	return n.adopt(s, since, got, want, j.Kind != parley.JobPurgeThread)
}

// adopt takes over into how many actions a job was cut, and what takes it back:
// the revisions of what the naive mailbox changed, too.
func (n *naive) adopt(s *mailbox.State, since parley.Revision, got, want mailbox.Reply, undoable bool) mailbox.Reply {
	for _, m := range n.messages {
		if now, err := s.Message(m.ID); err == nil && m.Revision > since && now.Revision > since {
			m.Revision = now.Revision
		}
	}
	for id, th := range n.threads {
		if now, err := s.Thread(id); err == nil && th.Revision > since && now.Thread.Revision > since {
			th.Revision = now.Thread.Revision
		}
	}
	p := n.past[n.last]
	if p == nil || n.last == since {
		p = &past{at: n.now, acts: []act{{}}}
	} else {
		delete(n.past, n.last)
	}
	if n.last = s.Last(); undoable && n.last > since {
		p.job = true
		n.past[n.last] = p
	}
	want.Revision = got.Revision
	for id, was := range n.keys {
		if was.reply.Revision > since {
			was.reply = want
			n.keys[id] = was
		}
	}
	return want
}
