package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-im/parley/client"
	"github.com/parley-im/parley/cmd/parley/verb"
)

// listened compares what Bo's program heard with what Bo has.
func (p *play) listened(ctx context.Context) error {
	p.story.scene("Bo's program heard all of it as it happened.")
	want := p.mine(p.bo)
	err := until(ctx, "Bo's events", func(context.Context) error {
		if !slices.Contains(created(p.heard.seen(), p.room), want[len(want)-1]) {
			return errNotYet
		}
		return nil
	})
	if err != nil {
		return err
	}
	counts := map[client.EventType]int{}
	posts := slices.DeleteFunc(created(p.heard.seen(), p.room), func(id client.MessageID) bool { return !slices.Contains(want, id) })
	for _, e := range p.heard.seen() {
		counts[e.Type]++
	}
	for _, kind := range []client.EventType{client.EventTypeMessageCreated, client.EventTypeParticipantJoined, client.EventTypeParticipantLeft, client.EventTypeCounts} {
		p.story.tell("%2d × %s", counts[kind], kind)
	}
	return first(
		p.story.check("the stream brought every post for Bo once, in order", posts, want),
		p.story.check("and that people came and went", counts[client.EventTypeParticipantJoined] > 0 && counts[client.EventTypeParticipantLeft] > 0, true),
	)
}

// picture is all that a person sees.
type picture struct {
	Box      *client.Mailbox
	Threads  []client.Thread
	Messages map[client.ThreadID][]client.Message
}

func (p *person) picture(ctx context.Context) (all picture, err error) {
	if all.Box, err = p.GetMailbox(ctx); err != nil {
		return all, err
	}
	if all.Threads, err = p.threads(ctx, ""); err != nil {
		return all, err
	}
	all.Messages = map[client.ThreadID][]client.Message{}
	for _, t := range all.Threads {
		if all.Messages[t.ID], err = p.messages(ctx, t.ID); err != nil {
			return all, err
		}
	}
	return all, nil
}

// night ends the server and starts it again: everybody sees what they saw.
func (p *play) night(ctx context.Context) error {
	p.story.scene("The server is stopped and started again.")
	before := map[string]picture{}
	for _, who := range p.everybody() {
		all, err := who.picture(ctx)
		if err != nil {
			return err
		}
		before[who.name] = all
	}
	if err := errors.Join(p.house.close(), p.house.open()); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	p.heard.close()
	for _, who := range p.everybody() {
		if err := who.connect(); err != nil {
			return err
		}
		after, err := who.picture(ctx)
		if err != nil {
			return err
		}
		p.story.tell("%s has %d messages in %d threads, as before.", who.name, after.Box.Messages, after.Box.Threads)
		if err := p.story.check("after a restart "+who.name+" sees what was there before", after, before[who.name]); err != nil {
			return err
		}
	}
	return nil
}

// morning goes on where the evening ended: the stream resumes in the middle of
// what Bo heard, and the room goes on.
func (p *play) morning(ctx context.Context) error {
	heard := p.heard.seen()
	middle := len(heard) / 2
	again, err := p.bo.listen(ctx, heard[middle].ID)
	if err != nil {
		return err
	}
	defer again.close()
	if err := p.says(p.mei, "早安! See you at the quay.")(ctx); err != nil {
		return err
	}
	last := p.said[len(p.said)-1].id
	err = until(ctx, "Bo's events after the restart", func(context.Context) error {
		if !slices.Contains(created(again.seen(), p.room), last) {
			return errNotYet
		}
		return nil
	})
	if err != nil {
		return err
	}
	want := append(created(heard[middle+1:], p.room), last)
	p.story.tell("Bo's program resumes after event %s and misses nothing; Mei says good morning.", heard[middle].ID)
	if err := p.story.check("a stream resumed in the middle brings the rest once, in order", created(again.seen(), p.room), want); err != nil {
		return err
	}
	return p.equal(ctx)
}

// audit holds all that is stored to the invariants.
func (p *play) audit(ctx context.Context) error {
	p.story.scene("An audit of everything stored.")
	var report struct {
		OK                        bool
		Accounts, Rooms, Messages int64
		Problems                  []any
	}
	text, err := p.house.run(ctx, &verb.Audit{JSON: true}, "")
	if err != nil {
		return fmt.Errorf("audit: %w: %s", err, text)
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		return err
	}
	p.story.tell("%d mailboxes, %d room, %d messages: %d problems.", report.Accounts, report.Rooms, report.Messages, len(report.Problems))
	return first(
		p.story.check("the audit finds three mailboxes and one room", []int64{report.Accounts, report.Rooms}, []int64{3, 1}),
		p.story.check("and nothing wrong", report.OK, true),
	)
}
