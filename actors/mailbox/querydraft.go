package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// Draft finds one draft. One that was sent is no draft any more.
func (s *State) Draft(id parley.MessageID) (*Message, error) {
	return read(s, func(t *tx) (*Message, error) {
		m := t.message(id)
		if !m.draft() {
			return nil, notFound("mailbox.draft")
		}
		return m, nil
	})
}

// Drafts lists drafts, of one thread or all, the last written first.
func (s *State) Drafts(q parley.DraftQuery) (MessagePage, error) {
	return read(s, func(t *tx) (MessagePage, error) {
		w, err := window(q.Page)
		if err != nil {
			return MessagePage{}, err
		}
		id := q.Thread
		if id != "" {
			th := t.resolve(id)
			if th == nil {
				return MessagePage{}, notFound("mailbox.drafts")
			}
			id = th.ID
		}
		l := list{t.tree(draftTree(id))}
		got := t.take(w, []list{l}, func([]byte) bool { return true })
		out := MessagePage{Next: got.next, Prev: got.prev, Back: w.back, Total: int64(l.Len()), Drafts: true}
		for _, key := range got.keys {
			if m := t.message(messageIDOf(key)); m != nil {
				out.Items = append(out.Items, m)
			}
		}
		return out, nil
	})
}

// Sending counts the drafts that are being sent; the header must be loaded.
func (s *State) Sending() int64 { return s.header().Sending }

// Leaving is a draft that is being sent.
type Leaving struct {
	Draft parley.MessageID
	Since time.Time
}

// Leaving lists the drafts that are being sent, the oldest first: what is left to
// do is told by the state alone.
func (s *State) Leaving() ([]Leaving, error) {
	return read(s, func(t *tx) (out []Leaving, err error) {
		for _, key := range t.tree(sendingTree).Ascend(nil, false, maxLeaving) {
			id := messageIDOf(key)
			if m := t.message(id); m != nil {
				out = append(out, Leaving{id, time.UnixMicro(m.Draft.Sending).UTC()})
			}
		}
		return out, nil
	})
}

// maxLeaving is how many of them are looked at together.
const maxLeaving = 16
