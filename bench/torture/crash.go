package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

// Crash is one power loss of one play, or a run without any that counts its
// operations.
type Crash struct {
	Seed   uint64
	Point  int  // the operation that finds no power; 0: none does
	Second int  // the same in the life after; 0: none
	Lie    bool // plant a fault: syncs do nothing
	Steps  int  // of each player, in the first life
	People int

	// More is done to the configuration of each life, to plant faults.
	More func(*LifeConfig)

	play *Play
}

// Result is what a run found.
type Result struct {
	Ops      int // operations that the first life made
	Later    int // and the second, if there was one
	Losses   int // of power
	Commands int
	Unheard  int // attempts that were not answered
	Problems []string
}

// lifeTime bounds a life: nothing in a play takes long, so that more is a hang.
const lifeTime = 5 * time.Minute

var errPower = errors.New("torture: the power went")

// Secret is the server's in every play: what it derives is the same in each run
// of a seed.
func Secret() parley.Secret { return parley.Secret("torture torture torture torture!") }

// Run plays, loses power, and checks what a reboot finds.
func (c Crash) Run(ctx context.Context) (Result, error) {
	play := c.play
	if play == nil {
		play = NewPlay(c.Seed, Secret(), c.People, time.Now)
	}
	rng := rand.New(rand.NewPCG(c.Seed, uint64(c.Point)))
	fs := crashfs.New(c.Seed)
	fs.SkipSyncs(c.Lie)
	fs.CrashAt(c.Point)
	var res Result
	problems, err := c.live(ctx, play, fs, c.Point == 0, func(ctx context.Context, l *Life) {
		play.Run(ctx, c.Steps, l.Node.Client())
	})
	res.Ops = fs.Ops()
	for _, second := range []int{c.Second, 0} {
		if c.Point == 0 || err != nil && !errors.Is(err, errPower) {
			break
		}
		res.Losses++
		fs = fs.Image()
		fs.CrashAt(second)
		problems, err = c.live(ctx, play, fs, true, func(ctx context.Context, l *Life) {
			play.Again(ctx, l.Node.Client(), rng)
			play.Run(ctx, 2, l.Node.Client())
		})
		if res.Later = fs.Ops(); err == nil {
			break
		}
	}
	res.Problems, res.Commands, res.Unheard = problems, len(play.H.Ops()), play.H.Unheard()
	return res, err
}

// live is one life on a disk: open, play, settle, check, end. It is errPower when
// the power went, whatever else happened by that.
func (c Crash) live(ctx context.Context, play *Play, fs *crashfs.FS, check bool, do func(context.Context, *Life)) (problems []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lifeTime)
	defer cancel()
	go func() {
		select {
		case <-fs.Crashed():
			cancel()
		case <-ctx.Done():
		}
	}()
	cfg := LifeConfig{FS: fs, Secret: play.Secret}
	if c.More != nil {
		c.More(&cfg)
	}
	l, err := Open(cfg)
	if err != nil {
		return nil, power(fs, err)
	}
	err = play.Enrol(ctx, l.Directory)
	if err == nil {
		do(ctx, l)
		err = l.Settle(ctx)
	}
	if err == nil && check {
		problems = play.Check(ctx, l)
	}
	err = errors.Join(err, l.Close())
	if !check && ctx.Err() == nil {
		fs.Crash() // the point lies behind the end of this run
	}
	return problems, power(fs, err)
}

// power tells a failure that a power loss explains from others.
func power(fs *crashfs.FS, err error) error {
	select {
	case <-fs.Crashed():
		return errPower
	default:
	}
	if err != nil {
		return fmt.Errorf("with the power on: %w", err)
	}
	return nil
}
