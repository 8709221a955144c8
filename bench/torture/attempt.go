package torture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// answer is what an attempt heard.
type answer struct {
	room     parley.ThreadID
	message  parley.MessageID
	seq      parley.Seq
	at       time.Time
	blob     parley.BlobID
	part     parley.PartID
	revision parley.Revision
	replayed bool
}

// attempt asks for the op once, the first time or again, and notes what was heard.
func (p *Play) attempt(ctx context.Context, d Door, o *Op) {
	if p.Asking != nil {
		p.Asking()
	}
	if o.Attempts == 0 {
		o.Started, o.Call = p.Now(), p.H.tick()
	}
	if o.Attempts++; p.FreshKeys && o.Attempts > 1 && !o.Bare {
		o.Earlier = append(o.Earlier, o.Key)
		o.Key = fmt.Sprint(o.Key, "+")
	}
	switch o.Kind {
	case Mail:
		p.attemptMail(ctx, d, o)
		return
	case Read:
		p.attemptRead(ctx, d, o)
		return
	}
	call := p.H.tick()
	a, err := p.ask(ctx, d, o)
	outcome := outcomeOf(err)
	p.H.attempted(&Attempt{Op: o, Call: call, Return: p.H.tick(), Outcome: outcome, Seq: a.seq})
	if o.Outcome != Done {
		o.Return, o.Ended = p.H.tick(), p.Now()
	}
	switch {
	case outcome == Done && o.Outcome == Done:
		p.compare(o, a)
	case outcome == Done:
		o.Outcome = Done
		o.Message, o.Seq, o.At, o.Blob, o.Part, o.Revision, o.Replayed = a.message, a.seq, a.at, a.blob, a.part, a.revision, a.replayed
		if a.room != "" && a.room != o.Room {
			p.H.wrong("%v made the room %s", o, a.room)
		}
	case o.Outcome == Done && outcome == Refused:
		o.Denied = err
	case outcome == Refused:
		o.Outcome, o.Refusal = Refused, err
	}
}

// outcomeOf tells what an error says for certain.
func outcomeOf(err error) Outcome {
	if err == nil {
		return Done
	}
	switch parley.CodeOf(err) {
	case parley.NotFound, parley.NotPermitted, parley.BadRequest, parley.BadAddress, parley.ParticipantsChanged, parley.KeyMismatch,
		parley.Stale, parley.Gone, parley.TooLarge, parley.OverQuota, parley.Conflict, parley.NoRecipient:
		return Refused
	}
	return Unknown
}

// compare holds a repeat to the first answer. A command that
// found its wish fulfilled left nothing by which a repeat is known: it is decided
// again, which Anew says.
func (p *Play) compare(o *Op, a answer) {
	o.Anew = o.Anew || !a.replayed
	switch {
	case !a.replayed && (always(o) || o.Kind == Upload):
		p.H.wrong("%v: a repeat was not known as one", o)
	case !a.replayed:
	case a.message != o.Message || a.blob != o.Blob || a.part != o.Part:
		p.H.wrong("%v: a repeat heard %+v, the first answer %s %s %s", o, a, o.Message, o.Blob, o.Part)
	case o.Kind == Post && (a.seq != o.Seq || !a.at.Equal(o.At)):
		p.H.wrong("%v: a repeat heard seq %d at %v, first at %v", o, a.seq, a.at, o.At)
	case ownCopy(o.Kind) && a.revision != o.Revision && !o.Anew && !p.Outside:
		p.H.wrong("%v: a repeat heard revision %d, not %d", o, a.revision, o.Revision)
	}
	o.Replayed = a.replayed
}

func ownCopy(k Kind) bool {
	return slices.Contains([]Kind{Change, Delete, DeleteThread, Restore}, k)
}

// command is the op's command; other means under the same key with another body.
func (p *Play) command(o *Op, other bool) parley.Command {
	if o.Bare {
		return parley.Command{}
	}
	body := sha256.Sum256(fmt.Appendf(nil, "%s %s %v", o.Kind, o.Word, other))
	id := p.Secret.Command(p.People[o.Who].Account, o.Key)
	p.H.name(id, o.Key)
	return parley.Command{ID: id, Body: body, First: o.Started}
}

// ask carries a command through the door.
func (p *Play) ask(ctx context.Context, d Door, o *Op) (a answer, err error) {
	me, cmd := p.People[o.Who].Account, p.command(o, false)
	switch o.Kind {
	case Create:
		var t parley.Thread
		t, a.revision, a.replayed, err = d.CreateRoom(ctx, me, cmd, p.newRoom(o))
		a.room = t.ID
	case Post:
		var got parley.Posted
		got, err = d.Post(ctx, me, cmd, o.Room, o.post())
		a = answer{message: got.Message.ID, seq: got.Message.Seq, at: got.Message.At, revision: got.Revision, replayed: got.Replayed}
	case Join:
		_, a.revision, a.replayed, err = d.Join(ctx, me, cmd, o.Room)
	case Leave:
		a.revision, a.replayed, err = d.Leave(ctx, me, cmd, o.Room)
	case Add:
		var part parley.Participant
		part, a.revision, a.replayed, err = d.AddParticipant(ctx, me, cmd, o.Room, parley.Recipient{Account: p.People[o.To[0]].Account})
		a.part = part.ID
	case Rename, ChangeThread:
		a, err = outcome(d.ChangeThread(ctx, me, cmd, 0, o.Room, o.Thread))
	case Upload:
		var at parley.Attachment
		at, a.replayed, err = d.Upload(ctx, me, cmd, o.Word+".bin", "application/octet-stream", bytes.NewReader(o.Raw))
		a.blob = at.Blob
	case Change:
		a.revision, a.replayed, err = d.ChangeMessages(ctx, me, cmd, 0, o.Messages, o.Change)
	case Delete:
		a.revision, a.replayed, err = d.DeleteMessage(ctx, me, cmd, 0, o.Messages[0])
	case DeleteThread:
		a, err = outcome(d.DeleteThread(ctx, me, cmd, 0, o.Room))
	case Restore:
		a, err = outcome(d.RestoreThread(ctx, me, cmd, o.Room))
	}
	return a, err
}

// outcome is of a command that may become a job; no thread of a play is so long.
func outcome(o parley.Outcome, err error) (answer, error) {
	return answer{revision: o.Revision, replayed: o.Replayed}, err
}

func (p *Play) newRoom(o *Op) parley.NewRoom {
	n := parley.NewRoom{Subject: "room " + o.Word, History: o.History, Open: o.Open}
	for _, who := range o.To {
		n.To = append(n.To, parley.Recipient{Account: p.People[who].Account})
	}
	if o.First {
		n.First = &parley.Post{Text: o.Text}
	}
	return n
}

func (o *Op) post() parley.Post {
	out := parley.Post{Text: o.Text, ReplyTo: o.ReplyTo, Mentions: o.Parts}
	for _, f := range o.Files {
		out.Attachments = append(out.Attachments, f.Blob)
	}
	return out
}

// attemptMail brings the mail to those recipients that have not taken it. A
// repeat comes through another relay, which adds a trace header in front.
func (p *Play) attemptMail(ctx context.Context, d Door, o *Op) {
	env := parley.Envelope{From: "sender@else.where", At: p.Now()}
	for _, who := range o.To {
		env.To = append(env.To, parley.EnvelopeTo{Address: p.People[who].Address, Account: p.People[who].Account})
	}
	raw := o.Raw
	if o.Attempts > 1 {
		raw = append(fmt.Appendf(nil, relayed, o.Attempts), raw...)
	}
	errs := d.DeliverMail(ctx, env, bytes.NewReader(raw))
	o.Return = p.H.tick()
	for i, err := range errs {
		if o.Each[i] != Done {
			o.Each[i] = outcomeOf(err)
		}
	}
	o.Outcome = slices.Min(o.Each)
}

// relayed is the header of a relay on the way of a repeat.
const relayed = "Received: from relay%d.else.where by mx.example.org; Thu, 1 Jan 2026 00:00:00 +0000\r\n"
