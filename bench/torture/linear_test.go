package torture

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// talkOf is a history of people who talk in two rooms: answers get lost on the way,
// the store fails now and then, and with some seeds the power goes in the midst.
func talkOf(ctx context.Context, seed uint64) (*Play, error) {
	play := NewPlay(seed, Secret(), 6, time.Now)
	play.Tries, play.Talk = 3, 2
	rng := rand.New(rand.NewPCG(seed, 5))
	fs := crashfs.New(seed)
	if seed%2 == 0 {
		fs.CrashAt(100 + rng.IntN(200))
	}
	for range 2 {
		err := talkLife(ctx, play, fs, rng)
		if !errors.Is(err, errPower) {
			return play, err
		}
		fs = fs.Image()
	}
	return play, nil
}

func talkLife(ctx context.Context, play *Play, fs *crashfs.FS, rng *rand.Rand) error {
	plan := faulty.Seeded(rng.Uint64(), faulty.Rates{Refuse: 1, LoseAnswer: 2, LoseRequest: 1})
	wrap := func(s persistence.Store) persistence.Store { return faulty.New(s, plan) }
	_, err := Crash{More: func(cfg *LifeConfig) { cfg.WrapStore = wrap }}.live(ctx, play, fs, false, func(ctx context.Context, l *Life) {
		door := &lossyDoor{Door: l.Node.Client(), percent: 10, rng: rng}
		play.Run(ctx, 16, door)
	})
	return err
}

// inOrder asks porcupine, and draws what has no order into the folder.
func inOrder(t *testing.T, seed uint64, play *Play, folder string) bool {
	t.Helper()
	model := plainRooms(len(play.People))
	result, info := porcupine.CheckOperationsVerbose(model, play.Linearize(), 30*time.Second)
	if result == porcupine.Ok {
		return true
	}
	f, err := os.CreateTemp(folder, "parley-rooms-*.html")
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(porcupine.Visualize(model, info, f), f.Close())
	t.Logf("seed %d: %s, drawn in %s (%v)", seed, result, f.Name(), err)
	return false
}

// TestTortureRooms: what people saw of two rooms is what plain rooms could have
// shown them (linearizability, room by room).
func TestTortureRooms(t *testing.T) {
	share, err := ShareOf(Parts{Quick: 10, Full: 40, Long: 400, Percent: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("PARLEY_SEED=%d", share.Seed)
	plays, attempts := 0, 0
	for ; share.More(plays) && !t.Failed(); plays++ {
		seed := share.Seed + uint64(plays)
		play, err := talkOf(t.Context(), seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !inOrder(t, seed, play, "") {
			t.Errorf("seed %d: the history of %d attempts has no order", seed, len(play.H.Attempts()))
		}
		attempts += len(play.H.Attempts())
	}
	t.Logf("%d plays, %d attempts", plays, attempts)
}

// The same look must see histories that are not right.
func TestWrongRoomsAreCaught(t *testing.T) {
	posts := func(p *Play) (all []*Attempt) {
		for _, a := range p.H.Attempts() {
			if a.Op.Kind == Post && a.Outcome == Done && a.Op.Attempts == 1 && a.Op.Room == p.Rooms()[0] {
				all = append(all, a)
			}
		}
		return all
	}
	for _, tc := range []struct {
		name  string
		spoil func(*Play) bool // false: this play has nothing to spoil
	}{
		{"two posts have changed places", func(p *Play) bool {
			all := posts(p)
			if len(all) < 2 {
				return false
			}
			a, b := all[0], all[len(all)-1]
			a.Seq, b.Seq = b.Seq, a.Seq
			return true
		}},
		{"a post is answered twice, at two places", func(p *Play) bool {
			all := posts(p)
			if len(all) == 0 {
				return false
			}
			twice := *all[0]
			twice.Seq++
			p.H.attempted(&twice)
			return true
		}},
		{"somebody who is in is refused", func(p *Play) bool {
			all := posts(p)
			if len(all) == 0 {
				return false
			}
			all[0].Outcome = Refused
			return true
		}},
		{"a read forgets what it has shown", func(p *Play) bool {
			for _, a := range p.H.Attempts() {
				if a.Op.Kind == Read && len(a.Op.Saw) > 1 {
					later := *a.Op
					later.Saw = later.Saw[:1]
					p.H.attempted(&Attempt{Op: &later, Call: p.H.tick(), Return: p.H.tick(), Outcome: Done})
					return true
				}
			}
			return false
		}},
		{"a copy shows what is not for it", func(p *Play) bool {
			for _, a := range p.H.Attempts() {
				if a.Op.Kind == Read && len(a.Op.Saw) > 1 {
					a.Op.Saw[0], a.Op.Saw[1] = a.Op.Saw[1], a.Op.Saw[0]
					return true
				}
			}
			return false
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for seed := uint64(1); ; seed += 2 {
				play, err := talkOf(t.Context(), seed)
				if err != nil {
					t.Fatal(err)
				}
				if !tc.spoil(play) {
					continue
				}
				if inOrder(t, seed, play, t.TempDir()) {
					t.Errorf("seed %d: it was not seen", seed)
				}
				return
			}
		})
	}
}
