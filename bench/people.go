package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/parley-im/parley"
)

// secret makes the ids of every run the same.
var secret = parley.Secret("bench-bench-bench-bench-bench-32")

// people is a directory in memory of p0@example.org, p1@example.org and so on. It
// costs no store operation: what the directory costs is counted in its own tests.
type people struct {
	byID      map[parley.AccountID]parley.Account
	byAddress map[string]parley.AccountID
}

func personID(i int) parley.AccountID {
	return parley.AccountID(parley.FormatID(parley.AccountPrefix, secret.Derive("account", fmt.Sprint(i))))
}

func address(i int) string { return fmt.Sprintf("p%d@example.org", i) }

func newPeople(n int) *people {
	p := &people{make(map[parley.AccountID]parley.Account, n), make(map[string]parley.AccountID, n)}
	born := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		id := personID(i)
		p.byID[id] = parley.Account{ID: id, Name: fmt.Sprintf("Person %d", i), Addresses: []string{address(i)}, CreatedAt: born}
		p.byAddress[address(i)] = id
	}
	return p
}

// Get implements actors.Accounts.
func (p *people) Get(_ context.Context, id parley.AccountID) (parley.Account, error) {
	if a, ok := p.byID[id]; ok {
		return a, nil
	}
	return parley.Account{}, parley.E(parley.NotFound, "bench.get", "no such account")
}

// Resolve implements actors.Accounts.
func (p *people) Resolve(_ context.Context, address string) (parley.AccountID, error) {
	if id, ok := p.byAddress[address]; ok {
		return id, nil
	}
	return "", parley.E(parley.NoRecipient, "bench.resolve", "no such address")
}
