package directory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// turns is a store whose callers do one operation each when it is their turn,
// so that a seed decides how several requests interleave.
type turns struct {
	persistence.Store
	caller int
	arrive chan<- turn
}

// turn is what a caller waits for.
type turn struct {
	caller  int
	granted chan error
}

func (s *turns) turn() error {
	t := turn{s.caller, make(chan error)}
	s.arrive <- t
	return <-t.granted
}

func (s *turns) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	if err := s.turn(); err != nil {
		return nil, err
	}
	return s.Store.Read(ctx, t, row, ranges...)
}

func (s *turns) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	if err := s.turn(); err != nil {
		return err
	}
	return s.Store.Commit(ctx, t, row, check, cells)
}

// TestInterleavings looks at both tables after every single operation of
// requests that fight for two names while claims lapse and rests end.
func TestInterleavings(t *testing.T) {
	for seed := range uint64(100) {
		if !t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { interleave(t, rand.New(rand.NewPCG(seed, 2))) }) {
			return
		}
	}
}

const fighters = 4

func interleave(t *testing.T, r *rand.Rand) {
	c, s := newClock(), memory(t)
	var accounts []parley.AccountID
	calm := member(t, s, c, 1)
	for n := range byte(3) {
		accounts = append(accounts, made(t, calm, parley.Command{}, with(fmt.Sprintf("own%d@example.org", n))).ID)
	}
	var callers sync.WaitGroup
	arrive, left := make(chan turn), make(chan struct{})
	for n := range fighters {
		seed, d := r.Uint64(), member(t, &turns{s, n, arrive}, c, uint64(n)+2)
		callers.Go(func() {
			defer func() { left <- struct{}{} }()
			fight(t.Context(), d, c, rand.New(rand.NewPCG(seed, 3)), accounts)
		})
	}
	schedule(r, arrive, left, func() {
		if r.IntN(40) == 0 {
			c.pass([]time.Duration{ClaimLife, Rest}[r.IntN(2)])
		}
		checkRows(t, s)
	})
	callers.Wait()
}

// fight sends requests whose outcomes do not matter; the rows do.
func fight(ctx context.Context, d *Directory, c *clock, r *rand.Rand, accounts []parley.AccountID) {
	for range 4 {
		id, address := accounts[r.IntN(len(accounts))], string('a'+rune(r.IntN(2)))+"@example.org"
		switch r.IntN(6) {
		case 0, 1:
			_, _, _ = d.Create(ctx, c.command(byte(r.IntN(3))), with(address), "")
		case 2:
			_, _, _ = d.PutExternal(ctx, "x", with(address))
		case 3, 4:
			_, _ = d.AddAddress(ctx, id, address)
		case 5:
			_, _ = d.RemoveAddress(ctx, id, address)
		}
	}
}

// schedule grants turns, each when all callers that are left wait for one.
func schedule(r *rand.Rand, arrive <-chan turn, left <-chan struct{}, before func()) {
	var waiting [fighters]chan error
	for waits, callers := 0, fighters; callers > 0; {
		select {
		case t := <-arrive:
			waiting[t.caller] = t.granted
			waits++
		case <-left:
			callers--
		}
		if waits < callers || callers == 0 {
			continue
		}
		before()
		n := r.IntN(fighters)
		for waiting[n] == nil {
			n = (n + 1) % fighters
		}
		granted := waiting[n]
		waiting[n] = nil
		waits--
		granted <- brokenOnce(r, 60)
	}
}

func brokenOnce(r *rand.Rand, in int) error {
	if r.IntN(in) == 0 {
		return errCrash
	}
	return nil
}
