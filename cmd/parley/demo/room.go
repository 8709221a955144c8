package demo

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/parley-im/parley/client"
)

// makeRoom makes a room of two that others may join.
func (p *play) makeRoom(ctx context.Context) (err error) {
	p.story.scene("Ana makes a room with Bo; Mei joins.")
	if p.heard, err = p.bo.listen(ctx, ""); err != nil {
		return err
	}
	room := client.NewRoom{
		Subject: "Saturday on the water", Open: true, To: []client.Recipient{{Address: p.bo.address}},
		Message: &client.FirstPost{Text: "The boat is ours on Saturday! Who is in?"},
	}
	key := client.Key(rand.Text())
	made, err := p.ana.CreateRoom(ctx, room, key)
	if err != nil {
		return err
	}
	var repeat client.Answer
	again, err := p.ana.CreateRoom(ctx, room, key, client.Keep(&repeat))
	if err != nil {
		return err
	}
	p.room = made.ID
	opening, err := p.lastPost(ctx, p.ana)
	if err != nil {
		return err
	}
	p.said = append(p.said, posted{id: opening, by: p.ana, away: []*person{p.mei}})
	p.story.tell("Ana makes \"Saturday on the water\" and asks who is in.")
	return first(
		p.story.check("a repeated request finds the room that the first one made", again.ID, made.ID),
		p.story.check("and says that it is a repeat", repeat.Replayed, true),
	)
}

// lastPost is the newest post of the room in a copy.
func (p *play) lastPost(ctx context.Context, who *person) (id client.MessageID, err error) {
	return id, until(ctx, "the room's first message", func(ctx context.Context) error {
		messages, err := who.messages(ctx, p.room)
		for _, m := range messages {
			if m.Kind == client.MessageKindMessage {
				id = m.ID
			}
		}
		if err == nil && id == "" {
			return errNotYet
		}
		return err
	})
}

// talk has everybody speak, one leave, the others go on, and the one return.
func (p *play) talk(ctx context.Context) error {
	steps := []func(context.Context) error{
		p.has(p.bo),
		p.says(p.bo, "Me. I bring coffee."),
		p.joins(p.mei),
		p.says(p.mei, "我也來,帶茶和點心。"),
		p.says(p.ana, "Quay at half past eight then."),
		p.says(p.bo, "I leave this room for a moment, my phone is at the end of its battery."),
		p.leaves(p.bo),
		p.outside(p.bo),
		p.says(p.ana, "While Bo is away: he turns forty on Saturday.", p.bo),
		p.says(p.mei, "Then I bake a cake. 生日快樂!", p.bo),
		p.joins(p.bo),
		p.says(p.bo, "Back again. What did I miss?"),
		p.says(p.ana, "Nothing at all."),
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// has waits until the room is in a copy.
func (p *play) has(who *person) func(context.Context) error {
	return func(ctx context.Context) error { _, err := p.lastPost(ctx, who); return err }
}

// says posts to the room; those who are away must never see it.
func (p *play) says(who *person, text string, away ...*person) func(context.Context) error {
	return func(ctx context.Context) error {
		m, err := who.PostMessage(ctx, p.room, client.Post{Text: text})
		if err != nil {
			return err
		}
		if who != p.mei && !p.in(p.mei) {
			away = append(away, p.mei)
		}
		p.said = append(p.said, posted{m.ID, who, away})
		p.story.tell("%s says: %s", who.name, text)
		return nil
	}
}

// in reports whether somebody has said anything yet.
func (p *play) in(who *person) bool {
	return slices.ContainsFunc(p.said, func(s posted) bool { return s.by == who })
}

func (p *play) joins(who *person) func(context.Context) error {
	return func(ctx context.Context) error {
		p.story.tell("%s joins.", who.name)
		_, err := who.JoinRoom(ctx, p.room)
		return err
	}
}

func (p *play) leaves(who *person) func(context.Context) error {
	return func(ctx context.Context) error {
		p.story.tell("%s leaves.", who.name)
		return who.LeaveRoom(ctx, p.room)
	}
}

// outside checks that who has left can read what is there, and say nothing.
func (p *play) outside(who *person) func(context.Context) error {
	return func(ctx context.Context) error {
		_, refused := who.PostMessage(ctx, p.room, client.Post{Text: "Hello?"})
		messages, err := who.messages(ctx, p.room)
		if err != nil {
			return err
		}
		return first(
			p.story.check(who.name+", who has left, cannot post", refusal(refused) == client.ProblemCodeNotPermitted || refusal(refused) == client.ProblemCodeNotFound, true),
			p.story.check("but keeps what was said before", len(messages) > 0, true),
		)
	}
}
