package demo

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-im/parley/client"
)

// mine lists the posts that somebody's copy must have, in order.
func (p *play) mine(who *person) (ids []client.MessageID) {
	for _, s := range p.said {
		if !slices.Contains(s.away, who) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// copies tells what everybody has of the room.
func (p *play) copies(ctx context.Context) error {
	for _, who := range p.everybody() {
		messages, err := p.whole(ctx, who)
		if err != nil {
			return err
		}
		p.story.scene(fmt.Sprintf("What %s has of it:", who.name))
		for _, m := range messages {
			p.story.tell("%2d  %s", m.Seq, line(m))
		}
	}
	return p.equal(ctx)
}

// equal waits until every copy has all that it must have, and holds it to that:
// no more, no less, in the room's order.
func (p *play) equal(ctx context.Context) error {
	for _, who := range p.everybody() {
		messages, err := p.whole(ctx, who)
		if err != nil {
			return err
		}
		var ids []client.MessageID
		var seqs []int64
		for _, m := range messages {
			seqs = append(seqs, m.Seq)
			if m.Kind == client.MessageKindMessage {
				ids = append(ids, m.ID)
			}
		}
		err = first(
			p.story.check(who.name+"'s copy has the posts that are for "+who.name+", in the room's order, and no others", ids, p.mine(who)),
			p.story.check(who.name+"'s copy goes up in the room's sequence", slices.IsSorted(seqs), true),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// whole waits until a copy has its last post.
func (p *play) whole(ctx context.Context, who *person) (messages []client.Message, err error) {
	mine := p.mine(who)
	return messages, until(ctx, who.name+"'s copy of the room", func(ctx context.Context) error {
		messages, err = who.messages(ctx, p.room)
		has := func(m client.Message) bool { return m.ID == mine[len(mine)-1] }
		if err == nil && !slices.ContainsFunc(messages, has) {
			return fmt.Errorf("%d messages are there: %w", len(messages), errNotYet)
		}
		return err
	})
}

func line(m client.Message) string {
	if m.Kind == client.MessageKindMessage {
		return m.Author.Name + ": " + m.Text
	}
	return "(" + m.Author.Name + " " + string(m.Notice) + ")"
}

// unread holds the counts to what nobody has read yet: all posts of others.
func (p *play) unread(ctx context.Context) error {
	p.story.scene("What is unread:")
	for _, who := range p.everybody() {
		t, err := who.GetThread(ctx, p.room)
		if err != nil {
			return err
		}
		want := int64(0)
		for _, s := range p.said {
			if s.by != who && !slices.Contains(s.away, who) {
				want++
			}
		}
		box, err := who.GetMailbox(ctx)
		if err != nil {
			return err
		}
		p.story.tell("%s: %d in the room, %d on the badge", who.name, t.Unread, box.Badge)
		err = first(
			p.story.check(fmt.Sprintf("%s has %d unread messages", who.name, want), t.Unread, want),
			p.story.check(who.name+"'s badge counts the room and not old mail", box.Badge, int64(1)),
		)
		if err != nil {
			return err
		}
	}
	return nil
}
