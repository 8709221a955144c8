package directory

import (
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

const ana = "ana@example.org"

func TestCrashBetweenClaimAndRow(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	d := member(t, s, c, 1)
	s.onceAt(persistence.Account, func() error { return errCrash })
	_, _, err := d.Create(t.Context(), c.command(1), with(ana), "")
	wantCode(t, "crash", err, parley.Unavailable)
	_, err = d.Resolve(t.Context(), ana)
	wantCode(t, "resolve of a mere claim", err, parley.NoRecipient)
	_, _, err = d.Create(t.Context(), c.command(2), with(ana), "")
	wantCode(t, "claimed by another", err, parley.Conflict)

	t.Run("the same command finishes", func(t *testing.T) {
		acc := made(t, d, c.command(1), with(ana))
		c.pass(unknownLife)
		wantOwner(t, d, ana, acc.ID)
	})
}

func TestClaimLapses(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	d := member(t, s, c, 1)
	s.onceAt(persistence.Account, func() error { return errCrash })
	first := c.command(1)
	_, _, err := d.Create(t.Context(), first, with(ana), "")
	wantCode(t, "crash", err, parley.Unavailable)
	c.pass(ClaimLife - time.Microsecond)
	_, _, err = d.Create(t.Context(), c.command(2), with(ana), "")
	wantCode(t, "before it lapses", err, parley.Conflict)
	c.pass(time.Microsecond)
	bo := made(t, d, c.command(3), with(ana))
	wantOwner(t, d, ana, bo.ID)
	_, _, err = d.Create(t.Context(), first, with(ana), "")
	wantCode(t, "the first claimant, late", err, parley.Conflict)
	l, err := d.List(t.Context(), parley.Page{})
	if err != nil || len(l.Items) != 1 || l.Items[0].ID != bo.ID {
		t.Errorf("list: got %v, %v, want %s alone", l.Items, err, bo.ID)
	}
}

// A claimant that stalls between its claim and its row, and wakes when another
// has taken the claim over, must not commit.
func TestStalledClaimantLoses(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	stalled, other := member(t, s, c, 1), member(t, s.Store, c, 2)
	var winner parley.Account
	s.onceAt(persistence.Account, func() error {
		c.pass(ClaimLife)
		winner = made(t, other, c.command(2), with(ana))
		return nil
	})
	_, _, err := stalled.Create(t.Context(), c.command(1), with(ana), "")
	wantCode(t, "stalled claimant", err, parley.Conflict)
	wantOwner(t, other, ana, winner.ID)
	wantOwner(t, stalled, ana, winner.ID)
}

// The claimant renews its claim while the other has judged it lapsed but not
// yet replaced it.
func TestRenewedClaimIsKept(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	late, other := member(t, s.Store, c, 1), member(t, s, c, 2)
	crash := &staged{Store: s.Store, before: func(t persistence.Table, _ []byte) error {
		if t == persistence.Account {
			return errCrash
		}
		return nil
	}}
	first := c.command(1)
	_, _, err := member(t, crash, c, 3).Create(t.Context(), first, with(ana), "")
	wantCode(t, "crash", err, parley.Unavailable)
	c.pass(ClaimLife)
	var winner parley.Account
	s.onceAt(persistence.Directory, func() error { // the fence stands, the claim not yet replaced
		winner = made(t, late, first, with(ana))
		return nil
	})
	_, _, err = other.Create(t.Context(), c.command(2), with(ana), "")
	wantCode(t, "the other", err, parley.Conflict)
	wantOwner(t, other, ana, winner.ID)
}

func TestFreedAddressRests(t *testing.T) {
	d, c := alone(t)
	acc := made(t, d, parley.Command{}, with("old@example.org", ana))
	if _, err := d.RemoveAddress(t.Context(), acc.ID, "Ana@example.org"); err != nil {
		t.Fatal(err)
	}
	_, err := d.Resolve(t.Context(), ana)
	wantCode(t, "resolve of a freed address", err, parley.NoRecipient)
	c.pass(Rest - time.Microsecond)
	_, _, err = d.Create(t.Context(), parley.Command{}, with(ana), "")
	wantCode(t, "a resting address", err, parley.Conflict)

	t.Run("its owner may take it back", func(t *testing.T) {
		if _, err := d.AddAddress(t.Context(), acc.ID, ana); err != nil {
			t.Fatal(err)
		}
		wantOwner(t, d, ana, acc.ID)
		if err := d.Close(t.Context(), acc.ID, 0); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("after the rest it is free", func(t *testing.T) {
		c.pass(Rest - time.Microsecond)
		_, _, err = d.Create(t.Context(), parley.Command{}, with(ana), "")
		wantCode(t, "still resting", err, parley.Conflict)
		c.pass(time.Microsecond)
		wantOwner(t, d, ana, made(t, d, parley.Command{}, with(ana)).ID)
	})
}

// A process that ends before the claim is let go leaves a final claim; whoever
// asks for the name next starts its rest.
func TestRestStartsWithoutItsOwner(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	d := member(t, s, c, 1)
	acc := made(t, d, parley.Command{}, with("old@example.org", ana))
	s.onceAt(persistence.Directory, func() error { return errCrash })
	if _, err := d.RemoveAddress(t.Context(), acc.ID, ana); err != nil {
		t.Fatal(err)
	}
	c.pass(Rest)
	for range 2 {
		_, _, err := d.Create(t.Context(), parley.Command{}, with(ana), "")
		wantCode(t, "the rest begins", err, parley.Conflict)
	}
	c.pass(Rest)
	wantOwner(t, d, ana, made(t, d, parley.Command{}, with(ana)).ID)
}

// Taking an address back and ending half way does not cut its rest short.
func TestHalfRenewalKeepsTheRest(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	d := member(t, s, c, 1)
	acc := made(t, d, parley.Command{}, with("old@example.org", ana))
	if _, err := d.RemoveAddress(t.Context(), acc.ID, ana); err != nil {
		t.Fatal(err)
	}
	s.onceAt(persistence.Account, func() error { return errCrash })
	_, err := d.AddAddress(t.Context(), acc.ID, ana)
	wantCode(t, "crash", err, parley.Unavailable)
	c.pass(2 * ClaimLife)
	_, _, err = d.Create(t.Context(), parley.Command{}, with(ana), "")
	wantCode(t, "resting still", err, parley.Conflict)
	c.pass(Rest)
	made(t, d, parley.Command{}, with(ana))
}
