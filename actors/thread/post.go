package thread

import (
	"slices"

	"github.com/parley-im/parley"
)

func (t turn) post(c Post) (Decision, error) {
	c.Carried = nil // who speaks later speaks for oneself
	e, err := t.say(c)
	if err != nil {
		return Decision{}, err
	}
	return t.decided(e)
}

// say makes the event of a post. That it must be a blob is said last, so that
// nothing is stored for a post that is refused.
func (t turn) say(c Post) (Event, error) {
	p := t.here(c.Author)
	if p == nil {
		return Event{}, t.unknown()
	}
	if err := t.checkPost(c); err != nil {
		return Event{}, err
	}
	if added := t.enteredSince(c.Roster, p); len(added) > 0 {
		return Event{}, t.changedSince(added)
	}
	if c.TextBlob.IsZero() && len(c.Text) > SmallText && t.in > LargeRoom {
		return Event{}, ErrNeedBlob
	}
	return t.posted(c, p), nil
}

func (t turn) posted(c Post, p *part) Event {
	e := t.event(Posted, p.now())
	e.Message, e.ReplyTo = c.Message, c.ReplyTo
	e.Attachments = slices.Clone(c.Attachments)
	e.Mentions = distinct(c.Mentions)
	e.Carried = c.Carried
	e.HistoryAll = t.room.History == parley.HistoryAll
	if c.TextBlob.IsZero() {
		e.Text, e.TextSize = c.Text, int64(len(c.Text))
	} else {
		e.TextBlob, e.TextSize, e.Excerpt = c.TextBlob, c.TextSize, c.Excerpt
	}
	return e
}

// enteredSince lists who, but the author, entered after the event and would read
// the post without the author knowing; nobody for 0, which says nothing. Who left
// does not matter.
func (s *State) enteredSince(seen parley.Seq, author *part) (added []parley.Participant) {
	if seen == 0 {
		return nil
	}
	for _, p := range s.parts {
		if p != author && p.isIn() && p.entered() > seen {
			added = append(added, p.now())
		}
	}
	return added
}

// changedSince refuses a post of somebody who did not know that these would read
// it. The author is in, and so may see them as the roster shows them.
func (t turn) changedSince(added []parley.Participant) error {
	return &parley.Error{
		Code: parley.ParticipantsChanged, Op: t.op, Public: "Someone was added since you looked.", Field: "roster_version",
		Roster: &parley.RosterChange{Version: t.room.Roster, Added: added},
	}
}

// distinct keeps the first of each mention.
func distinct(ids []parley.PartID) []parley.PartID {
	var out []parley.PartID
	seen := map[parley.PartID]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
