package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// Turns is a play in which one thing is done after the other, over several lives
// and through a store that fails now and then. What it comes to depends on the
// seed alone, so that any two stores have to end with the same copies.
type Turns struct {
	Seed   uint64
	People int
	Steps  int // in each life
	Lives  int
	Begin  time.Time                         // what the clock of the play says at first; TurnsBegin gives one
	Faults int                               // writes of a thousand that fail, before or after they are done
	Store  func() (persistence.Store, error) // opens the same store for each life; required
}

// Turned is what a play of turns came to.
type Turned struct {
	Canonical string   // everything that the owners of the copies can read
	Faults    int      // writes that failed
	Problems  []string // what is wrong with the copies
}

// turnTime is from one turn to the next; reminders are due within.
const turnTime = 2 * time.Minute

// TurnsBegin is a time from which so many turns do not come up to now.
func TurnsBegin(turns int) time.Time {
	return time.Now().UTC().Truncate(time.Hour).Add(-time.Duration(turns) * turnTime)
}

// Run plays, and reads what is there in the end.
func (w Turns) Run(ctx context.Context) (Turned, error) {
	var out Turned
	var faults atomic.Int64
	clock := NewClock(w.Begin)
	play := NewPlay(w.Seed, Secret(), w.People, clock.Now)
	play.Tries, play.Pause = 200, 20*time.Millisecond // longer than a grain is left alone
	rng := rand.New(rand.NewPCG(w.Seed, 7))
	cfg := LifeConfig{FS: vfs.NewMem(), Secret: play.Secret, Now: clock.Now, OpenStore: w.Store}
	for life := range w.Lives {
		var calm atomic.Bool
		cfg.WrapStore = func(s persistence.Store) persistence.Store { return faulty.New(s, w.plan(life, &calm, &faults)) }
		l, err := Open(cfg)
		if err != nil {
			return out, err
		}
		if err = play.Enrol(ctx, l.Directory); err == nil {
			err = w.live(ctx, play, l, clock, &calm, &faults, rng)
		}
		if err == nil && life == w.Lives-1 {
			calm.Store(true)
			out.Problems = play.Check(ctx, l)
			out.Canonical, err = play.canonical(ctx, l)
		}
		if err = errors.Join(err, l.Close()); err != nil {
			return out, err
		}
	}
	out.Faults = int(faults.Load())
	return out, nil
}

// live takes turns until the life ends. After each, writes succeed until everything
// has come to rest, what a fault left undone included: the next turn depends on what
// its player has seen, and no two copies may race.
func (w Turns) live(ctx context.Context, play *Play, l *Life, clock *Clock, calm *atomic.Bool, faults *atomic.Int64, rng *rand.Rand) error {
	d := l.Node.Client()
	for range w.Steps {
		before := faults.Load()
		if who := rng.IntN(len(play.players) + 1); who < len(play.players) {
			play.players[who].step(ctx, d)
		} else {
			play.postmen[0].turn(ctx, d)
		}
		failed := faults.Load() - before
		next := clock.Now().Add(turnTime)
		calm.Store(true)
		clock.Step(turnTime / 2) // reminders are due
		clock.Flow()
		if err := l.Settle(ctx); err != nil {
			return err
		}
		if failed > 0 {
			if err := l.Settle(ctx); err != nil {
				return err
			}
		}
		clock.Stand(next)
		calm.Store(false)
	}
	return nil
}

// plan lets writes of mailboxes and rooms fail, clearly or with their answer lost.
func (w Turns) plan(life int, calm *atomic.Bool, faults *atomic.Int64) faulty.Plan {
	return func(op faulty.Op) faulty.Outcome {
		if calm.Load() || op.Kind != faulty.Commit || op.Table != persistence.Mailbox && op.Table != persistence.Thread {
			return faulty.Pass
		}
		rng := rand.New(rand.NewPCG(w.Seed, uint64(life)<<32|uint64(op.Nth)))
		if rng.IntN(1000) >= w.Faults {
			return faulty.Pass
		}
		faults.Add(1)
		return [...]faulty.Outcome{faulty.Refuse, faulty.LoseAnswer, faulty.LoseRequest}[rng.IntN(3)]
	}
}

// canonical writes down everything that the owners of the copies can read.
func (p *Play) canonical(ctx context.Context, l *Life) (string, error) {
	var b strings.Builder
	d := l.Node.Client()
	say := func(what string, v any) error {
		raw, err := json.Marshal(v)
		fmt.Fprintf(&b, "%s %s\n", what, raw)
		return err
	}
	for _, who := range p.People {
		stats, err := d.Stats(ctx, who.Account, 0)
		folders, _, err2 := d.Folders(ctx, who.Account, 0)
		if err = errors.Join(err, err2, say(who.Name, stats), say("folders", folders)); err != nil {
			return "", err
		}
		threads, err := d.Threads(ctx, who.Account, parley.ThreadQuery{Page: parley.Page{Limit: 200}}, 0)
		if err != nil {
			return "", err
		}
		if threads.Next != "" {
			return "", fmt.Errorf("torture: %s has more threads than a page", who.Name)
		}
		for _, t := range threads.Items {
			ms, err := d.Messages(ctx, who.Account, t.ID, "", parley.Page{Limit: 200}, 0)
			if err = errors.Join(err, say("thread", t), say("messages", ms)); err != nil {
				return "", err
			}
		}
	}
	return b.String(), nil
}
