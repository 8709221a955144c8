package torture

import (
	"context"
	"math/rand/v2"

	"github.com/parley-im/parley"
)

// player is one account's only client: it does one thing after the other, so that
// it can tell how every message in its copy must stand.
type player struct {
	p   *Play
	who int
	rng *rand.Rand

	stands  map[parley.MessageID]stand        // messages that were read
	touched map[parley.ThreadID]bool          // threads that a command was about, read or not
	muted   map[parley.ThreadID]map[bool]bool // how the thread may stand
	seqs    map[parley.ThreadID]parley.Seq    // how far the copy was
	mail    map[parley.ThreadID]bool          // these are mail threads

	revision parley.Revision // the highest that was answered

	known []parley.Message // as last read, without those that may be gone
	parts []parley.PartID  // seen in some room
	files []*Op            // uploads that are done
	done  []*Op            // commands that are done
}

// stand is what is known of one message in the copy.
type stand struct {
	fates   fates
	thread  parley.ThreadID
	subject string // of mail
	mail    bool
}

func newPlayer(p *Play, who int) *player {
	return &player{p: p, who: who, rng: rand.New(rand.NewPCG(p.Seed, uint64(who)+100)),
		stands: map[parley.MessageID]stand{}, touched: map[parley.ThreadID]bool{}, muted: map[parley.ThreadID]map[bool]bool{},
		seqs: map[parley.ThreadID]parley.Seq{}, mail: map[parley.ThreadID]bool{}}
}

// step does one thing.
func (y *player) step(ctx context.Context, d Door) {
	if y.p.Rooms() != nil && y.p.Talk > 0 {
		y.talk(ctx, d)
		return
	}
	room := y.room()
	if room == "" || y.rng.IntN(100) < 6 {
		y.create(ctx, d)
		return
	}
	switch n := y.rng.IntN(100); {
	case n < 28:
		y.post(ctx, d, room)
	case n < 34:
		y.do(ctx, d, &Op{Kind: Leave, Room: room})
	case n < 42:
		y.do(ctx, d, &Op{Kind: Join, Room: room})
	case n < 46:
		others := y.p.others(y.who)
		y.do(ctx, d, &Op{Kind: Add, Room: room, To: []int{others[y.rng.IntN(len(others))]}})
	case n < 48:
		y.rename(ctx, d, room)
	case n < 51:
		o := y.do(ctx, d, &Op{Kind: Upload, Raw: y.bytes(1 + y.rng.IntN(4000))})
		if o.Outcome == Done {
			y.files = append(y.files, o)
		}
	case n < 54:
		y.again(ctx, d)
	case n < 66 || len(y.known) == 0:
		y.read(ctx, d, room)
	default:
		y.tend(ctx, d)
	}
}

// room picks a room, rather one that the player knows.
func (y *player) room() parley.ThreadID {
	room := y.p.room(y.rng)
	for range 2 {
		if _, known := y.seqs[room]; known {
			break
		}
		room = y.p.room(y.rng)
	}
	return room
}

// do begins an op of this player, asks, and draws the consequences.
func (y *player) do(ctx context.Context, d Door, o *Op) *Op {
	o.Who = y.who
	y.p.H.begin(o)
	return y.carry(ctx, d, o)
}

func (y *player) carry(ctx context.Context, d Door, o *Op) *Op {
	y.p.Ask(ctx, d, o)
	y.suffered(o)
	if o.Outcome == Done && !o.Bare {
		y.done = append(y.done, o)
	}
	return o
}

func (y *player) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(y.rng.Uint32())
	}
	return b
}

// again repeats something that was done, under its key.
func (y *player) again(ctx context.Context, d Door) {
	if len(y.done) == 0 {
		return
	}
	o := y.done[y.rng.IntN(len(y.done))]
	if y.p.Talk > 0 && !always(o) { // what found its wish fulfilled may be decided anew
		return
	}
	y.p.attempt(ctx, d, o)
	if o.Anew {
		y.suffered(o)
	}
}

// pick is a message that the player has read, now and then one in Trash; nil while
// there is none.
func (y *player) pick() *parley.Message {
	if len(y.known) == 0 {
		return nil
	}
	for i := range y.known {
		if y.stands[y.known[i].ID].fates.inTrash() && y.rng.IntN(3) == 0 {
			return &y.known[i]
		}
	}
	return &y.known[y.rng.IntN(len(y.known))]
}
