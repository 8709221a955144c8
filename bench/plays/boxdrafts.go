package plays

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// draftShape is a message that is not sent yet.
type draftShape struct {
	ID            parley.MessageID `json:"id"`
	Thread        parley.ThreadID  `json:"thread"`
	NewThread     bool             `json:"new_thread"`
	Kind          parley.Kind      `json:"kind"`
	To            []object         `json:"to"`
	Subject       string           `json:"subject"`
	Text          string           `json:"text"`
	Excerpt       string           `json:"excerpt"`
	Attachments   []fileShape      `json:"attachments"`
	ReplyTo       parley.MessageID `json:"reply_to"`
	Mentions      []parley.PartID  `json:"mentions"`
	RosterVersion parley.Seq       `json:"roster_version"`
	State         string           `json:"state"`
	Size          int64            `json:"size"`
	CreatedAt     time.Time        `json:"created_at"`
	UpdatedAt     time.Time        `json:"updated_at"`
	Revision      parley.Revision  `json:"revision"`
}

// slip is a draft. It is in no list of messages, and what is done to a thread
// leaves it alone.
type slip struct {
	draftShape
	files []file
}

// shape is a draft as its owner sees it.
func (b *box) shape(s *slip) draftShape {
	out := s.draftShape
	out.Excerpt, out.Size, out.State = s.Text, int64(len(s.Text)), "open"
	out.To, out.Mentions, out.Attachments = append([]object{}, s.To...), append([]parley.PartID{}, s.Mentions...), []fileShape{}
	for _, f := range s.files {
		out.Attachments = append(out.Attachments, fileShape{Blob: b.blobs[f.content], Name: f.name, Type: f.kind, Size: int64(len(f.content))})
		out.Size += int64(len(f.content))
	}
	return out
}

// slip finds a draft.
func (b *box) slip(id parley.MessageID) *slip {
	for _, s := range b.drafts {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// slips lists drafts, of a thread or all, the last written first.
func (b *box) slips(id parley.ThreadID) (out []*slip) {
	for _, s := range b.drafts {
		if id == "" || s.Thread == id {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(s, t *slip) int {
		if c := t.UpdatedAt.Compare(s.UpdatedAt); c != 0 {
			return c
		}
		return compareIDs(string(s.ID), string(t.ID))
	})
	return out
}

// unsent reports a thread in which nothing but drafts is.
func (b *box) unsent(t *talk) bool {
	return t.Kind == parley.KindMail && len(b.of(t.ID, false)) == 0
}

// unmade reports a thread that a draft will make, which takes no other draft.
func (b *box) unmade(id parley.ThreadID) bool {
	return slices.ContainsFunc(b.slips(id), func(s *slip) bool { return s.NewThread })
}

// wrote is what a draft says now: an action. The thread has changed, too, where the
// draft is new or is what it is told from.
func (b *box) wrote(s *slip) {
	b.step()
	s.UpdatedAt, s.Revision = b.clock.Now(), b.revision
	born := b.slip(s.ID) == nil
	if born {
		s.CreatedAt = s.UpdatedAt
		b.drafts = append(b.drafts, s)
	}
	for _, f := range s.files {
		b.attached[f.content] = true
	}
	if b.threads[s.Thread] == nil {
		b.threads[s.Thread] = &talk{threadShape: threadShape{ID: s.Thread, Kind: parley.KindMail}}
	}
	if t := b.threads[s.Thread]; born || b.unsent(t) {
		t.Revision = b.revision
	}
	b.counted()
}

// discard removes a draft for good, and a thread that has nothing else.
func (b *box) discard(s *slip) {
	b.step()
	b.drafts = slices.DeleteFunc(b.drafts, func(have *slip) bool { return have == s })
	t := b.threads[s.Thread]
	if t.Revision = b.revision; b.unsent(t) && len(b.slips(t.ID)) == 0 {
		delete(b.threads, t.ID)
	}
	b.counted()
}

// leaves is a draft being sent, and its author's again where that is refused: an
// action each.
func (b *box) leaves(s *slip) {
	b.step()
	s.Revision = b.revision
	b.counted()
}

// filled puts a post in the place of the draft that it was.
func (b *box) filled(id parley.MessageID) {
	b.drafts = slices.DeleteFunc(b.drafts, func(s *slip) bool { return s.ID == id })
}

// showDrafts is what a thread shows of its drafts.
func (b *box) showDrafts(t *talk, out *threadShape) {
	if all := b.slips(t.ID); len(all) > 0 && b.unsent(t) {
		out.Subject, out.Excerpt = all[0].Subject, all[0].Text
	}
	if b.unsent(t) {
		out.Authors = []authorShape{}
	}
}
