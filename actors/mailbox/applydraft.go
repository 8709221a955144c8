package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// write puts a draft into its thread, in the place of what it was.
func (t *tx) write(d *Drafted) {
	m := d.Message
	was := t.message(m.ID)
	m.Filed, m.Revision = t.n, t.n
	switch {
	case d.Kept && was != nil:
		m.Filed, m.Excerpt, m.Logged = was.Filed, was.Excerpt, []parley.Revision{t.n}
	case m.Excerpt == "":
		m.Excerpt = Excerpt(d.Text)
	}
	th := t.editThread(m.Thread)
	if was.draft() {
		t.takeOut(th, was)
	}
	t.put(messageKey(m.ID), &m)
	t.putIn(th, &m)
	for _, at := range m.Attachments {
		t.hold(at.Blob, m.ID)
	}
	if was.draft() {
		t.letGo(was, m.Attachments)
	}
	if d.Told {
		th.Revision = t.n
		t.retellDrafts(th)
	}
}

// putIn counts a draft in and lists it.
func (t *tx) putIn(th *Thread, m *Message) {
	th.count(m, +1)
	t.weigh(m, +1)
	t.tree(draftTree("")).Insert(m.recent())
	t.tree(draftTree(th.ID)).Insert(m.recent())
	if m.Draft.Sending != 0 {
		t.editHeader().Sending++
		t.tree(sendingTree).Insert(m.leaving())
	}
}

// takeOut undoes putIn.
func (t *tx) takeOut(th *Thread, m *Message) {
	th.count(m, -1)
	t.weigh(m, -1)
	t.tree(draftTree("")).Delete(m.recent())
	t.tree(draftTree(th.ID)).Delete(m.recent())
	if m.Draft.Sending != 0 {
		t.editHeader().Sending--
		t.tree(sendingTree).Delete(m.leaving())
	}
}

// letGo releases the blobs of a draft that what comes in its place does not have.
func (t *tx) letGo(m *Message, stay []Attachment) {
	for _, at := range m.Attachments {
		if !slices.ContainsFunc(stay, func(have Attachment) bool { return have.Blob == at.Blob }) {
			t.release(at.Blob, m.ID)
		}
	}
}

// setSending takes what was decided about the sending of a draft.
func (t *tx) setSending(s *Sending) {
	m := t.editMessage(s.Draft)
	if !m.draft() {
		return
	}
	th := t.editThread(m.Thread)
	t.takeOut(th, m)
	m.Revision, m.Draft.Sending = t.n, 0
	if s.On {
		m.Draft.Sending = t.now
	}
	t.putIn(th, m)
}

// discard removes a draft, and its thread if nothing else is there.
func (t *tx) discard(d *Discarded) {
	m := t.message(d.Draft)
	if !m.draft() {
		return
	}
	th := t.editThread(m.Thread)
	th.Revision = t.n
	t.takeOut(th, m)
	t.letGo(m, nil)
	t.put(messageKey(m.ID), nil)
	if th.Kind == parley.KindMail && th.Messages == 0 && th.Drafts == 0 {
		t.put(threadKey(th.ID), nil)
		return
	}
	t.retellDrafts(th)
}

// sent takes a draft out for the message that comes in its place.
func (t *tx) sent(th *Thread, m *Message) {
	if !m.Own {
		return
	}
	was := t.message(m.ID)
	if !was.draft() {
		return
	}
	t.takeOut(th, was)
	t.letGo(was, m.Attachments)
}

// followMerge brings the drafts of a merged thread along.
func (t *tx) followMerge(from, into *Thread) {
	tr := t.tree(draftTree(from.ID))
	for _, key := range tr.Ascend(nil, false, parley.MaxDrafts) {
		m := t.editMessage(messageIDOf(key))
		if m == nil {
			continue
		}
		t.takeOut(from, m)
		m.Thread, m.Revision = into.ID, t.n
		m.Generation++
		t.putIn(into, m)
	}
}

// onlyDrafts reports a thread in which nothing was sent or received.
func (th *Thread) onlyDrafts() bool {
	return th.Kind == parley.KindMail && th.Messages == 0 && th.Drafts > 0
}

// retellDrafts tells such a thread from the draft that was written last.
func (t *tx) retellDrafts(th *Thread) {
	if !th.onlyDrafts() {
		return
	}
	for _, key := range t.tree(draftTree(th.ID)).Ascend(nil, false, 1) {
		if m := t.message(messageIDOf(key)); m != nil {
			th.Subject, th.Excerpt, th.LastAt = m.Subject, m.Excerpt, m.Received
		}
	}
}
