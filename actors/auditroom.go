package actors

import (
	"context"
	"fmt"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
)

// roomImage is a room as its log tells it.
type roomImage struct {
	state    *thread.State
	events   []thread.Event
	segments int64
}

// room reads and audits a room once.
func (a *audit) room(ctx context.Context, id parley.ThreadID) (*roomImage, error) {
	if r, ok := a.rooms[id]; ok {
		return r, nil
	}
	im, err := readImage(ctx, a.n.cfg.Store, persistence.Thread, parley.RowKey(string(id)))
	if err != nil {
		return nil, err
	}
	r := &roomImage{state: thread.New(id), segments: int64(len(im.segments))}
	a.rooms[id] = r
	if im.fence.Last != uint64(len(im.actions)) {
		a.problem("room "+string(id), "the fence says %d events, the log has %d", im.fence.Last, len(im.actions))
	}
	live := thread.New(id)
	pages := map[string]thread.Page{}
	for key, value := range im.pages {
		if pages[key], err = codec.DecodeThreadPage(key, value); err != nil {
			return nil, fmt.Errorf("page %q: %w", key, err)
		}
	}
	if err := live.Load(pages); err != nil {
		return nil, err
	}
	for _, raw := range im.actions {
		e, err := codec.DecodeEvent(raw)
		if err != nil {
			return nil, err
		}
		r.state.Apply(e)
		live.Apply(e)
		r.events = append(r.events, e)
	}
	if want, got := r.state.Canonical(), live.Canonical(); want != got {
		a.problem("room "+string(id), "the projection differs from the fold of the log: %s", firstDifference(got, want))
	}
	return r, nil
}

// copyOf holds one copy to its room: what the participant may see, up to where
// the copy has come, each once, in order, and nothing else.
func (a *audit) copyOf(ctx context.Context, acc parley.AccountID, id parley.ThreadID, filed []*mailbox.Filed) {
	where := fmt.Sprintf("copy of %s in %s", id, acc)
	r, err := a.room(ctx, id)
	if err != nil {
		a.problem(where, "%v", err)
		return
	}
	want := r.state.Deliveries(acc, r.events)
	if len(filed) > len(want) {
		delete(a.rooms, id) // the room may have gone on since it was read
		if r, err = a.room(ctx, id); err != nil {
			a.problem(where, "%v", err)
			return
		}
		want = r.state.Deliveries(acc, r.events)
	}
	if len(filed) < len(want) {
		a.rep.Behind++
	}
	for i, f := range filed {
		if i >= len(want) {
			a.problem(where, "holds event %d, which this participant may not see", f.Message.Seq)
			return
		}
		w, m := want[i], f.Message
		switch {
		case m.Seq != w.Seq:
			a.problem(where, "holds event %d where %d belongs", m.Seq, w.Seq)
			return
		case f.Blanked:
		case w.Type == thread.Posted && (m.ID != w.Message || f.Text != w.Text || m.Author.Account != authorOf(w).Account || m.Body.Blob != w.TextBlob):
			a.problem(where, "differs from the room in event %d", w.Seq)
		case (w.Type == thread.Posted) != (m.Notice == ""):
			a.problem(where, "holds event %d as another kind", w.Seq)
		}
	}
}

// firstDifference shows where two canonical forms part.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("got %q, want %q", cutBytes(a, 400), cutBytes(b, 400))
		}
	}
	return "in nothing"
}

// authorOf is who wrote a post: of one that was carried along, somebody outside.
func authorOf(d thread.Delivery) parley.Author {
	if d.Carried != nil {
		return d.Carried.Author
	}
	return d.Actor
}
