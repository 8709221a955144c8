package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence/record"
)

func (w *writer) parts(p *thread.PartsPage) *record.Parts {
	return &record.Parts{Parts: each(p.Parts, w.roomPart)}
}

func (r *reader) parts(m *record.Parts) thread.Page {
	return &thread.PartsPage{Parts: each(m.Parts, r.roomPart)}
}

func (w *writer) roomPart(p thread.Part) *record.Part {
	return &record.Part{
		Id: part(p.ID), Account: account(p.Account), Channel: number[record.Channel](w, channels, p.Channel),
		Removed: p.Removed, Gone: p.Gone, Stands: each(p.Stands, w.stand),
	}
}

func (r *reader) roomPart(p *record.Part) thread.Part {
	return thread.Part{
		ID: r.part(p.Id), Account: r.account(p.Account), Channel: word(r, channels, p.Channel),
		Removed: p.Removed, Gone: p.Gone, Stands: each(p.Stands, r.stand),
	}
}

func (w *writer) stand(s thread.Stand) *record.Stand {
	return &record.Stand{
		Seq: uint64(s.Seq), State: number[record.PartState](w, states, s.State),
		Role: number[record.Role](w, roles, s.Role), Name: s.Name, Address: s.Address,
	}
}

func (r *reader) stand(s *record.Stand) thread.Stand {
	return thread.Stand{
		Seq: parley.Seq(s.Seq), State: word(r, states, s.State), Role: word(r, roles, s.Role), Name: s.Name,
		Address: s.Address,
	}
}

func cursors(p *thread.CursorsPage) *record.Cursors {
	return &record.Cursors{Low: uint64(p.Low), Laggers: each(p.Laggers, lag)}
}

func (r *reader) cursors(m *record.Cursors) thread.Page {
	return &thread.CursorsPage{Low: parley.Seq(m.Low), Laggers: each(m.Laggers, r.lag)}
}

func lag(l thread.Lag) *record.Lag {
	return &record.Lag{Account: account(l.Account), Last: uint64(l.Last)}
}

func (r *reader) lag(l *record.Lag) thread.Lag {
	return thread.Lag{Account: r.account(l.Account), Last: parley.Seq(l.Last)}
}

func (w *writer) keys(p *thread.KeysPage) *record.Keys {
	return &record.Keys{Keys: each(p.Keys, w.key)}
}

func (r *reader) keys(m *record.Keys) thread.Page {
	return &thread.KeysPage{Keys: each(m.Keys, r.key)}
}

func (w *writer) key(k thread.Key) *record.RoomKey {
	return &record.RoomKey{
		Cmd: hash(k.Cmd), Body: digest(k.Body), Seq: uint64(k.Seq), Message: message(k.Message),
		Part: w.participant(k.Part), At: micros(k.At),
	}
}

func (r *reader) key(k *record.RoomKey) thread.Key {
	return thread.Key{
		Cmd: unhash[parley.CommandID](r, k.Cmd), Body: r.digest(k.Body), Seq: parley.Seq(k.Seq),
		Message: r.message(k.Message), Part: r.participant(k.Part), At: moment(k.At),
	}
}
