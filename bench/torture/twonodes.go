package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/persistence"
)

// Twins is a play against two servers over one store, each of which believes that
// it owns every row, as when members of a cluster disagree.
type Twins struct {
	Seed   uint64
	People int
	Steps  int
	Wrap   func(persistence.Store) persistence.Store // plants faults; nil plants none
}

// staleness is how far a read may be behind.
const staleness = 5e9

// Run plays with both, ends both in the midst of what they do, and checks what a
// third one finds.
func (w Twins) Run(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, lifeTime)
	defer cancel()
	clock := NewClock(time.Now().Add(-24 * time.Hour))
	clock.Flow() // a drain goes on after the last operation that would move it
	play := NewPlay(w.Seed, Secret(), w.People, clock.Now)
	play.Tries, play.Stale = 20, true
	fs := vfs.NewMem()
	cfg := LifeConfig{FS: fs, Secret: play.Secret, Now: clock.Now, WrapStore: func(s persistence.Store) persistence.Store {
		if w.Wrap != nil {
			s = w.Wrap(s)
		}
		return NewJitter(s, w.Seed, clock)
	}}
	if err := w.both(ctx, play, cfg); err != nil {
		return nil, err
	}
	cfg.WrapStore = nil
	l, err := Open(cfg)
	if err != nil {
		return nil, err
	}
	err = l.Settle(ctx)
	play.Stale = false
	problems := append(play.behind(), play.Check(ctx, l)...)
	return problems, errors.Join(err, l.Close())
}

// both runs the play on two servers. One of them is drained now and then, so that
// its activations end in order while the other one's go on.
func (w Twins) both(ctx context.Context, play *Play, cfg LifeConfig) error {
	one, err := Open(cfg)
	if err != nil {
		return err
	}
	two, err := one.Another(cfg)
	if err != nil {
		return errors.Join(err, one.Close())
	}
	if err = play.Enrol(ctx, one.Directory); err == nil {
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.drains(ctx, one.Node, two)
		}()
		play.Run(ctx, w.Steps, one.Node.Client(), two.Client())
		<-done
	}
	two.Close()
	return errors.Join(err, one.Close())
}

func (w Twins) drains(ctx context.Context, nodes ...*actors.Node) {
	rng := rand.New(rand.NewPCG(w.Seed, 0xd7a1))
	for range rng.IntN(4) {
		n := nodes[rng.IntN(len(nodes))]
		n.Tick(ctx)
		_ = n.Drain(ctx) // in vain while the other one takes the rows
	}
}

// behind holds each read to the writes of its account that were answered well
// before it began.
func (p *Play) behind() (problems []string) {
	ops := p.H.Ops()
	for _, r := range ops {
		if r.Kind != Read || r.Outcome != Done {
			continue
		}
		var must parley.Revision
		for _, o := range ops {
			if o.Kind != Read && o.Kind != Mail && o.Who == r.Who && o.Outcome == Done && r.Started.Sub(o.Ended) > staleness {
				must = max(must, o.Revision)
			}
		}
		if r.Revision < must && len(problems) < maxProblems {
			problems = append(problems, fmt.Sprintf("%v of %s shows revision %d although %d was answered more than 5 s before", r, p.People[r.Who].Name, r.Revision, must))
		}
	}
	return problems
}
