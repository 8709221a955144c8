package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/record"
)

func author(a parley.Author) *record.Author {
	if a == (parley.Author{}) {
		return nil
	}
	return &record.Author{Account: account(a.Account), Part: part(a.Part), Name: a.Name, Address: a.Address}
}

func (r *reader) author(a *record.Author) parley.Author {
	return parley.Author{
		Account: r.account(a.GetAccount()), Part: r.part(a.GetPart()), Name: a.GetName(), Address: a.GetAddress(),
	}
}

func (w *writer) participant(p parley.Participant) *record.Participant {
	if p == (parley.Participant{}) {
		return nil
	}
	return w.listed(p)
}

// listed also writes a participant of whom nothing is known: a list has no gaps.
func (w *writer) listed(p parley.Participant) *record.Participant {
	return &record.Participant{
		Id: part(p.ID), Account: account(p.Account), Address: p.Address, Name: p.Name,
		Channel: number[record.Channel](w, channels, p.Channel),
		Role:    number[record.Role](w, roles, p.Role),
		State:   number[record.PartState](w, states, p.State),
	}
}

func (r *reader) participant(p *record.Participant) parley.Participant {
	return parley.Participant{
		ID: r.part(p.GetId()), Account: r.account(p.GetAccount()), Address: p.GetAddress(), Name: p.GetName(),
		Channel: word(r, channels, p.GetChannel()),
		Role:    word(r, roles, p.GetRole()),
		State:   word(r, states, p.GetState()),
	}
}

func address(a parley.Address) *record.Address { return &record.Address{Name: a.Name, Addr: a.Addr} }

func unaddress(a *record.Address) parley.Address {
	return parley.Address{Name: a.GetName(), Addr: a.GetAddr()}
}

func (w *writer) history(h parley.History) record.History {
	return number[record.History](w, histories, h)
}

func (r *reader) history(h record.History) parley.History { return word(r, histories, h) }

func (w *writer) newHistory(h *parley.History) *record.History {
	if h == nil {
		return nil
	}
	return w.history(*h).Enum()
}

func (r *reader) newHistory(h *record.History) *parley.History {
	if h == nil {
		return nil
	}
	word := r.history(*h)
	return &word
}
