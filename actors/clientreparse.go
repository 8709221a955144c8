package actors

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/mail"
)

// Reparsing says how the mails of an account are to be read again.
type Reparsing struct {
	From    parley.Revision // mails filed before are left alone; 0: all
	Preview bool            // change nothing
	// Each hears of a mail that reads otherwise, Lost of one whose bytes are missing
	// or damaged, Step how far it is: mails filed up to done are dealt with. Lost and
	// Step may be nil.
	Each func(mailbox.Reread) error
	Lost func(parley.MessageID, error)
	Step func(done, last parley.Revision)
}

// Reparsed counts what came of it.
type Reparsed struct {
	Read, Changed, Lost int64
	Done                parley.Revision // all filed up to here are dealt with
}

// Reparse reads the raw mails of an account again, as the parser now reads them,
// in the order in which they were filed, and files what differs. Each part is a
// command of its own, between others; where it ends early it goes on from Done,
// and doing it twice changes nothing.
func (c *Client) Reparse(ctx context.Context, acc parley.AccountID, how Reparsing) (Reparsed, error) {
	p := &reparser{c: c, acc: acc, how: how}
	p.got.Done = max(how.From, 1) - 1
	p.last = p.got.Done
	err := c.eachAction(ctx, acc, p.got.Done, func(a mailbox.Action, last parley.Revision) error {
		p.last = last
		return p.take(ctx, a)
	})
	if err == nil {
		err = p.send(ctx)
	}
	return p.got, err
}

// reparser gathers readings into parts.
type reparser struct {
	c     *Client
	acc   parley.AccountID
	how   Reparsing
	last  parley.Revision
	seen  parley.Revision // the action looked at last
	part  []mailbox.Reading
	bytes int
	got   Reparsed
}

// maxReadingBytes bounds one part, which travels between members.
const maxReadingBytes = 256 << 10

func (p *reparser) take(ctx context.Context, a mailbox.Action) error {
	p.seen = a.N
	if f := a.Filed; f == nil || f.Blanked || f.Message.Notice != "" || !f.Message.Body.Mail || f.Message.Seq > 0 {
		return nil
	}
	r, err := p.read(ctx, &a.Filed.Message)
	switch {
	case errors.Is(err, errGone):
		return nil
	case errors.As(err, new(*lostError)):
		if p.got.Lost++; p.how.Lost != nil {
			p.how.Lost(a.Filed.Message.ID, err)
		}
		return nil
	case err != nil:
		return err
	}
	p.got.Read++
	p.part = append(p.part, r)
	p.bytes += r.Message.Weight()
	if len(p.part) >= mailbox.MaxReadings || p.bytes >= maxReadingBytes {
		return p.send(ctx)
	}
	return nil
}

// send has the mailbox take a part.
func (p *reparser) send(ctx context.Context) error {
	if len(p.part) > 0 {
		rep, err := askMailbox[mailbox.Reply](ctx, p.c, p.acc, mailbox.Reparse{Readings: p.part, Preview: p.how.Preview}, 0)
		if err != nil {
			return err
		}
		p.got.Changed += rep.Tally.Changed
		for _, r := range rep.Reread {
			if err := p.how.Each(r); err != nil {
				return err
			}
		}
	}
	p.part, p.bytes = nil, 0
	if p.got.Done = max(p.got.Done, p.seen); p.how.Step != nil {
		p.how.Step(p.got.Done, p.last)
	}
	return nil
}

// errGone says that a message was deleted for good meanwhile.
var errGone = errors.New("deleted for good")

// read is a mail as it reads now.
func (p *reparser) read(ctx context.Context, filed *mailbox.Message) (mailbox.Reading, error) {
	at, err := askMailbox[mailbox.Bytes](ctx, p.c, p.acc, mailbox.AskBody{ID: filed.ID}, 0)
	if code := parley.CodeOf(err); code == parley.NotFound || code == parley.Gone {
		return mailbox.Reading{}, errGone
	}
	if err != nil {
		return mailbox.Reading{}, err
	}
	src, size, closer, err := p.c.source(ctx, at)
	if err != nil {
		return mailbox.Reading{}, lostOr(err)
	}
	defer closer.Close()
	a, err := reread(src, size)
	if err != nil {
		return mailbox.Reading{}, lostOr(err)
	}
	channel := parley.ChannelMail
	if len(filed.Arrivals) > 0 {
		channel = filed.Arrivals[0].Channel
	}
	out := mailbox.Reading{Message: a.message(p.c.n.cfg.Secret, p.acc, filed.ID, time.UnixMicro(filed.Received))}
	out.Nodes, out.Signals, out.Evidence = a.nodes(filed.ID, channel)
	return out, nil
}

// lostOr tells bytes that are missing or damaged from a store that does not answer.
func lostOr(err error) error {
	if errors.Is(err, blob.ErrDamaged) || parley.CodeOf(err) == parley.NotFound {
		return &lostError{err}
	}
	return err
}

// reread parses a mail that is stored already.
func reread(src io.ReaderAt, size int64) (a arrival, err error) {
	digest := mail.NewDigester()
	if _, err = io.Copy(digest, io.NewSectionReader(src, 0, size)); err != nil {
		return a, err
	}
	a.size, a.door = size, parley.Digest(digest.Sum())
	if a.m, err = mail.ParseAt(src, size); err != nil {
		return a, err
	}
	content, err := a.m.ContentDigest(src)
	a.content = parley.Digest(content)
	return a, err
}
