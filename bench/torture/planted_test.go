package torture

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// caught runs a play with a planted fault under several seeds until the check sees it.
func caught(t *testing.T, seeds uint64, run func(seed uint64) ([]string, error)) {
	t.Helper()
	for seed := range seeds {
		problems, err := run(seed)
		if len(problems) > 0 || err != nil {
			t.Logf("seed %d: %v %d problems, the first: %s", seed, err, len(problems), slices.Concat(problems, []string{""})[0])
			return
		}
	}
	t.Errorf("%d plays with the fault, and nothing was seen", seeds)
}

// healed runs a play in which something fails, and wants it well in the end.
func healed(t *testing.T, seeds uint64, s Shaken) (unheard int) {
	t.Helper()
	s.People, s.Steps = 4, 16
	unheard, commands := 0, 0
	for s.Seed = range seeds {
		res, err := s.Run(t.Context())
		if err != nil {
			t.Errorf("seed %d: %v", s.Seed, err)
		}
		for _, p := range res.Problems[:min(4, len(res.Problems))] {
			t.Errorf("seed %d: %s", s.Seed, p)
		}
		unheard, commands = unheard+res.Unheard, commands+res.Commands
	}
	t.Logf("%d of %d commands were not answered at once", unheard, commands)
	return unheard
}

// shook says that a failure reached the players.
func shook(t *testing.T, unheard int) {
	t.Helper()
	if unheard == 0 {
		t.Error("no player saw the failure")
	}
}

// A fence that is not looked at lets two activations write over each other.
func TestIgnoredFenceIsCaught(t *testing.T) {
	ignore := func(s persistence.Store) persistence.Store {
		return faulty.New(s, func(op faulty.Op) faulty.Outcome {
			if op.Kind == faulty.Commit && (op.Table == persistence.Mailbox || op.Table == persistence.Thread) {
				return faulty.IgnoreCheck
			}
			return faulty.Pass
		})
	}
	caught(t, 5, func(seed uint64) ([]string, error) {
		return Twins{Seed: seed, People: 4, Steps: 12, Wrap: ignore}.Run(t.Context())
	})
}

// A disk that only says that it has synced loses what was answered.
func TestSkippedSyncIsCaught(t *testing.T) {
	caught(t, 10, func(seed uint64) ([]string, error) {
		res, err := Crash{Seed: seed, Point: 200, Lie: true, Steps: 14, People: 4}.Run(t.Context())
		return res.Problems, err
	})
}

// A client that takes a new key for each attempt says things twice.
func TestFreshKeysAreCaught(t *testing.T) {
	doubled := false
	caught(t, 10, func(seed uint64) ([]string, error) {
		res, err := Shaken{Seed: seed, People: 4, Steps: 16, Lossy: 30, Fresh: true}.Run(t.Context())
		doubled = slices.ContainsFunc(res.Problems, func(p string) bool { return strings.Contains(p, "doubled") })
		return res.Problems, err
	})
	if !doubled {
		t.Error("what was seen is no double")
	}
}

// The same client with one key for all attempts does not.
func TestLostAnswersDoubleNothing(t *testing.T) {
	shook(t, healed(t, 4, Shaken{Lossy: 30, Tries: 5}))
}

// A store that refuses, loses requests and loses answers.
func TestFailingStoreHeals(t *testing.T) {
	healed(t, 4, Shaken{Plant: func(cfg *LifeConfig, fs *crashfs.FS) {
		plan := faulty.Seeded(4, faulty.Rates{Refuse: 5, LoseAnswer: 5, LoseRequest: 5})
		cfg.WrapStore = func(s persistence.Store) persistence.Store { return faulty.New(s, plan) }
	}})
}

// A reminder that cannot be put holds back what needs it; one whose fate is not
// known is found later.
func TestFailingReminderHeals(t *testing.T) {
	for _, outcome := range []faulty.Outcome{faulty.Refuse, faulty.LoseAnswer, faulty.LoseRequest} {
		healed(t, 2, Shaken{Plant: func(cfg *LifeConfig, _ *crashfs.FS) {
			var n atomic.Int64
			cfg.WrapStore = func(s persistence.Store) persistence.Store {
				return faulty.New(s, func(op faulty.Op) faulty.Outcome {
					if op.Table == persistence.Reminder && op.Kind.IsWrite() && n.Add(1)%2 == 1 {
						return outcome
					}
					return faulty.Pass
				})
			}
		}})
	}
}

// failingBlobs fails every other Put, before or after it is done, and every fourth Open.
type failingBlobs struct {
	actors.Blobs
	n atomic.Int64
}

var errBlobs = parley.E(parley.Unavailable, "torture.blobs", "the blob store is away")

func (b *failingBlobs) Put(ctx context.Context, r io.Reader) (blob.Ref, error) {
	switch b.n.Add(1) % 4 {
	case 1:
		return blob.Ref{}, errBlobs
	case 3:
		if _, err := b.Blobs.Put(ctx, r); err != nil {
			return blob.Ref{}, err
		}
		return blob.Ref{}, errBlobs
	}
	return b.Blobs.Put(ctx, r)
}

func (b *failingBlobs) Open(ctx context.Context, d parley.Digest) (blob.Blob, error) {
	if b.n.Add(1)%4 == 0 {
		return nil, errBlobs
	}
	return b.Blobs.Open(ctx, d)
}

func TestFailingBlobsHeal(t *testing.T) {
	shook(t, healed(t, 4, Shaken{Plant: func(cfg *LifeConfig, _ *crashfs.FS) {
		cfg.WrapBlobs = func(b actors.Blobs) actors.Blobs { return &failingBlobs{Blobs: b} }
	}}))
}

// A full disk refuses; space alone heals it.
func TestFullDiskHeals(t *testing.T) {
	shook(t, healed(t, 4, Shaken{
		Harm: func(fs *crashfs.FS) { fs.SetSpace(20_000) },
		Heal: func(fs *crashfs.FS) { fs.SetSpace(-1) },
	}))
}
