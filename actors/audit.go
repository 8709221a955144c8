package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
)

// AuditReport says what an audit looked at and what is wrong.
type AuditReport struct {
	Accounts  int64     `json:"accounts"`
	Rooms     int64     `json:"rooms"`
	Messages  int64     `json:"messages"`
	Blobs     int64     `json:"blobs"`
	Reminders int64     `json:"reminders"` // standing: work that is under way
	Behind    int64     `json:"behind"`    // copies that have yet to receive something
	Segments  int64     `json:"segments"`  // of sealed logs
	Strays    int64     `json:"strays"`    // segments that no row names; the next seal or purge of their row removes them
	Problems  []Problem `json:"problems"`
}

// Problem is something that an invariant forbids.
type Problem struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// maxProblems bounds a report.
const maxProblems = 1000

// audit is one run of Audit.
type audit struct {
	n     *Node
	rep   AuditReport
	rooms map[parley.ThreadID]*roomImage
	seen  map[parley.Digest]bool
}

// Audit reads every row as stored and holds it to the invariants: logs without
// holes, projections equal to the fold of their log, copies equal to their
// rooms, bodies and blobs there. It may run while the server works.
func (n *Node) Audit(ctx context.Context, progress func(done, total int64)) (AuditReport, error) {
	a := &audit{n: n, rooms: map[parley.ThreadID]*roomImage{}, seen: map[parley.Digest]bool{}}
	a.rep.Problems = []Problem{}
	accounts, err := allRows(ctx, n.cfg.Store, persistence.Mailbox)
	if err != nil {
		return a.rep, err
	}
	rooms, err := allRows(ctx, n.cfg.Store, persistence.Thread)
	if err != nil {
		return a.rep, err
	}
	total := int64(len(accounts) + len(rooms))
	for i, row := range accounts {
		a.mailbox(ctx, row)
		progress(int64(i+1), total)
	}
	for i, row := range rooms {
		if _, err := a.room(ctx, parley.ThreadID(row[2:])); err != nil {
			a.problem(string(row[2:]), "%v", err)
		}
		progress(int64(len(accounts)+i+1), total)
	}
	a.rep.Accounts, a.rep.Rooms, a.rep.Blobs = int64(len(accounts)), int64(len(rooms)), int64(len(a.seen))
	a.rep.Reminders, err = n.reminders(ctx)
	if err == nil {
		err = a.strays(ctx)
	}
	return a.rep, errors.Join(err, ctx.Err())
}

func (a *audit) problem(where, format string, args ...any) {
	if len(a.rep.Problems) < maxProblems {
		a.rep.Problems = append(a.rep.Problems, Problem{where, fmt.Sprintf(format, args...)})
	}
}

// reminders counts the reminders that stand.
func (n *Node) reminders(ctx context.Context) (int64, error) {
	var count int64
	for b := range 256 {
		r := persistence.Range{Family: persistence.Remind}
		err := each(ctx, n.cfg.Store, persistence.Reminder, reminderRow(byte(b)), r, func(persistence.Cell) error { count++; return nil })
		if err != nil {
			return count, err
		}
	}
	return count, nil
}

// strays counts the segments that nobody names.
func (a *audit) strays(ctx context.Context) error {
	for _, r := range a.rooms {
		a.rep.Segments += r.segments
	}
	rows, err := allRows(ctx, a.n.cfg.Store, persistence.Archive)
	a.rep.Strays = max(0, int64(len(rows))-a.rep.Segments)
	return err
}

// mailbox audits one account's row.
func (a *audit) mailbox(ctx context.Context, row []byte) {
	id := parley.AccountID(row[2:])
	where := "mailbox " + string(id)
	im, err := readImage(ctx, a.n.cfg.Store, persistence.Mailbox, row)
	if err != nil {
		a.problem(where, "%v", err)
		return
	}
	if im.fence.Last != uint64(len(im.actions)) {
		a.problem(where, "the fence says %d actions, the log has %d", im.fence.Last, len(im.actions))
	}
	a.rep.Segments += int64(len(im.segments))
	folded, live := mailbox.NewWhole(id), mailbox.NewWhole(id)
	if err := loadMailbox(live, im); err != nil {
		a.problem(where, "%v", err)
		return
	}
	copies := map[parley.ThreadID][]*mailbox.Filed{}
	for i, raw := range im.actions {
		act, err := codec.DecodeAction(raw)
		if err == nil {
			err = a.foldBoth(folded, live, act, im.mark.Applied)
		}
		if err != nil {
			a.problem(where, "action %d: %v", i+1, err)
			return
		}
		if f := act.Filed; f != nil && f.Message.Seq > 0 {
			copies[f.Message.Thread] = append(copies[f.Message.Thread], f)
		}
	}
	if want, got := folded.Canonical(), live.Canonical(); want != got {
		a.problem(where, "the projection differs from the fold of the log: %s", firstDifference(got, want))
	}
	a.bodies(ctx, where, folded, im)
	for room, filed := range copies {
		a.copyOf(ctx, id, room, filed)
	}
}

func (a *audit) foldBoth(folded, live *mailbox.State, act mailbox.Action, applied uint64) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	if err := folded.Apply(act); err != nil {
		return err
	}
	if uint64(act.N) > applied {
		return live.Apply(act)
	}
	return nil
}

func loadMailbox(s *mailbox.State, im *rowImage) error {
	for key, value := range im.pages {
		p, err := codec.DecodePage(mailbox.Key(key), value)
		if err != nil {
			return fmt.Errorf("page %q: %w", key, err)
		}
		s.Load(mailbox.Key(key), p)
	}
	return nil
}

// bodies checks that every message's body is where its page says.
func (a *audit) bodies(ctx context.Context, where string, s *mailbox.State, im *rowImage) {
	for _, p := range s.Pages() {
		if b, ok := p.(*mailbox.Blob); ok && b.Message == "" && !b.Lapsed(a.n.cfg.Now()) {
			a.blob(ctx, where, b.Digest, b.Bytes)
		}
		m, ok := p.(*mailbox.Message)
		if !ok {
			continue
		}
		if m.Notice == "" {
			a.rep.Messages++
		}
		if m.Body.InLog && int64(im.bodies[uint64(m.Filed)]) != m.Size {
			a.problem(where, "the body of %s has %d bytes, not %d", m.ID, im.bodies[uint64(m.Filed)], m.Size)
		}
		if !m.Body.Blob.IsZero() {
			a.blob(ctx, where, m.Body.Blob, -1)
		}
		for _, at := range m.Attachments {
			if !at.Digest.IsZero() {
				a.blob(ctx, where, at.Digest, at.Size)
			}
		}
	}
}

func (a *audit) blob(ctx context.Context, where string, d parley.Digest, size int64) {
	if a.seen[d] {
		return
	}
	a.seen[d] = true
	info, err := a.n.cfg.Blobs.Stat(ctx, d)
	switch {
	case err != nil:
		a.problem(where, "blob %x: %v", d[:8], err)
	case size >= 0 && info.Size != size:
		a.problem(where, "blob %x has %d bytes, not %d", d[:8], info.Size, size)
	}
}
