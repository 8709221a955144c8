package mailbox

import (
	"bytes"
	"slices"

	"github.com/parley-im/parley"
)

// apply folds one action into the change. It reads nothing but pages and the
// action, so that replay gives the same state on any day.
func (t *tx) apply(a *Action) {
	t.n, t.now = a.N, a.At.UnixMicro()
	switch {
	case a.Filed != nil:
		t.file(a.Filed)
	case a.Arrived != nil:
		t.arrive(a.Arrived)
	case a.Reparsed != nil:
		t.reparsed(a.Reparsed)
	case a.Merged != nil:
		t.merge(a.Merged)
	case a.Split != nil:
		t.split(a.Split)
	case a.Changed != nil:
		t.change(a.Changed)
	case a.Thread != nil:
		t.setThread(a.Thread)
	case a.Purged != nil:
		t.purge(a.Purged)
	case a.Uploaded != nil:
		t.upload(a.Uploaded)
	case a.Closed != nil:
		t.editHeader().Closed = true
	case a.Drafted != nil:
		t.write(a.Drafted)
	case a.Sending != nil:
		t.setSending(a.Sending)
	case a.Discarded != nil:
		t.discard(a.Discarded)
	case a.Folder != nil:
		t.setFolder(a.Folder)
	case a.FolderGone != nil:
		t.dropFolder(a.FolderGone)
	case a.Started != nil:
		t.start(a.Started)
	case a.Progressed != nil:
		t.progress(a.Progressed)
	}
	t.finish()
	if a.Key != nil {
		t.remember(a.Key)
	}
	if a.Undoing != nil {
		t.remember(a.Undoing.memory())
	}
	t.editHeader().Last = a.N
}

// file puts a message or notice into its thread.
func (t *tx) file(f *Filed) {
	m := f.Message
	m.Filed, m.Revision = t.n, t.n
	if m.Excerpt == "" {
		m.Excerpt = Excerpt(f.Text)
	}
	th := t.editThread(m.Thread)
	if th.Into != "" { // merged into one that was purged since: the id begins anew
		*th = Thread{ID: m.Thread, Kind: parley.KindMail}
	}
	th.Revision = t.n
	if m.Seq > 0 {
		if th.onlyDrafts() { // the room that one of them makes
			th.Excerpt = ""
		}
		th.Kind, th.Seq = parley.KindRoom, m.Seq
	}
	t.sent(th, &m)
	t.put(messageKey(m.ID), &m)
	if m.Notice != "" {
		t.tree(noticeTree(th.ID)).Insert(m.order())
		if th.Messages == 0 && th.Newest == nil {
			th.LastAt = m.Received
		}
	} else {
		t.enter(th, &m)
	}
	if f.Room != nil {
		t.setRoom(th, &m, f.Room)
	}
	t.fileNodes(&m)
	for _, at := range m.Attachments {
		t.hold(at.Blob, m.ID)
	}
	if f.Contact != (Hash{}) {
		t.touchContact(f.Contact, m.Received)
	}
}

// enter counts a message in and updates what its thread shows of it.
func (t *tx) enter(th *Thread, m *Message) {
	t.tree(messageTree(th.ID)).Insert(m.order())
	th.Hidden = false
	th.count(m, +1)
	t.weigh(m, +1)
	th.show(m)
}

// weigh adds or takes away a message's part in the figures of the whole mailbox.
func (t *tx) weigh(m *Message, sign int64) {
	h := t.editHeader()
	h.Messages += sign
	h.Bytes += sign * m.Size
	if m.Own && m.Answers {
		h.Replies += sign
	}
}

// show updates subject, excerpt, authors and people by one message more.
func (th *Thread) show(m *Message) {
	order := m.order()
	if th.Kind == parley.KindMail && (th.First == nil || bytes.Compare(order, th.First) < 0) {
		th.First, th.Subject = order, m.Subject
	}
	if th.Newest == nil || bytes.Compare(order, th.Newest) >= 0 {
		th.Newest, th.Last, th.LastAt = order, m.ID, m.Received
		th.LastAuthor, th.Excerpt = m.Author, m.Excerpt
	}
	if th.Kind != parley.KindMail {
		return
	}
	known := slices.ContainsFunc(th.Authors, func(a parley.Author) bool { return a.Address == m.Author.Address && a.Account == m.Author.Account })
	if !known && m.Author != (parley.Author{}) && len(th.Authors) < maxAuthors {
		th.Authors = append(th.Authors, m.Author)
	}
	th.addPeople(m.people())
}

// people of a mail message for the participant index.
func (m *Message) people() []Hash {
	var out []Hash
	if m.Author.Account != "" {
		out = append(out, PersonHash(string(m.Author.Account)))
	}
	if m.Author.Address != "" {
		out = append(out, PersonHash(m.Author.Address))
	}
	for _, a := range slices.Concat(m.To, m.Cc) {
		if a.Addr != "" {
			out = append(out, PersonHash(a.Addr))
		}
	}
	return out
}

func (th *Thread) addPeople(hs []Hash) {
	for _, h := range hs {
		i, known := slices.BinarySearchFunc(th.People, h, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
		if !known && len(th.People) < maxPeople {
			th.People = slices.Insert(th.People, i, h)
		}
	}
}

// setRoom takes an event's picture of the room into the copy.
func (t *tx) setRoom(th *Thread, m *Message, r *RoomSet) {
	if r.Subject != nil {
		th.Subject = *r.Subject
	}
	if r.Open != nil {
		th.Open = *r.Open
	}
	if r.History != nil {
		th.History = *r.History
	}
	if r.State != "" {
		th.State = r.State
	}
	if r.Linked != "" {
		t.link(th, r.Linked)
	}
	if r.Offshoot != nil {
		t.branch(th, r.Offshoot, m.Received)
	}
	if len(r.Parts) == 0 {
		return
	}
	th.RosterSeq = m.Seq
	ro := &Roster{}
	if have, _ := t.get(rosterKey(th.ID)).(*Roster); have != nil && !r.Whole {
		ro.Parts = slices.Clone(have.Parts)
	}
	for _, p := range r.Parts {
		if i := slices.IndexFunc(ro.Parts, func(q parley.Participant) bool { return q.ID == p.ID }); i >= 0 {
			ro.Parts[i] = p
		} else {
			ro.Parts = append(ro.Parts, p)
		}
	}
	t.put(rosterKey(th.ID), ro)
	th.People = nil
	for _, p := range ro.Parts {
		if p.Account == t.s.owner {
			continue // every thread here is the owner's
		}
		if p.Account != "" {
			th.addPeople([]Hash{PersonHash(string(p.Account))})
		} else if p.Address != "" {
			th.addPeople([]Hash{PersonHash(p.Address)})
		}
	}
}

// maxLinked bounds the rooms that are made of one mail thread.
const maxLinked = 100

// link ties a room to the mail thread that it was made of.
func (t *tx) link(room *Thread, id parley.ThreadID) {
	mail := t.resolve(id)
	if mail == nil || mail.Kind != parley.KindMail || len(mail.Linked) >= maxLinked {
		return
	}
	mail = t.editThread(mail.ID)
	mail.Linked, mail.Revision = insert(mail.Linked, room.ID), t.n
	room.Linked = insert(room.Linked, mail.ID)
}

// touchContact moves somebody to the time of the latest message.
func (t *tx) touchContact(h Hash, at int64) {
	was, _ := t.get(contactKey(h)).(*Contact)
	if was != nil {
		if was.Last >= at {
			return
		}
		t.tree(contactTree).Delete(append(newest(was.Last), h[:]...))
	}
	t.put(contactKey(h), &Contact{Last: at})
	t.tree(contactTree).Insert(append(newest(at), h[:]...))
}

func (t *tx) arrive(a *Arrived) {
	m := t.editMessage(a.Message)
	if m == nil {
		return
	}
	th := t.editThread(m.Thread)
	th.count(m, -1)
	if !a.Blanked {
		m.Arrivals, m.Logged = append(m.Arrivals, a.Arrival), append(m.Logged, t.n)
	}
	m.move(slices.Clone(a.Folders))
	m.Keywords, m.Revision = slices.Clone(a.Keywords), t.n
	th.count(m, +1)
	th.Revision = t.n
}

// remember keeps the answer to a command, and forgets a few whose time is over.
func (t *tx) remember(k *Memory) {
	tr := t.tree(keyTree)
	for _, key := range tr.Ascend(nil, true, forgetAtOnce) {
		if bytes.Compare(key[:8], oldest(t.now)) > 0 {
			break
		}
		tr.Delete(key)
		t.put(commandKey(parley.CommandID(key[8:])), nil)
	}
	if was, _ := t.get(commandKey(k.ID)).(*Remembered); was != nil { // expired, and used again
		tr.Delete(append(oldest(was.Expires), k.ID[:]...))
	}
	r := &Remembered{Body: k.Body, Expires: k.Expires.UnixMicro(), Revision: t.n, Answer: k.Answer}
	t.put(commandKey(k.ID), r)
	tr.Insert(append(oldest(r.Expires), k.ID[:]...))
}

// forgetAtOnce is how many expired keys one action drops: more than it adds, so
// that they die out, few enough to stay cheap.
const forgetAtOnce = 4
