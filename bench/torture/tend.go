package torture

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
)

// tend changes one's own copy: marks, moves, deletes, restores, mutes.
func (y *player) tend(ctx context.Context, d Door) {
	m := y.pick()
	if m == nil {
		return
	}
	bare := y.rng.IntN(3) == 0
	yes, no := true, false
	which := map[bool]*bool{true: &yes, false: &no}
	flag := which[y.rng.IntN(3) > 0]
	switch n := y.rng.IntN(100); {
	case n < 30:
		y.do(ctx, d, &Op{Kind: Change, Bare: bare, Messages: []parley.MessageID{m.ID}, Change: parley.Change{Seen: flag}})
	case n < 40:
		y.do(ctx, d, &Op{Kind: Change, Bare: bare, Messages: []parley.MessageID{m.ID}, Change: parley.Change{Flagged: flag}})
	case n < 55:
		y.do(ctx, d, &Op{Kind: Change, Bare: bare, Messages: []parley.MessageID{m.ID}, Change: y.folders()})
	case n < 73:
		y.do(ctx, d, &Op{Kind: Delete, Messages: []parley.MessageID{m.ID}})
	case n < 81:
		y.do(ctx, d, &Op{Kind: DeleteThread, Room: m.Thread})
	case n < 87:
		y.do(ctx, d, &Op{Kind: Restore, Room: m.Thread})
	case n < 91:
		y.do(ctx, d, &Op{Kind: ChangeThread, Bare: bare, Room: m.Thread, Thread: parley.ThreadChange{Muted: flag}})
	case n < 96:
		y.do(ctx, d, &Op{Kind: ChangeThread, Bare: bare, Room: m.Thread, Thread: parley.ThreadChange{Archived: flag}})
	default:
		y.do(ctx, d, &Op{Kind: ChangeThread, Bare: bare, Room: m.Thread, Thread: parley.ThreadChange{Change: parley.Change{Seen: flag}}})
	}
}

// places are where anything may be put: not Drafts, where no post goes.
var places = slices.DeleteFunc(slices.Clone(parley.FixedFolders[:]), func(f parley.FolderID) bool { return f == parley.Drafts })

// folders is a change of folders: others instead, one more, or one less.
func (y *player) folders() parley.Change {
	n := len(places)
	i := y.rng.IntN(n)
	f, g := places[i], places[(i+1+y.rng.IntN(n-1))%n]
	switch y.rng.IntN(3) {
	case 0:
		return parley.Change{Folders: []parley.FolderID{f, g}[:1+y.rng.IntN(2)]}
	case 1:
		return parley.Change{Add: []parley.FolderID{f}}
	default:
		return parley.Change{Remove: []parley.FolderID{f}}
	}
}

// read reads a room's copy, or a thread that a list shows.
func (y *player) read(ctx context.Context, d Door, room parley.ThreadID) {
	if y.rng.IntN(2) == 0 {
		q := parley.ThreadQuery{Page: parley.Page{Limit: 1 + y.rng.IntN(10)}}
		within, cancel := context.WithTimeout(ctx, playTime)
		defer cancel()
		l, err := d.Threads(within, y.p.People[y.who].Account, q, 0)
		if err == nil && len(l.Items) > 0 {
			room = l.Items[y.rng.IntN(len(l.Items))].ID
		}
	}
	y.do(ctx, d, &Op{Kind: Read, Room: room, Bare: true})
}

// readPage is small, so that reads go on over several pages.
const readPage = 20

// attemptRead reads a thread from its first message to its last. One that is not
// in the copy yet is an empty one.
func (p *Play) attemptRead(ctx context.Context, d Door, o *Op) {
	me, call := p.People[o.Who].Account, p.H.tick()
	t, _, err := d.Thread(ctx, me, o.Room, 0)
	var all []parley.Message
	page := parley.Page{Limit: readPage}
	for err == nil {
		var l parley.Listing[parley.Message]
		l, err = d.Messages(ctx, me, o.Room, "", page, 0)
		all = append(all, l.Items...)
		if o.Revision == 0 {
			o.Revision = l.Revision
		}
		if page.After = l.Next; l.Next == "" {
			break
		}
	}
	o.Return, o.Ended = p.H.tick(), p.Now()
	switch outcomeOf(err) {
	case Done:
		o.Outcome, o.Saw, o.SawAs = Done, all, t
	case Refused:
		o.Outcome, o.Refusal = Refused, err
	}
	p.H.attempted(&Attempt{Op: o, Call: call, Return: o.Return, Outcome: o.Outcome})
}
