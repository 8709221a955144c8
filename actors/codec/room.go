package codec

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence/record"
)

// EncodeThreadPage gives the cell of a room's page, which is not nil and of the key's type.
func EncodeThreadPage(key string, p thread.Page) ([]byte, error) {
	var w writer
	m := w.roomPage(key, p)
	if m == nil {
		return nil, fmt.Errorf("codec: page %q is %T", key, p)
	}
	b, err := w.cell(m)
	if err != nil {
		return nil, fmt.Errorf("page %q: %w", key, err)
	}
	return b, nil
}

// roomPage is nil when the page is not of the key's type.
func (w *writer) roomPage(key string, p thread.Page) proto.Message {
	switch p := p.(type) {
	case *thread.RoomPage:
		return when(key == thread.KeyRoom && p != nil, p, w.room)
	case *thread.StampsPage:
		return when(key == thread.KeyStamps && p != nil, p, stamps)
	case *thread.PartsPage:
		return when(key == thread.KeyParts && p != nil, p, w.parts)
	case *thread.CursorsPage:
		return when(key == thread.KeyCursors && p != nil, p, cursors)
	case *thread.KeysPage:
		return when(strings.HasPrefix(key, thread.KeyChunk) && p != nil, p, w.keys)
	}
	return nil
}

// DecodeThreadPage reads what EncodeThreadPage wrote under the key.
func DecodeThreadPage(key string, b []byte) (thread.Page, error) {
	var r reader
	p := r.roomPage(key, b)
	if r.err != nil {
		return nil, fmt.Errorf("page %q: %w", key, r.err)
	}
	return p, nil
}

func (r *reader) roomPage(key string, b []byte) thread.Page {
	switch {
	case key == thread.KeyRoom:
		return decoded(r, b, &record.Room{}, r.room)
	case key == thread.KeyStamps:
		return decoded(r, b, &record.Stamps{}, r.stamps)
	case key == thread.KeyParts:
		return decoded(r, b, &record.Parts{}, r.parts)
	case key == thread.KeyCursors:
		return decoded(r, b, &record.Cursors{}, r.cursors)
	case strings.HasPrefix(key, thread.KeyChunk):
		return decoded(r, b, &record.Keys{}, r.keys)
	}
	r.fail("a page of unknown type")
	return nil
}

func (w *writer) room(p *thread.RoomPage) *record.Room {
	return &record.Room{
		Subject: p.Subject, Open: p.Open, History: w.history(p.History), Last: uint64(p.Last), LastAt: micros(p.LastAt),
		Roster: uint64(p.Roster), CreatedAt: micros(p.CreatedAt), Maker: part(p.Maker), Turns: int64(p.Turns),
		Stamped: span(p.Stamped), Offshoots: each(p.Offshoots, founding),
	}
}

func (r *reader) room(m *record.Room) thread.Page {
	return &thread.RoomPage{
		Subject: m.Subject, Open: m.Open, History: r.history(m.History), Last: parley.Seq(m.Last), LastAt: moment(m.LastAt),
		Roster: parley.Seq(m.Roster), CreatedAt: moment(m.CreatedAt), Maker: r.part(m.Maker), Turns: int(m.Turns),
		Stamped:   thread.Span{From: parley.Seq(m.Stamped.GetFrom()), To: parley.Seq(m.Stamped.GetTo())},
		Offshoots: each(m.Offshoots, r.founding),
	}
}

func span(s thread.Span) *record.Span {
	if s == (thread.Span{}) {
		return nil
	}
	return &record.Span{From: uint64(s.From), To: uint64(s.To)}
}

// stamps writes steps, which are small since the runs are in order.
func stamps(p *thread.StampsPage) *record.Stamps {
	m, last := &record.Stamps{}, parley.Seq(0)
	for _, run := range p.Runs {
		m.Steps = append(m.Steps, uint64(run.From-last), uint64(run.To-run.From))
		last = run.To
	}
	return m
}

func (r *reader) stamps(m *record.Stamps) thread.Page {
	if len(m.Steps)%2 != 0 {
		r.fail("%d steps of runs", len(m.Steps))
		return nil
	}
	p, last := &thread.StampsPage{}, parley.Seq(0)
	for i := 0; i < len(m.Steps); i += 2 {
		run := thread.Span{From: last + parley.Seq(m.Steps[i])}
		run.To = run.From + parley.Seq(m.Steps[i+1])
		p.Runs, last = append(p.Runs, run), run.To
	}
	return p
}
