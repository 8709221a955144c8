package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

// draft is absent for a message that is none, as most are.
func (w *writer) draft(d mailbox.Draft) *record.Draft {
	if d.Kind == "" && !d.Alone && len(d.To) == 0 && d.Roster == 0 && d.Sending == 0 {
		return nil
	}
	return &record.Draft{
		Kind: number[record.Kind](w, kinds, d.Kind), Alone: d.Alone, To: each(d.To, w.recipient), Roster: uint64(d.Roster),
		Sending: d.Sending,
	}
}

func (r *reader) draft(d *record.Draft) mailbox.Draft {
	return mailbox.Draft{
		Kind: word(r, kinds, d.GetKind()), Alone: d.GetAlone(), To: each(d.GetTo(), r.recipient),
		Roster: parley.Seq(d.GetRoster()), Sending: d.GetSending(),
	}
}

func (w *writer) recipient(p parley.Recipient) *record.Recipient {
	return &record.Recipient{Account: account(p.Account), Address: p.Address, Role: number[record.Role](w, roles, p.Role)}
}

func (r *reader) recipient(p *record.Recipient) parley.Recipient {
	return parley.Recipient{Account: r.account(p.GetAccount()), Address: p.GetAddress(), Role: word(r, roles, p.GetRole())}
}

func (w *writer) drafted(d *mailbox.Drafted) *record.Drafted {
	return &record.Drafted{
		Message: w.file(&d.Message), Text: d.Text, New: d.New, Kept: d.Kept, Was: each(d.Was, revision), Blanked: d.Blanked,
		Told: d.Told,
	}
}

func (r *reader) drafted(d *record.Drafted) *mailbox.Drafted {
	return &mailbox.Drafted{
		Message: r.file(d.GetMessage()), Text: d.GetText(), New: d.GetNew(), Kept: d.GetKept(),
		Was: each(d.GetWas(), unrevision), Blanked: d.GetBlanked(), Told: d.GetTold(),
	}
}

func sending(s *mailbox.Sending) *record.Sending {
	return &record.Sending{Draft: message(s.Draft), Thread: threadID(s.Thread), On: s.On}
}

func (r *reader) sending(s *record.Sending) *mailbox.Sending {
	return &mailbox.Sending{Draft: r.message(s.GetDraft()), Thread: r.threadID(s.GetThread()), On: s.GetOn()}
}

func discarded(d *mailbox.Discarded) *record.Discarded {
	return &record.Discarded{Draft: message(d.Draft), Thread: threadID(d.Thread), Gone: d.Gone, Was: each(d.Was, revision)}
}

func (r *reader) discarded(d *record.Discarded) *mailbox.Discarded {
	return &mailbox.Discarded{
		Draft: r.message(d.GetDraft()), Thread: r.threadID(d.GetThread()), Gone: d.GetGone(), Was: each(d.GetWas(), unrevision),
	}
}
