package plays

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/parley-im/parley"
)

// mirror is what a client keeps of its account by the stream, or by what changed
// since: it fetches what is named there and nothing else.
type mirror struct {
	last     string // id of the last event
	revision parley.Revision
	index    int
	ended    bool // the last event ended its action
	figures  figures
	threads  map[parley.ThreadID]threadShape
	messages map[parley.MessageID]messageShape
	drafts   map[parley.MessageID]draftShape
}

func newMirror() *mirror {
	return &mirror{last: "0", ended: true, threads: map[parley.ThreadID]threadShape{}, messages: map[parley.MessageID]messageShape{}, drafts: map[parley.MessageID]draftShape{}}
}

// stream is a response that is read while it is written.
type stream struct {
	header http.Header
	cut    func()
	taken  func(line []byte) (more bool)
	rest   []byte
}

func (s *stream) Header() http.Header { return s.header }
func (s *stream) WriteHeader(int)     {}
func (s *stream) Flush()              {}

func (s *stream) Write(data []byte) (int, error) {
	s.rest = append(s.rest, data...)
	for {
		line, rest, whole := bytes.Cut(s.rest, []byte("\n"))
		if !whole {
			return len(data), nil
		}
		s.rest = rest
		if !s.taken(line) {
			s.cut()
			return len(data), context.Canceled
		}
	}
}

// follow reads a client's stream from the last event on: up to what the copy has,
// or cut before, at any event. Then the client fetches what was named.
func (p *play) follow(c *client) {
	p.settle(c.owner)
	m, b := c.mirror, c.owner.box
	if m.revision == b.revision && m.ended {
		return
	}
	if m.ended && p.chance(30) {
		p.catchUp(c)
		return
	}
	left := -1
	if p.chance(40) {
		left = 1 + p.rng.IntN(10)
	}
	named := map[string]bool{}
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	rq, err := request{method: "GET", path: "/events"}.http(c.token)
	if err != nil {
		p.fail("%v", err)
	}
	rq.Header.Set("Last-Event-ID", m.last)
	var wrong string
	quiet := 0
	s := &stream{header: http.Header{}, cut: cancel, taken: func(line []byte) bool {
		switch {
		case bytes.Equal(line, []byte(":")):
			quiet++
		case bytes.HasPrefix(line, []byte("data: ")):
			if wrong = m.event(b, line[len("data: "):], named); wrong != "" {
				return false
			}
			left--
		}
		return left != 0 && quiet < 3 && !(m.revision == b.revision && m.ended)
	}}
	p.house.door.ServeHTTP(s, rq.WithContext(ctx))
	p.requests++
	p.did["streamEvents"]++
	p.note("%s: followed to %s", c.name, m.last)
	switch {
	case wrong != "":
		p.fail("%s", wrong)
	case left != 0 && m.revision != b.revision:
		p.fail("the stream of %s ends at %s, the copy is at %d", c.name, m.last, b.revision)
	}
	p.fetch(c, named)
}

// event holds one to those before it and to the world.
func (m *mirror) event(b *box, data []byte, named map[string]bool) (wrong string) {
	var e eventShape
	if err := json.Unmarshal(data, &e); err != nil {
		return err.Error()
	}
	want := fmt.Sprintf("%d.%d", m.revision, m.index+1)
	if m.ended {
		want = fmt.Sprintf("%d.0", m.revision+1)
	}
	if e.ID != want || e.Account != b.owner.id {
		return fmt.Sprintf("event %s of %s, want %s: %s", e.ID, e.Account, want, data)
	}
	m.last, m.revision = e.ID, e.Revision
	if m.index++; m.ended {
		m.index = 0
	}
	m.ended = e.Type == parley.CountsChanged // what every action ends with
	if e.Thread != "" {
		named[string(e.Thread)] = true
	}
	if e.Data.Message != "" {
		named[string(e.Data.Message)] = true
	}
	if e.Data.Draft != "" {
		named[ofDraft+string(e.Data.Draft)] = true
	}
	if !m.ended {
		return ""
	}
	m.figures = figures{e.Data.Badge, e.Data.Other}
	if int(e.Revision) > len(b.history) {
		return fmt.Sprintf("the stream is at %d, the copy at %d", e.Revision, len(b.history))
	}
	if was := b.history[e.Revision-1]; was != m.figures && was.badge >= 0 {
		return fmt.Sprintf("event %s has the figures %v, want %v", e.ID, m.figures, was)
	}
	return ""
}

// fetch reads what events named; what is not there goes.
func (p *play) fetch(c *client, named map[string]bool) {
	for _, id := range sorted(named) {
		if draft, ok := strings.CutPrefix(id, ofDraft); ok {
			p.fetchDraft(c, parley.MessageID(draft))
			continue
		}
		thread := strings.HasPrefix(id, parley.ThreadPrefix)
		path := "/messages/" + id
		if thread {
			path = "/threads/" + id
		}
		a := p.send(c, request{method: "GET", path: path})
		if a.status != 200 {
			p.wants(a, 200, notFound)
		}
		switch t, m := parley.ThreadID(id), parley.MessageID(id); {
		case thread && a.status == 200: // an alias of what it was merged into is no thread
			delete(c.mirror.threads, t)
			got := into[threadShape](p, a)
			c.mirror.threads[got.ID] = got
		case thread:
			delete(c.mirror.threads, t)
		case a.status == 200:
			c.mirror.messages[m] = into[messageShape](p, a)
		default:
			delete(c.mirror.messages, m)
		}
	}
}

// ofDraft marks the id of a draft among those that were named.
const ofDraft = "draft "

func (p *play) fetchDraft(c *client, id parley.MessageID) {
	a := p.send(c, request{method: "GET", path: "/drafts/" + string(id)})
	if a.status == 200 {
		c.mirror.drafts[id] = into[draftShape](p, a)
		return
	}
	p.wants(a, 200, notFound)
	delete(c.mirror.drafts, id)
}

// compare holds a mirror that has followed to the end to the copy.
func (m *mirror) compare(p *play, b *box) {
	for range 100 { // a follow may have been cut
		if m.revision == b.revision && m.ended {
			break
		}
		p.follow(p.clientOf(m))
	}
	for id := range b.threads {
		got, ok := m.threads[id]
		if !ok {
			p.fail("the mirror of %s lacks %s", b.owner.name, id)
		}
		p.sameThread(b, got)
	}
	messages := 0
	for _, n := range b.notes {
		if n.Kind == "message" {
			messages++
			p.sameMessage(b, n, m.messages[n.ID])
		}
	}
	for _, s := range b.drafts {
		equal(p, "a draft in the mirror of "+b.owner.name, m.drafts[s.ID], b.shape(s))
	}
	if len(m.threads) != len(b.threads) || len(m.messages) != messages || len(m.drafts) != len(b.drafts) {
		p.fail("the mirror of %s has %d threads, %d messages and %d drafts, want %d, %d and %d", b.owner.name, len(m.threads), len(m.messages), len(m.drafts), len(b.threads), messages, len(b.drafts))
	}
	if now := (figures{b.badge(), b.other()}); m.figures != now {
		p.fail("the mirror of %s has the figures %v, want %v", b.owner.name, m.figures, now)
	}
}

func (p *play) clientOf(m *mirror) *client {
	for _, who := range p.people {
		for _, c := range who.clients {
			if c.mirror == m {
				return c
			}
		}
	}
	return nil
}
