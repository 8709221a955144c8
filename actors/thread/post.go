package thread

import (
	"slices"

	"github.com/parley-im/parley"
)

func (t turn) post(c Post) (Decision, error) {
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
	if c.Roster != 0 && t.someoneSince(c.Roster, p) {
		return Event{}, t.refuse(parley.ParticipantsChanged, "", "Someone was added since you looked.")
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
	e.HistoryAll = t.room.History == parley.HistoryAll
	if c.TextBlob.IsZero() {
		e.Text, e.TextSize = c.Text, int64(len(c.Text))
	} else {
		e.TextBlob, e.TextSize, e.Excerpt = c.TextBlob, c.TextSize, c.Excerpt
	}
	return e
}

// someoneSince reports whether someone but the author entered after the event
// and would read the post without the author knowing. Who left does not matter.
func (s *State) someoneSince(seen parley.Seq, author *part) bool {
	return slices.ContainsFunc(s.parts, func(p *part) bool {
		return p != author && p.isIn() && p.entered() > seen
	})
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
