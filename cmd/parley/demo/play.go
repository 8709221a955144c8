package demo

import (
	"context"
	"os"

	"github.com/parley-im/parley/client"
)

// play is the day.
type play struct {
	house *house
	story *story
	desk  string // a folder for files that a person has

	ana, bo, mei *person
	room         client.ThreadID // id of the room's thread
	heard        *stream         // what Bo's program heard as it happened
	said         []posted        // every post of the room, in order
}

// posted is one post of the room, and whose copies must not have it.
type posted struct {
	id   client.MessageID
	by   *person
	away []*person
}

func (p *play) everybody() []*person { return []*person{p.ana, p.bo, p.mei} }

// run plays the parts in order.
func (p *play) run(ctx context.Context) error {
	for _, part := range []func(context.Context) error{
		p.settle, p.importMail, p.attachment,
		p.makeRoom, p.talk, p.copies, p.unread,
		p.mailArrives, p.replyArrives, p.mailTwice, p.tidy,
		p.listened, p.night, p.morning, p.audit,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// settle gives three people accounts, by the administrator's commands.
func (p *play) settle(ctx context.Context) error {
	p.story.scene("Three people get accounts.")
	for _, one := range []struct {
		who            **person
		name, fullName string
	}{
		{&p.ana, "ana", "Ana Souza"},
		{&p.bo, "bo", "Bo Lindqvist"},
		{&p.mei, "mei", "陳美 (Mei Chen)"},
	} {
		who := &person{house: p.house, name: string(one.name[0]-'a'+'A') + one.name[1:], address: one.name + "@example.org"}
		if err := who.settle(ctx, one.fullName); err != nil {
			return err
		}
		*one.who = who
		p.story.tell("%s is %s, %s", who.name, one.fullName, who.address)
	}
	return os.MkdirAll(p.desk, 0o700)
}
