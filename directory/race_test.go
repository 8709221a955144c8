package directory

import (
	"sync"
	"testing"

	"github.com/parley-im/parley"
)

// Of many who want one address, exactly one gets it.
func TestRaceForAnAddress(t *testing.T) {
	c, s := newClock(), memory(t)
	members := []*Directory{member(t, s, c, 1), member(t, s, c, 2)}
	for round := range byte(10) {
		address := string('a'+rune(round)) + "@example.org"
		var mu sync.Mutex
		var winners []parley.AccountID
		var callers sync.WaitGroup
		for n := range byte(12) {
			callers.Go(func() {
				acc, _, err := members[n%2].Create(t.Context(), c.command(100*round+n), with(address), "")
				if err != nil {
					wantCode(t, "loser", err, parley.Conflict)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				winners = append(winners, acc.ID)
			})
		}
		callers.Wait()
		if len(winners) != 1 {
			t.Fatalf("%s: got winners %v, want one", address, winners)
		}
		c.pass(unknownLife)
		wantOwner(t, members[0], address, winners[0])
	}
	checkRows(t, s)
}

// One command sent many times at once makes one account.
func TestRaceOfOneCommand(t *testing.T) {
	c, s := newClock(), memory(t)
	members := []*Directory{member(t, s, c, 1), member(t, s, c, 2)}
	var callers sync.WaitGroup
	for n := range 12 {
		callers.Go(func() {
			if _, _, err := members[n%2].Create(t.Context(), c.command(1), with(ana), ""); err != nil {
				t.Errorf("create: %v", err)
			}
			if _, _, err := members[n%2].PutExternal(t.Context(), "crm-1", with("bo@example.org")); err != nil {
				t.Errorf("put external: %v", err)
			}
		})
	}
	callers.Wait()
	if got := checkRows(t, s); got != 2 {
		t.Errorf("accounts: got %d, want 2", got)
	}
}

func TestRaceOfTokens(t *testing.T) {
	d, c := alone(t)
	acc := made(t, d, parley.Command{}, with(ana))
	var callers sync.WaitGroup
	secrets := make([]string, 8)
	for n := range secrets {
		callers.Go(func() {
			_, secrets[n] = issued(t, d, c.command(byte(n/2)), acc.ID, reading)
		})
	}
	callers.Wait()
	if ts, err := d.Tokens(t.Context(), acc.ID); err != nil || len(ts) != 4 {
		t.Errorf("tokens: got %d, %v, want 4", len(ts), err)
	}
	for n := 0; n < len(secrets); n += 2 {
		if secrets[n] != secrets[n+1] {
			t.Errorf("command %d: two secrets", n/2)
		}
	}
}
