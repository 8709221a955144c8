package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-im/parley"
)

// Person is an account of the play.
type Person struct {
	Name, Address string
	Account       parley.AccountID
}

// Play is a seeded story over one or several lives.
type Play struct {
	Seed   uint64
	Secret parley.Secret
	People []Person
	H      *History
	Now    func() time.Time
	Tries  int           // attempts at a command that is not answered, within one life
	Pause  time.Duration // between them
	Think  time.Duration // between what one player does, on average
	Stale  bool          // reads may be behind: two servers answer

	// Talk, if set, is how many rooms are made; then people only come, go, talk and read.
	Talk int

	// Outside says that the play goes through HTTP, where a repeat of a change is
	// answered with what is read after it.
	Outside bool

	// FreshKeys plants a fault in the players: each attempt has a key of its own.
	FreshKeys bool

	// Asking, if set, is called before each attempt.
	Asking func()

	players []*player
	postmen []*postman

	mu    sync.Mutex
	rooms []parley.ThreadID // under mu

}

// playTime is what one attempt of a player may take; it is a bound for hangs.
const playTime = 30 * time.Second

// NewPlay casts people for a seed.
func NewPlay(seed uint64, secret parley.Secret, people int, now func() time.Time) *Play {
	p := &Play{Seed: seed, Secret: secret, H: &History{}, Now: now, Tries: 1}
	p.Postmen(1)
	for i := range people {
		name := [...]string{"ana", "bo", "cy", "di", "ed", "flo", "gus", "hal"}[i%8]
		if i >= 8 {
			name = fmt.Sprint(name, i/8)
		}
		p.People = append(p.People, Person{Name: name, Address: name + "@example.org"})
		p.players = append(p.players, newPlayer(p, i))
	}
	return p
}

// accounts is what a play needs to have accounts.
type accounts interface {
	Create(ctx context.Context, cmd parley.Command, a parley.Account, password string) (parley.Account, bool, error)
}

// Enrol makes the accounts, or finds those that an earlier life has made. An
// account once told keeps its id.
func (p *Play) Enrol(ctx context.Context, d accounts) error {
	for i := range p.People {
		who := &p.People[i]
		cmd := parley.Command{ID: p.Secret.Command("", "enrol "+who.Name), First: p.Now()}
		acc, _, err := d.Create(ctx, cmd, parley.Account{Name: who.Name, Addresses: []string{who.Address}}, "")
		if err != nil {
			return fmt.Errorf("torture: enrol %s: %w", who.Name, err)
		}
		if who.Account != "" && who.Account != acc.ID {
			p.H.wrong("%s was the account %s and is now %s", who.Name, who.Account, acc.ID)
		}
		who.Account = acc.ID
	}
	return nil
}

// Run lets everybody do so many things at once, each after the other, and somebody
// outside send mail, through any of the doors. It returns when all have, or ctx has
// ended.
func (p *Play) Run(ctx context.Context, steps int, doors ...Door) {
	var all sync.WaitGroup
	for _, y := range p.players {
		all.Go(func() {
			for range steps {
				if ctx.Err() != nil {
					return
				}
				y.step(ctx, doors[y.rng.IntN(len(doors))])
				pause(ctx, p.thinks(y.rng))
			}
		})
	}
	for _, m := range p.postmen {
		all.Go(func() { m.work(ctx, steps, doors) })
	}
	all.Wait()
}

// Ask attempts a command until it is answered, as far as patience goes.
func (p *Play) Ask(ctx context.Context, d Door, o *Op) {
	for range p.Tries {
		within, cancel := context.WithTimeout(ctx, playTime)
		p.attempt(within, d, o)
		cancel()
		if o.Outcome != Unknown || ctx.Err() != nil || o.Bare {
			return
		}
		pause(ctx, p.Pause)
	}
}

func (p *Play) thinks(rng *rand.Rand) time.Duration {
	return time.Duration(float64(p.Think) * rng.ExpFloat64())
}

// Again repeats commands of earlier lives under their keys: the unknown ones that
// the seed picks, until they are answered, and some that were done.
func (p *Play) Again(ctx context.Context, d Door, rng *rand.Rand) {
	for _, o := range p.H.Ops() {
		pick := rng.IntN(100)
		if o.Bare || o.Kind == Read || ctx.Err() != nil {
			continue
		}
		switch {
		case o.Outcome == Unknown && pick < 60:
			for range 5 {
				p.attempt(ctx, d, o)
				if o.Outcome != Unknown || ctx.Err() != nil {
					break
				}
			}
			p.learn(o)
		case o.Outcome == Done && pick < 15:
			p.attempt(ctx, d, o)
			if o.Anew {
				p.learn(o)
			}
		}
	}
}

// learn tells the player what became of a command of an earlier life.
func (p *Play) learn(o *Op) {
	if o.Kind == Mail {
		return
	}
	p.players[o.Who].suffered(o)
}

func (p *Play) addRoom(id parley.ThreadID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rooms = append(p.rooms, id)
}

// room picks one of the rooms that somebody asked for; "" while there is none.
func (p *Play) room(rng *rand.Rand) parley.ThreadID {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rooms) == 0 {
		return ""
	}
	return p.rooms[rng.IntN(len(p.rooms))]
}

// Rooms are all that somebody asked for.
func (p *Play) Rooms() []parley.ThreadID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]parley.ThreadID(nil), p.rooms...)
}

func (p *Play) others(who int) []int {
	var out []int
	for i := range p.People {
		if i != who {
			out = append(out, i)
		}
	}
	return out
}
