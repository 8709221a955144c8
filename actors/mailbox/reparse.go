package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// Reparse brings what a better parser reads in mails that are here. A mail that
// reads as before is left alone, so that the command needs no key.
type Reparse struct {
	Readings []Reading // at most MaxReadings
	Preview  bool      // say what would change, and change nothing
}

// MaxReadings is how many mails one Reparse may bring: whoever asks meanwhile
// waits for these at most.
const MaxReadings = 50

// Reading is what a mail says: the message as DeliverMail would bring it now,
// under the id that it has.
type Reading struct {
	Message  Message
	Nodes    []Hash
	Signals  []parley.Signal
	Evidence []string
}

// Reread answers for a mail that reads otherwise.
type Reread struct {
	Message     parley.MessageID
	Differences []Difference
}

// Difference is one field as it was and as it is now, in words.
type Difference struct{ Field, Was, Now string }

// Reparsed records how a mail reads now. Its folders, keywords, arrivals, raw
// bytes and the time when it came stay. Of Message it has what is read from the
// bytes, the thread, and why it is there.
type Reparsed struct {
	Message Message
	Contact Hash // an author who was not known; zero: nobody
	Blanked bool
}

func (d *decider) reparse(c Reparse) error {
	if len(c.Readings) > MaxReadings {
		return parley.E(parley.TooLarge, "mailbox.reparse", "these are too many messages at once")
	}
	for _, r := range c.Readings {
		d.message(r.Message.ID) // so that all that lack are asked for at once
	}
	var all []Reread
	for _, r := range c.Readings {
		m := d.message(r.Message.ID)
		if m == nil || m.Notice != "" || m.draft() || !m.Body.Mail || m.Seq > 0 {
			d.out.Reply.Tally.Missing++
			continue
		}
		if diff := d.reread(m, r); len(diff) > 0 {
			all = append(all, Reread{m.ID, diff})
			d.out.Reply.Tally.Changed++
		}
	}
	if d.out.Reply.Reread = all; c.Preview {
		d.out.Actions = nil
	}
	return nil
}

// reread decides about one mail. What it newly names ties its thread to others, as
// when it came; what it does not name any more takes nothing apart, since others
// may have come by it.
func (d *decider) reread(m *Message, r Reading) []Difference {
	now := m.clone()
	now.read(&r.Message)
	now.Nodes = r.Nodes
	diff := differences(m, now)
	if len(diff) == 0 || d.lacks() {
		return diff
	}
	from := m.Thread
	all, first := d.newlyTied(m, r)
	if d.lacks() {
		return diff
	}
	into := d.mergeAll(from, all)
	if now.Thread = into; first >= 0 {
		now.Signal, now.Evidence = r.Signals[first], r.Evidence[first]
	}
	if into != from || first >= 0 {
		was := from
		for _, th := range all {
			if th.ID != into && th.ID != from {
				was += ", " + th.ID
			}
		}
		if into != from || was != from {
			diff = append(diff, Difference{"thread", string(was), string(into)})
		}
	}
	a := &Reparsed{Message: now.reading()}
	if addr := now.Author.Address; addr != m.Author.Address && addr != "" && !m.Own {
		a.Contact = PersonHash(addr)
	}
	d.add(Action{Reparsed: a})
	return diff
}

// newlyTied are the message's thread and those that its new names belong to, and
// which of the names is the first of them; -1 for none.
func (d *decider) newlyTied(m *Message, r Reading) (all []*Thread, first int) {
	th := d.resolve(m.Thread)
	if th == nil { // not loaded
		return nil, -1
	}
	all, first = []*Thread{th}, -1
	for i, h := range r.Nodes {
		n := d.node(h)
		if n == nil || slices.Contains(m.Nodes, h) {
			continue
		}
		th = d.resolve(n.Thread)
		if th == nil || th.Kind != parley.KindMail || slices.Contains(all, th) || d.apart(th, all) {
			continue
		}
		if all = append(all, th); first < 0 {
			first = i
		}
	}
	return all, first
}

// read takes over what is read from a mail's bytes. A mail without a date of its
// own has that of its receipt.
func (m *Message) read(r *Message) {
	m.Author, m.Subject, m.Excerpt, m.At = r.Author, r.Subject, r.Excerpt, r.At
	m.MessageID, m.To, m.Cc, m.HasHTML, m.Answers = r.MessageID, r.To, r.Cc, r.HasHTML, r.Answers
	m.Attachments, m.Content = r.Attachments, r.Content
}

// reading is what an action holds of a message that was read again.
func (m *Message) reading() Message {
	out := Message{ID: m.ID, Thread: m.Thread, Signal: m.Signal, Evidence: m.Evidence, Nodes: m.Nodes}
	out.read(m)
	return out
}

// blank keeps what the fold needs once the message is purged.
func (r *Reparsed) blank() *Reparsed {
	m := r.Message
	keep := Message{ID: m.ID, Thread: m.Thread, Signal: m.Signal, Nodes: m.Nodes, At: m.At, Answers: m.Answers, Attachments: nameless(m.Attachments)}
	return &Reparsed{Message: keep, Contact: r.Contact, Blanked: true}
}

// reparsed folds it in.
func (t *tx) reparsed(r *Reparsed) {
	m := t.editMessage(r.Message.ID)
	if m == nil {
		return
	}
	th := t.editThread(m.Thread)
	th.count(m, -1)
	t.weigh(m, -1)
	for _, at := range m.Attachments {
		t.release(at.Blob, m.ID)
	}
	again := !slices.Equal(m.Nodes, r.Message.Nodes)
	if again {
		t.forgetNode(m)
	}
	m.read(&r.Message)
	m.Nodes, m.Signal, m.Evidence = r.Message.Nodes, r.Message.Signal, r.Message.Evidence
	m.Revision = t.n
	m.Generation++ // RFC 8621 4.1: what is read from the bytes never changes under one id
	if !r.Blanked {
		m.Logged = append(m.Logged, t.n)
	}
	for _, at := range m.Attachments {
		t.hold(at.Blob, m.ID)
	}
	if again {
		t.fileNodes(m)
	}
	if r.Contact != (Hash{}) {
		t.touchContact(r.Contact, m.Received)
	}
	t.weigh(m, +1)
	th.count(m, +1)
	th.Revision = t.n
	t.retell(th)
}
