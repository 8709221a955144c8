package directory

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/faulty"
)

// again repeats a step while its outcome is unknown, as clients do.
func again(t *testing.T, c *clock, what string, step func() error) {
	t.Helper()
	for range 20 {
		err := step()
		if err == nil {
			return
		}
		if parley.CodeOf(err) != parley.Unavailable {
			t.Fatalf("%s: %v", what, err)
		}
		c.pass(time.Second)
	}
	t.Fatalf("%s: never done", what)
}

// story plays every write, each repeated until it is done.
func story(t *testing.T, d *Directory, c *clock) (acc parley.Account, secret string) {
	ctx := t.Context()
	create, token, end := c.command(1), c.command(2), c.command(3)
	again(t, c, "create", func() (err error) {
		acc, _, err = d.Create(ctx, create, with(ana, "old@example.org"), password)
		return err
	})
	again(t, c, "create token", func() (err error) {
		_, secret, _, err = d.CreateToken(ctx, token, acc.ID, reading)
		return err
	})
	again(t, c, "put external", func() error {
		_, _, err := d.PutExternal(ctx, "crm-1", with("bo@example.org"))
		return err
	})
	again(t, c, "add address", func() error { _, err := d.AddAddress(ctx, acc.ID, "new@example.org"); return err })
	again(t, c, "remove address", func() error { _, err := d.RemoveAddress(ctx, acc.ID, "old@example.org"); return err })
	var gone parley.Account
	again(t, c, "create another", func() (err error) {
		gone, _, err = d.Create(ctx, end, with("gone@example.org"), "")
		return err
	})
	again(t, c, "close it", func() error { return d.Close(ctx, gone.ID, gone.Version) })
	return acc, secret
}

// After a fault at any operation the same commands make one account, one claim
// and one token.
func TestFaultAtEveryOperation(t *testing.T) {
	for what, outcome := range map[string]faulty.Outcome{
		"refused": faulty.Refuse, "answer lost": faulty.LoseAnswer, "request lost": faulty.LoseRequest,
	} {
		t.Run(what, func(t *testing.T) {
			at := 1
			for faultAt(t, at, outcome) {
				at++
			}
			t.Logf("%d places", at-1)
		})
	}
}

// faultAt tells the story with one fault, and reports whether it came to that.
func faultAt(t *testing.T, at int, outcome faulty.Outcome) bool {
	c, s, ops := newClock(), memory(t), 0
	acc, secret := story(t, member(t, faulty.New(s, func(faulty.Op) faulty.Outcome {
		if ops++; ops == at {
			return outcome
		}
		return faulty.Pass
	}), c, 1), c)
	c.pass(unknownLife)
	calm := member(t, s, c, 2)
	if got := checkRows(t, s); got != 2 {
		t.Errorf("got %d open accounts, want 2", got)
	}
	wantOwner(t, calm, ana, acc.ID)
	wantOwner(t, calm, "new@example.org", acc.ID)
	for _, freed := range []string{"old@example.org", "gone@example.org"} {
		_, err := calm.Resolve(t.Context(), freed)
		wantCode(t, freed, err, parley.NoRecipient)
		_, _, err = calm.Create(t.Context(), parley.Command{}, with(freed), "")
		wantCode(t, freed, err, parley.Conflict)
	}
	if ts, err := calm.Tokens(t.Context(), acc.ID); err != nil || len(ts) != 1 {
		t.Errorf("got tokens %v, %v, want one", ts, err)
	}
	if _, err := calm.Authenticate(t.Context(), secret); err != nil {
		t.Errorf("authenticate: %v", err)
	}
	if t.Failed() {
		t.Fatalf("with a fault at operation %d", at)
	}
	return ops >= at
}

// Two members, few names, many faults, and time that passes: whatever happens,
// no name has two owners, and none goes to another before it has rested.
func TestRandomPlay(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { play(t, seed) })
	}
}

func play(t *testing.T, seed uint64) {
	r, c, s := rand.New(rand.NewPCG(seed, 1)), newClock(), memory(t)
	b := faulty.New(s, faulty.Seeded(seed, faulty.Rates{Refuse: 2, LoseAnswer: 2, LoseRequest: 2}))
	members := []*Directory{member(t, b, c, 1), member(t, b, c, 2)}
	lastSeen := map[string]time.Time{}
	lastOwner := map[string]parley.AccountID{}
	accounts := []parley.AccountID{}
	for range 150 {
		d, address := members[r.IntN(2)], string('a'+rune(r.IntN(4)))+"@example.org"
		switch op := r.IntN(12); {
		case op < 4:
			acc, _, err := d.Create(t.Context(), c.command(byte(r.IntN(20))), with(address), "")
			if err == nil {
				accounts = append(accounts, acc.ID)
			}
		case op < 5:
			_, _, _ = d.PutExternal(t.Context(), string('x'+rune(r.IntN(2))), with(address))
		case op < 6:
			c.pass([]time.Duration{time.Minute, ClaimLife, Rest}[r.IntN(3)])
		case len(accounts) == 0:
		case op < 8:
			_, _ = d.AddAddress(t.Context(), accounts[r.IntN(len(accounts))], address)
		case op < 10:
			_, _ = d.RemoveAddress(t.Context(), accounts[r.IntN(len(accounts))], address)
		default:
			_ = d.Close(t.Context(), accounts[r.IntN(len(accounts))], 0)
		}
		checkRows(t, s)
		checkRest(t, member(t, s, c, 3), c, lastOwner, lastSeen)
		if t.Failed() {
			t.FailNow()
		}
	}
}

// checkRest fails if an address that had received mail has another owner before it rested.
func checkRest(t *testing.T, calm *Directory, c *clock, owner map[string]parley.AccountID, seen map[string]time.Time) {
	t.Helper()
	for n := range 4 {
		address := string('a'+rune(n)) + "@example.org"
		id, err := calm.Resolve(t.Context(), address)
		if err != nil {
			wantCode(t, address, err, parley.NoRecipient)
			continue
		}
		if before := owner[address]; before != "" && before != id && c.now().Sub(seen[address]) < Rest {
			t.Errorf("%s went from %s to %s after %v", address, before, id, c.now().Sub(seen[address]))
		}
		owner[address], seen[address] = id, c.now()
	}
}
