package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/parley-im/parley/client"
)

// mailArrives brings a mail to two people at the LMTP door, which refuses a third
// who does not live here.
func (p *play) mailArrives(ctx context.Context) error {
	p.story.scene("Mail comes in.")
	l := letter{
		from: "Kari Holm <kari@harbour.example>", to: []string{p.ana.address, p.bo.address, "nobody@example.org"},
		subject: "The weather on Saturday", id: "weather-1@harbour.example",
		text: []string{"Sun, and four metres a second from the west.", ".. two dots, as sailors write them.", "", "Kari"},
	}
	raw := l.raw(time.Now())
	replies, err := p.house.deliver(ctx, "kari@harbour.example", l.to, raw)
	if err != nil {
		return err
	}
	p.story.tell("Kari writes to Ana, to Bo and to nobody@example.org: %v", replies[2])
	err = first(
		p.story.check("the mail is delivered to Ana and Bo", replies[:2], []error{nil, nil}),
		p.story.check("nobody is refused", replies[2] != nil, true),
	)
	if err != nil {
		return err
	}
	for _, who := range []*person{p.ana, p.bo} {
		t, err := p.threadAbout(ctx, who, l.subject)
		if err != nil {
			return err
		}
		messages, err := who.messages(ctx, t.ID)
		if err != nil {
			return err
		}
		original, err := read(who.GetRawMessage(ctx, messages[0].ID))
		if err != nil {
			return err
		}
		err = first(
			p.story.check(who.name+" can read the original byte for byte", original, raw),
			p.story.check("it is unread and in the inbox of "+who.name, fmt.Sprint(t.Unread, t.Folders), "1 [inbox]"),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// replyArrives brings an answer to a mail that was imported.
func (p *play) replyArrives(ctx context.Context) error {
	before, err := p.threadAbout(ctx, p.ana, "写真展のお知らせ")
	if err != nil {
		return err
	}
	l := letter{
		from: "=?utf-8?q?=E5=B1=B1=E7=94=B0=E5=81=A5?= <ken@gallery.example>", to: []string{p.ana.address},
		subject: "=?utf-8?q?Re=3A_=E5=86=99=E7=9C=9F=E5=B1=95?=", id: "show-4@gallery.example", inReplyTo: "show-3@gallery.example",
		text: []string{"写真を何枚かお送りします。", "", "山田"},
	}
	replies, err := p.house.deliver(ctx, "ken@gallery.example", l.to, l.raw(time.Now()))
	if err != nil || replies[0] != nil {
		return fmt.Errorf("deliver the answer: %v, %w", replies, err)
	}
	messages, err := p.ana.messages(ctx, before.ID)
	if err != nil {
		return err
	}
	newest := messages[len(messages)-1]
	why, err := p.ana.ExplainMessage(ctx, newest.ID)
	if err != nil {
		return err
	}
	p.story.tell("山田健 answers under another subject; it joins the imported thread (%s: %s).", why.Signal, why.Evidence)
	return first(
		p.story.check("the answer is in the thread of the mail that it answers", newest.MessageID, l.id),
		p.story.check("because of In-Reply-To", why.Signal, client.ExplanationSignalInReplyTo),
	)
}

// mailTwice delivers one mail again, as a server does whose answer was lost.
func (p *play) mailTwice(ctx context.Context) error {
	l := letter{
		from: "Sami <sami@library.example>", to: []string{p.mei.address}, subject: "قائمة الكتب", id: "list-1@library.example",
		text: []string{"القائمة الجديدة على الباب."},
	}
	l.subject = "=?utf-8?b?2YLYp9im2YXYqSDYp9mE2YPYqtio?="
	at := time.Now()
	for _, when := range []time.Time{at, at.Add(time.Minute)} { // another trace header
		raw := l.raw(at)
		if !when.Equal(at) {
			raw = "Received: from relay.example by mx.example.org; " + when.Format(time.RFC1123Z) + "\r\n" + raw
		}
		replies, err := p.house.deliver(ctx, "sami@library.example", l.to, raw)
		if err != nil || replies[0] != nil {
			return fmt.Errorf("deliver twice: %v, %w", replies, err)
		}
	}
	t, err := p.threadAbout(ctx, p.mei, "قائمة الكتب")
	if err != nil {
		return err
	}
	p.story.tell("Mei's mail comes by two relays, and once in her mailbox.")
	return p.story.check("a mail that was delivered twice is there once", t.Messages, int64(1))
}

// tidy marks read and archives.
func (p *play) tidy(ctx context.Context) error {
	p.story.scene("Ana tidies up.")
	t, err := p.threadAbout(ctx, p.ana, "The weather on Saturday")
	if err != nil {
		return err
	}
	before, err := p.ana.GetMailbox(ctx)
	if err != nil {
		return err
	}
	archived, err := p.ana.UpdateThread(ctx, t.ID, client.ThreadChange{Read: new(true), Archived: new(true)})
	if err != nil {
		return err
	}
	if _, err = p.ana.UpdateThread(ctx, p.room, client.ThreadChange{Read: new(true)}); err != nil {
		return err
	}
	after, err := p.ana.GetMailbox(ctx)
	if err != nil {
		return err
	}
	p.story.tell("She reads the room and the weather, and archives the weather: the badge goes from %d to %d.", before.Badge, after.Badge)
	return first(
		p.story.check("the archived thread is read and in Archive alone", fmt.Sprint(archived.Thread.Unread, archived.Thread.Folders), "0 [archive]"),
		p.story.check("reading two threads takes two off the badge", before.Badge-after.Badge, int64(2)),
	)
}
