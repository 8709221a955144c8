package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
)

// KindMailbox is the grain kind of an account's mailbox.
const KindMailbox = "mailbox"

// mailboxMachine drives one mailbox.State.
type mailboxMachine struct {
	state *mailbox.State
	taken map[mailbox.Key]mailbox.Page // by the flush in flight
	texts textReader
	// recent gives an action decided here not long ago, in stored form, or nil.
	recent func(n uint64) []byte
}

// textReader reads the texts of messages beside the loop.
type textReader interface {
	texts(ctx context.Context, ms []*mailbox.Message, known map[*mailbox.Message][]byte) ([]string, error)
	raw(ctx context.Context, m *mailbox.Message) ([]byte, error)
	action(ctx context.Context, n parley.Revision) ([]byte, error)
}

func newMailboxMachine(id string, texts textReader, recent func(uint64) []byte) *mailboxMachine {
	return &mailboxMachine{state: mailbox.New(parley.AccountID(id)), texts: texts, recent: recent}
}

func (m *mailboxMachine) base() []string   { return []string{string(mailbox.HeaderKey)} }
func (m *mailboxMachine) ranges() []string { return nil }

// hint asks a state of which nothing is loaded: what it lacks is what the first
// command will want.
func (m *mailboxMachine) hint(cmd any) []string {
	s := mailbox.New(m.state.Owner())
	s.Load(mailbox.HeaderKey, nil)
	var err error
	if q, ok := query(s, cmd, time.Time{}); ok {
		_, err = q()
	} else {
		_, err = s.Decide(cmd, time.Time{})
	}
	var out []string
	if need, ok := mailbox.IsNeed(err); ok {
		out = keys(need.Pages)
	}
	return append(out, keys(mailbox.Guess(cmd, m.state.Owner()))...)
}

func keys(ks []mailbox.Key) []string {
	out := make([]string, len(ks))
	for i, k := range ks {
		out[i] = string(k)
	}
	return out
}

func (m *mailboxMachine) supply(page string, value []byte) error {
	k := mailbox.Key(page)
	if len(value) == 0 {
		m.state.Load(k, nil)
		return nil
	}
	p, err := codec.DecodePage(k, value)
	if err != nil {
		return err
	}
	m.state.Load(k, p)
	return nil
}

func (m *mailboxMachine) loaded() error { return nil }
func (m *mailboxMachine) last() uint64  { return uint64(m.state.Last()) }
func (m *mailboxMachine) dirty() int    { return m.state.Dirty() }
func (m *mailboxMachine) bytes() int    { return m.state.Bytes() }

// work is there while a draft is being sent, or a job, import or export is not over; what is not yet
// committed counts.
func (m *mailboxMachine) work() bool {
	return m.state.Sending() > 0 || m.state.Running() != "" || len(m.state.Transfers()) > 0
}

func (m *mailboxMachine) replay(raw []byte) ([]string, error) {
	a, err := codec.DecodeAction(raw)
	if err != nil {
		return nil, err
	}
	err = m.state.Apply(a)
	if need, ok := mailbox.IsNeed(err); ok {
		return keys(need.Pages), nil
	}
	return nil, err
}

func (m *mailboxMachine) flush() (map[string][]byte, error) {
	m.taken = m.state.TakeDirty()
	out := make(map[string][]byte, len(m.taken))
	for k, p := range m.taken {
		if p == nil {
			out[string(k)] = nil
			continue
		}
		raw, err := codec.EncodePage(k, p)
		if err != nil {
			return nil, err
		}
		out[string(k)] = raw
	}
	return out, nil
}

func (m *mailboxMachine) flushed(budget int) {
	m.taken = nil
	m.state.Trim(budget, nil)
}

func (m *mailboxMachine) blank(raw []byte) ([]byte, error) {
	a, err := codec.DecodeAction(raw)
	if err != nil {
		return nil, err
	}
	b := a.Blank()
	return codec.EncodeAction(&b)
}

// decide answers a read from the state, or decides a command.
func (m *mailboxMachine) decide(cmd any, now time.Time) (decision, error) {
	if _, ok := cmd.(barrier); ok {
		return decision{reply: func() (any, error) { return nil, nil }}, nil
	}
	if q, ok := query(m.state, cmd, now); ok {
		rep, err := q()
		if err != nil {
			return decision{}, asNeed(err)
		}
		return decision{reply: func() (any, error) { return rep, nil }, after: m.complete(rep)}, nil
	}
	d, err := m.state.Decide(cmd, now)
	if err != nil {
		return decision{}, m.asBeside(cmd, asNeed(err))
	}
	out := decision{next: d.Next, reply: func() (any, error) { return d.Reply, nil }}
	for i := range d.Actions {
		raw, err := codec.EncodeAction(&d.Actions[i])
		if err != nil {
			return decision{}, err
		}
		out.actions = append(out.actions, raw)
	}
	out.fold = func() {
		for i := range d.Actions {
			if err := m.state.Apply(d.Actions[i]); err != nil {
				panic("mailbox: an action that was decided cannot be applied: " + err.Error())
			}
		}
	}
	if len(d.Raw) > 0 {
		out.bodies = make(map[uint64][]byte, len(d.Raw))
		for n, raw := range d.Raw {
			out.bodies[uint64(n)] = raw
		}
	}
	for _, n := range d.Blank {
		out.blank = append(out.blank, uint64(n))
	}
	return out, nil
}

// asNeed gives a mailbox's need the form that the activation knows.
func asNeed(err error) error {
	if need, ok := mailbox.IsNeed(err); ok && len(need.Pages) > 0 {
		return &needError{keys(need.Pages)}
	}
	return err
}
