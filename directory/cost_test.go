package directory

import (
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/faulty"
)

// What each call asks of the store, counted. A request's bearer and a RCPT's
// address are free while they are held.
func TestStoreOperations(t *testing.T) {
	c, ctx := newClock(), t.Context()
	s := faulty.New(memory(t), nil)
	d := member(t, s, c, 1)
	var acc parley.Account
	var secret string
	for _, step := range []struct {
		what           string
		do             func() error
		reads, commits int64
	}{
		{"create", func() (err error) { acc, _, err = d.Create(ctx, c.command(1), with(ana), ""); return err }, 4, 3},
		{"create token", func() (err error) {
			_, secret, _, err = d.CreateToken(ctx, c.command(2), acc.ID, reading)
			return err
		}, 2, 1},
		{"authenticate", func() error { _, err := d.Authenticate(ctx, secret); return err }, 1, 0},
		{"authenticate, held", func() error { _, err := d.Authenticate(ctx, secret); return err }, 0, 0},
		{"resolve, account held", func() error { _, err := d.Resolve(ctx, ana); return err }, 1, 0},
		{"resolve, held", func() error { _, err := d.Resolve(ctx, ana); return err }, 0, 0},
		{"get, held", func() error { _, err := d.Get(ctx, acc.ID); return err }, 0, 0},
		{"update", func() error { _, err := d.Update(ctx, acc.ID, 0, rename("Bo")); return err }, 1, 1},
	} {
		before := s.Counts()
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if n := s.Counts().Since(before); n.Reads != step.reads || n.Commits != step.commits || n.Ops() != n.Reads+n.Commits {
			t.Errorf("%s: got %d reads, %d commits of %d operations, want %d and %d", step.what, n.Reads, n.Commits, n.Ops(), step.reads, step.commits)
		}
	}
}

func BenchmarkAuthenticate(b *testing.B) {
	d, secret := forBench(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Authenticate(b.Context(), secret); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	d, _ := forBench(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Resolve(b.Context(), ana); err != nil {
			b.Fatal(err)
		}
	}
}

func forBench(b *testing.B) (*Directory, string) {
	c := newClock()
	d := member(b, memory(b), c, 1)
	acc, _, err := d.Create(b.Context(), parley.Command{}, with(ana), "")
	if err != nil {
		b.Fatal(err)
	}
	_, secret, _, err := d.CreateToken(b.Context(), parley.Command{}, acc.ID, reading)
	if err != nil {
		b.Fatal(err)
	}
	return d, secret
}
