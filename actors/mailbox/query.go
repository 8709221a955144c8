package mailbox

import (
	"encoding/base64"
	"time"

	"github.com/parley-im/parley"
)

// Queries change nothing. Their errors are *Need or carry a code.

// read runs a query over the state as it is.
func read[T any](s *State, q func(*tx) (T, error)) (T, error) {
	t := s.begin()
	out, err := q(t)
	if missing := t.missing(); missing != nil {
		var none T
		return none, missing
	}
	return out, err
}

// activeFor is how long a contact counts as active.
const activeFor = 30 * 24 * time.Hour

// Stats are the figures of the mailbox at a time.
func (s *State) Stats(now time.Time) (parley.Stats, error) {
	return read(s, func(t *tx) (parley.Stats, error) {
		h := t.header()
		since := newest(now.Add(-activeFor).UnixMicro())
		return parley.Stats{Bytes: h.Bytes, Messages: h.Messages, Threads: h.Threads, Replies: h.Replies, Badge: h.Badge,
			Other: h.Other, Revision: h.Last, ActiveContacts: int64(t.tree(contactTree).Rank(since))}, nil
	})
}

// Folders are the fixed folders and one's own with their counts.
func (s *State) Folders() ([]parley.Folder, error) {
	return read(s, func(t *tx) ([]parley.Folder, error) {
		own := t.folders().inOrder()
		out := make([]parley.Folder, 0, len(parley.FixedFolders)+len(own))
		for _, id := range parley.FixedFolders {
			out = append(out, parley.Folder{ID: id, Name: fixedName(id), Role: string(id), Kind: parley.KindFolder})
		}
		for i := range own {
			out = append(out, own[i].Public())
		}
		h := t.header()
		for i := range out {
			out[i].Counts = h.counts(out[i].ID)
		}
		return out, nil
	})
}

// ThreadItem is a thread with its roster, nil for mail threads.
type ThreadItem struct {
	Thread *Thread
	Roster *Roster
}

// ThreadPage is part of a list of threads.
type ThreadPage struct {
	Items      []ThreadItem
	Next, Prev string
	Total      int64 // -1 where only counting would tell
}

func (t *tx) item(th *Thread) ThreadItem {
	it := ThreadItem{Thread: th}
	if th.Kind == parley.KindRoom {
		it.Roster, _ = t.get(rosterKey(th.ID)).(*Roster)
	}
	return it
}

// Thread finds one thread; a merged one under the id it now has.
func (s *State) Thread(id parley.ThreadID) (ThreadItem, error) {
	return read(s, func(t *tx) (ThreadItem, error) {
		th := t.resolve(id)
		if th == nil {
			return ThreadItem{}, notFound("mailbox.thread")
		}
		return t.item(th), nil
	})
}

// Message finds one message.
func (s *State) Message(id parley.MessageID) (*Message, error) {
	return read(s, func(t *tx) (*Message, error) {
		m := t.message(id)
		if m == nil {
			return nil, notFound("mailbox.message")
		}
		return m, nil
	})
}

// Blob finds what an outside blob name opens: an upload, or an attachment and its message.
func (s *State) Blob(id parley.BlobID, now time.Time) (*Blob, *Message, error) {
	type found struct {
		b *Blob
		m *Message
	}
	f, err := read(s, func(t *tx) (found, error) {
		b := t.blob(id)
		if b == nil {
			return found{}, notFound("mailbox.blob")
		}
		if b.uploaded() && !b.Lapsed(now) {
			return found{b, nil}, nil
		}
		if b.Message == "" {
			return found{}, notFound("mailbox.blob")
		}
		m := t.message(b.Message)
		if m == nil {
			return found{}, notFound("mailbox.blob")
		}
		return found{b, m}, nil
	})
	return f.b, f.m, err
}

// MessagePage is part of a thread, oldest first.
type MessagePage struct {
	Items      []*Message
	Next, Prev string
	Total      int64
	Back       bool // asked for from its end
	Drafts     bool // in the order of drafts
}

// Cut shortens the page to the n items nearest to where it was asked for from: as
// many as an answer has room for.
func (p *MessagePage) Cut(n int) {
	switch {
	case n >= len(p.Items) || n < 1:
	case p.Back:
		p.Items = p.Items[len(p.Items)-n:]
		p.Prev = cursor(p.key(p.Items[0]))
	default:
		p.Items = p.Items[:n]
		p.Next = cursor(p.key(p.Items[n-1]))
	}
}

func (p *MessagePage) key(m *Message) []byte {
	if p.Drafts {
		return m.recent()
	}
	return m.order()
}

// Messages lists a thread's messages, oldest first; around centres the page on one.
func (s *State) Messages(id parley.ThreadID, around parley.MessageID, p parley.Page, notices bool) (MessagePage, error) {
	return read(s, func(t *tx) (MessagePage, error) {
		th := t.resolve(id)
		if th == nil {
			return MessagePage{}, notFound("mailbox.messages")
		}
		lists := []list{{t.tree(messageTree(th.ID))}}
		if notices {
			lists = append(lists, list{t.tree(noticeTree(th.ID))})
		}
		w, err := window(p)
		if err != nil {
			return MessagePage{}, err
		}
		if around != "" {
			m := t.message(around)
			if m == nil || m.Thread != th.ID || m.draft() {
				return MessagePage{}, notFound("mailbox.messages")
			}
			w = t.centre(lists, m.order(), w.limit)
		}
		var got taken
		switch {
		case p.Number == 0:
			got = t.take(w, lists, func([]byte) bool { return true })
		case notices:
			return MessagePage{}, noNumber("notices")
		default:
			got = w.number(lists[0], p.Number)
		}
		out := MessagePage{Next: got.next, Prev: got.prev, Back: w.back}
		for _, l := range lists {
			out.Total += int64(l.Len())
		}
		for _, key := range got.keys {
			if m := t.message(messageIDOf(key)); m != nil {
				out.Items = append(out.Items, m)
			}
		}
		return out, nil
	})
}

// Cursors are keys of a list, opaque outside and valid across inserts.
func cursor(key []byte) string { return base64.RawURLEncoding.EncodeToString(key) }

func parseCursor(s string) ([]byte, error) {
	key, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(key) != 24 {
		return nil, parley.E(parley.BadCursor, "mailbox.list", "this cursor was not handed out here")
	}
	return key, nil
}
