package torture

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

// Shaken is a play on a server something of which fails, then heals; what it did is
// checked in a life after, in which nothing fails.
type Shaken struct {
	Seed   uint64
	People int
	Steps  int
	Tries  int                            // 0 means 3
	Fresh  bool                           // plants a fault: each attempt has a key of its own
	Plant  func(*LifeConfig, *crashfs.FS) // makes it fail from the beginning
	Harm   func(*crashfs.FS)              // makes it fail after the first half
	Heal   func(*crashfs.FS)              // lets it work again
	Lossy  int                            // of a hundred answers at the door so many are lost
}

// Run plays, heals and checks.
func (s Shaken) Run(ctx context.Context) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, lifeTime)
	defer cancel()
	play := NewPlay(s.Seed, Secret(), s.People, time.Now)
	play.Tries, play.FreshKeys = s.Tries, s.Fresh
	if s.Tries == 0 {
		play.Tries = 3
	}
	fs := crashfs.New(s.Seed)
	if err := s.fail(ctx, play, fs); err != nil {
		return Result{}, err
	}
	l, err := Open(LifeConfig{FS: fs, Secret: play.Secret})
	if err != nil {
		return Result{}, err
	}
	play.Again(ctx, l.Node.Client(), rand.New(rand.NewPCG(s.Seed, 3)))
	err = l.Settle(ctx)
	res := Result{Unheard: play.H.Unheard(), Problems: play.Check(ctx, l), Commands: len(play.H.Ops())}
	return res, errors.Join(err, l.Close())
}

// fail is the life in which things fail.
func (s Shaken) fail(ctx context.Context, play *Play, fs *crashfs.FS) error {
	// The accounts are made while all is well.
	l, err := Open(LifeConfig{FS: fs, Secret: play.Secret})
	if err != nil {
		return err
	}
	if err := errors.Join(play.Enrol(ctx, l.Directory), l.Close()); err != nil {
		return err
	}
	cfg := LifeConfig{FS: fs, Secret: play.Secret}
	if s.Plant != nil {
		s.Plant(&cfg, fs)
	}
	if l, err = Open(cfg); err != nil {
		return err
	}
	door := Door(l.Node.Client())
	if s.Lossy > 0 {
		door = &lossyDoor{Door: door, percent: s.Lossy, rng: rand.New(rand.NewPCG(s.Seed, 4))}
	}
	play.Run(ctx, s.Steps/2, door)
	if s.Harm != nil {
		s.Harm(fs)
		play.Run(ctx, s.Steps/2, door)
	}
	if s.Heal != nil {
		s.Heal(fs)
	}
	play.Again(ctx, door, rand.New(rand.NewPCG(s.Seed, 2)))
	play.Run(ctx, s.Steps/2, door)
	return l.Close()
}

// lossyDoor is a way on which answers get lost.
type lossyDoor struct {
	Door
	percent int

	mu  sync.Mutex
	rng *rand.Rand // under mu
}

var errLostAnswer = parley.E(parley.Unavailable, "torture.door", "the answer was lost")

func (d *lossyDoor) lost(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rng.IntN(100) < d.percent {
		return errLostAnswer
	}
	return err
}

// Post implements Door.
func (d *lossyDoor) Post(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID, p parley.Post) (parley.Posted, error) {
	got, err := d.Door.Post(ctx, acc, cmd, room, p)
	return got, d.lost(err)
}

// Join implements Door.
func (d *lossyDoor) Join(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID) (parley.Thread, parley.Revision, bool, error) {
	t, rev, replayed, err := d.Door.Join(ctx, acc, cmd, room)
	return t, rev, replayed, d.lost(err)
}

// ChangeMessages implements Door.
func (d *lossyDoor) ChangeMessages(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Revision, bool, error) {
	rev, replayed, err := d.Door.ChangeMessages(ctx, acc, cmd, ifMatch, ids, c)
	return rev, replayed, d.lost(err)
}

// DeleteMessage implements Door.
func (d *lossyDoor) DeleteMessage(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	rev, replayed, err := d.Door.DeleteMessage(ctx, acc, cmd, ifMatch, id)
	return rev, replayed, d.lost(err)
}
