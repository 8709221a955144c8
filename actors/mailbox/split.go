package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// Split moves messages of a mail thread into another one, and keeps the two apart:
// no mail joins them again, whatever it refers to.
type Split struct {
	From, Into parley.ThreadID
	Messages   []parley.MessageID // at most MaxTouched
	Muted      bool               // Into is, or was when both were merged
	Unmuted    bool               // From was not when both were merged
}

const (
	// MaxSplit is how many messages one split moves: it is one commit.
	MaxSplit = 10 * MaxTouched
	// maxApart bounds how many threads one is kept apart from.
	maxApart = 100
)

// split moves messages to a thread of their own.
func (t *tx) split(s *Split) {
	from := t.editThread(s.From)
	if was := t.thread(s.Into); was == nil || was.Into != "" { // new, or merged away until now
		t.keepApart(from, s)
	}
	into := t.editThread(s.Into)
	if s.Unmuted {
		from.Muted = false
	}
	var moved []*Message
	for _, id := range s.Messages {
		if m := t.editMessage(id); m != nil && m.Thread == s.From {
			t.rethread(m, from, into)
			moved = append(moved, m)
		}
	}
	t.splitNodes(moved, s.Into)
	from.Revision, into.Revision = t.n, t.n
	t.retell(from)
	t.retell(into)
}

// keepApart makes the thread that messages are split off to. It is kept apart from
// the one that they come from and whatever that one is kept apart from; each of
// these lists it, since what is split off from them in turn inherits their list.
// Ids are resolved before the new one stops being an alias.
func (t *tx) keepApart(from *Thread, s *Split) {
	apart := t.live(append(slices.Clone(from.Apart), from.ID), s.Into)
	for _, id := range apart {
		o := t.editThread(id)
		o.Apart = append(t.live(o.Apart, id), s.Into)
		slices.Sort(o.Apart)
		o.Apart = slices.Compact(o.Apart)
	}
	*t.editThread(s.Into) = Thread{ID: s.Into, Kind: parley.KindMail, Muted: s.Muted, Apart: apart}
}

// live are the threads that these ids lead to, in order, but for some.
func (t *tx) live(ids []parley.ThreadID, but ...parley.ThreadID) (out []parley.ThreadID) {
	for _, id := range ids {
		if th := t.resolve(id); th != nil && !slices.Contains(but, th.ID) {
			out = append(out, th.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// apart reports whether a split keeps the thread from one of the others.
func (t *tx) apart(th *Thread, others []*Thread) bool {
	from := func(a, b *Thread) bool { return slices.Contains(t.live(a.Apart), b.ID) }
	return slices.ContainsFunc(others, func(o *Thread) bool { return from(th, o) || from(o, th) })
}

// mailThread is a mail thread that is to be split or merged.
func (d *decider) mailThread(id parley.ThreadID, field string) (*Thread, error) {
	th := d.resolve(id)
	switch {
	case th == nil:
		return nil, &parley.Error{Code: parley.NotFound, Op: "mailbox.split", Public: "there is no such thread here", Field: field}
	case th.Kind != parley.KindMail:
		return nil, &parley.Error{Code: parley.BadRequest, Op: "mailbox.split", Public: "this is a room, not a mail thread", Field: field}
	case th.Messages == 0:
		return nil, &parley.Error{Code: parley.BadRequest, Op: "mailbox.split", Public: "there are only drafts in this thread", Field: field}
	}
	return th, nil
}

func (d *decider) splitThread(c SplitThread) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	th, err := d.mailThread(c.Thread, "")
	switch {
	case err != nil:
		return err
	case c.IfMatch != 0 && th.Revision != c.IfMatch:
		return parley.E(parley.Stale, "mailbox.split", "the thread has changed since")
	case !c.NewThread.Valid():
		return errID
	case d.thread(c.NewThread) != nil:
		return parley.E(parley.Conflict, "mailbox.split", "there is a thread of this key already")
	case d.crowded(th):
		return parley.E(parley.Conflict, "mailbox.split", "this thread was split as often as it can be")
	}
	ids, err := d.splitOff(c, th)
	if err != nil {
		return err
	}
	var all []Action
	for chunk := range slices.Chunk(ids, MaxTouched) {
		all = append(all, Action{Split: &Split{From: th.ID, Into: c.NewThread, Messages: chunk, Muted: th.Muted}})
	}
	d.addAll(c.Cmd, all, Answer{Thread: c.NewThread})
	return nil
}

// crowded reports whether the thread, or one that it is kept apart from, takes no
// more of the kind.
func (d *decider) crowded(th *Thread) bool {
	return len(th.Apart) >= maxApart || slices.ContainsFunc(d.live(th.Apart), func(id parley.ThreadID) bool {
		o := d.thread(id)
		return o != nil && len(o.Apart) >= maxApart
	})
}

// splitOff lists what goes: some of the messages, never all.
func (d *decider) splitOff(c SplitThread, th *Thread) ([]parley.MessageID, error) {
	field, ids := "messages", sorted(c.Messages)
	if c.From != "" {
		field, ids = "from", []parley.MessageID{c.From}
		if m := d.message(c.From); m != nil {
			ids = append(ids, d.messageIDs(th.ID, m.order(), MaxSplit)...)
		}
	}
	refuse := func(code parley.Code, why string) error {
		return &parley.Error{Code: code, Op: "mailbox.split", Public: why, Field: field}
	}
	if len(ids) > MaxSplit || len(c.Messages) > MaxTouched {
		return nil, refuse(parley.TooLarge, "these are too many messages at once")
	}
	for _, id := range ids {
		d.message(id) // so that all that lack are asked for at once
	}
	for _, id := range ids {
		if m := d.message(id); m == nil || m.draft() || m.Thread != th.ID {
			return nil, refuse(parley.NotFound, "there is no such message in this thread")
		}
	}
	if len(ids) == 0 || int64(len(ids)) >= th.Messages {
		return nil, refuse(parley.BadRequest, "some of the messages go, and some stay")
	}
	return ids, nil
}

func (d *decider) mergeThreads(c MergeThreads) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	th, err := d.mailThread(c.Thread, "")
	if err != nil {
		return err
	}
	with, err := d.mailThread(c.With, "thread")
	switch {
	case err != nil:
		return err
	case c.IfMatch != 0 && th.Revision != c.IfMatch:
		return parley.E(parley.Stale, "mailbox.merge", "the thread has changed since")
	case th.ID == with.ID:
		d.addChange(c.Cmd, &Changed{}, Answer{Thread: th.ID})
		return nil
	case th.Messages+with.Messages > MaxSplit:
		return &parley.Error{Code: parley.TooLarge, Op: "mailbox.merge", Public: "these are too many messages for one thread made by hand", Field: "thread"}
	case with.Messages > th.Messages:
		th, with = with, th
	}
	d.addAll(c.Cmd, d.mergeByHand(with, th), Answer{Thread: th.ID})
	return nil
}

// mergeByHand is what the owner of both threads asks for; it can be undone.
func (d *decider) mergeByHand(from, into *Thread) (all []Action) {
	ids := d.messageIDs(from.ID, nil, 0)
	for chunk := range slices.Chunk(ids, MaxTouched) {
		g := &Merged{From: from.ID, Into: into.ID, Messages: chunk, ByHand: true, Muted: from.Muted, Unmuted: !into.Muted}
		if g.Last = chunk[len(chunk)-1] == ids[len(ids)-1]; g.Last {
			g.Drafts = d.draftIDs(from.ID)
		}
		all = append(all, Action{Merged: g})
	}
	return all
}
