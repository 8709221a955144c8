package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
)

// KindThread is the grain kind of a room.
const KindThread = "thread"

// threadMachine drives one thread.State.
type threadMachine struct {
	state *thread.State
	read  map[string]thread.Page // pages as they come, until loaded
	// author's deliveries ride in the answer to a post.
	deliveries func(parley.AccountID) []thread.Delivery
	unreached  func(parley.AccountID) bool // sends to that copy fail
	blobs      Blobs
}

func newThreadMachine(id string, blobs Blobs) *threadMachine {
	return &threadMachine{blobs: blobs, state: thread.New(parley.ThreadID(id)), read: map[string]thread.Page{}}
}

func (m *threadMachine) base() []string {
	return []string{thread.KeyRoom, thread.KeyStamps, thread.KeyParts, thread.KeyCursors}
}
func (m *threadMachine) ranges() []string  { return []string{thread.KeyChunk} }
func (m *threadMachine) hint(any) []string { return nil }

func (m *threadMachine) supply(page string, value []byte) error {
	if len(value) == 0 {
		return nil
	}
	p, err := codec.DecodeThreadPage(page, value)
	if err != nil {
		return err
	}
	m.read[page] = p
	return nil
}

func (m *threadMachine) loaded() error {
	err := m.state.Load(m.read)
	m.read = map[string]thread.Page{}
	return err
}

func (m *threadMachine) last() uint64 { return uint64(m.state.Last()) }
func (m *threadMachine) bytes() int   { return 0 }
func (m *threadMachine) flushed(int)  {}

// work is there while some copy lacks events; events not yet committed count.
func (m *threadMachine) work() bool { return m.state.Owes() }

// dirty leaves the cursors out: they ride along with whatever is flushed next.
func (m *threadMachine) dirty() int {
	if m.state.Altered() {
		return 1
	}
	return 0
}

func (m *threadMachine) replay(raw []byte) ([]string, error) {
	e, err := codec.DecodeEvent(raw)
	if err != nil {
		return nil, err
	}
	m.state.Apply(e)
	return nil, nil
}

func (m *threadMachine) flush() (map[string][]byte, error) {
	out := map[string][]byte{}
	for key, p := range m.state.Dirty() {
		if p == nil {
			out[key] = nil
			continue
		}
		raw, err := codec.EncodeThreadPage(key, p)
		if err != nil {
			return nil, err
		}
		out[key] = raw
	}
	cursors, err := codec.EncodeThreadPage(thread.KeyCursors, m.hopeful())
	out[thread.KeyCursors] = cursors
	m.state.Clean()
	return out, err
}

// hopeful writes the cursors as if every copy had come as far as the room, save
// those that could not be reached. That costs no put of their own for them: while
// it may be untrue a reminder stands, whose call asks every copy; and a copy
// that lacks something says so at the next event, by its chain.
func (m *threadMachine) hopeful() *thread.CursorsPage {
	page := &thread.CursorsPage{Low: m.state.Last()}
	for _, lag := range m.state.Lagging() {
		if m.unreached != nil && m.unreached(lag.Account) {
			page.Laggers = append(page.Laggers, lag)
		}
	}
	return page
}

func (m *threadMachine) blank([]byte) ([]byte, error) {
	return nil, fmt.Errorf("thread: events are not blanked")
}

// decide answers Ask, takes a cursor, or decides a command.
func (m *threadMachine) decide(cmd any, now time.Time) (decision, error) {
	if _, ok := cmd.(barrier); ok {
		return decision{reply: func() (any, error) { return nil, nil }}, nil
	}
	switch c := cmd.(type) {
	case thread.Ask:
		a, err := m.state.Ask(c)
		return decision{reply: func() (any, error) { return wire.ThreadReply{Answer: a}, nil }}, err
	case thread.Came:
		m.state.Came(c)
		return decision{reply: func() (any, error) { return wire.ThreadReply{}, nil }}, nil
	}
	d, err := m.state.Decide(cmd, now)
	if errors.Is(err, thread.ErrNeedBlob) {
		return decision{}, &besideError{func(ctx context.Context) (any, error) { return m.textToBlob(ctx, cmd) }}
	}
	if err != nil {
		return decision{}, err
	}
	out := decision{reply: func() (any, error) {
		return wire.ThreadReply{Answer: d.Answer, Deliveries: m.deliveries(actorOf(cmd))}, nil
	}}
	for i := range d.Events {
		raw, err := codec.EncodeEvent(&d.Events[i])
		if err != nil {
			return decision{}, err
		}
		out.actions = append(out.actions, raw)
	}
	out.fold = func() {
		for _, e := range d.Events {
			m.state.Apply(e)
		}
	}
	return out, nil
}

// textToBlob stores a post's text once for all copies: the room is too large to
// keep it in each.
func (m *threadMachine) textToBlob(ctx context.Context, cmd any) (any, error) {
	switch c := cmd.(type) {
	case thread.Post:
		err := shorten(ctx, m.blobs, &c, thread.SmallText)
		return c, err
	case thread.Create:
		first := *c.First
		err := shorten(ctx, m.blobs, &first, thread.SmallText)
		c.First = &first
		return c, err
	}
	return nil, parley.E(parley.Internal, "thread.text", "a command without a text")
}

// actorOf is the account whose copy the caller will look at next.
func actorOf(cmd any) parley.AccountID {
	switch c := cmd.(type) {
	case thread.Create:
		return c.Maker.Account
	case thread.Post:
		return c.Author
	case thread.Join:
		return c.Who.Account
	case thread.Leave:
		return c.Who
	case thread.Add:
		return c.By
	case thread.Remove:
		return c.By
	case thread.Alter:
		return c.By
	case thread.Split:
		return c.By
	}
	return ""
}
