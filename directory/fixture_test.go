package directory

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
)

var secret = parley.Secret(bytes.Repeat([]byte{7}, 32))

// cheap keeps the tests fast; TestPasswordCost looks at the real one.
var cheap = cost{memory: 8, passes: 1, threads: 1}

// clock is moved by the test alone.
type clock struct{ micros atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.micros.Store(time.Date(2026, 3, 1, 10, 30, 0, 0, time.UTC).UnixMicro())
	return c
}

func (c *clock) now() time.Time       { return time.UnixMicro(c.micros.Load()).UTC() }
func (c *clock) pass(d time.Duration) { c.micros.Add(d.Microseconds()) }
func (c *clock) command(n byte) parley.Command {
	return parley.Command{ID: secret.Command("acc_admin", string(n)), Body: parley.Digest{n}, First: c.now()}
}

func memory(t testing.TB) persistence.Store {
	t.Helper()
	s, err := embedded.Open(embedded.Config{Dir: "/directory", FS: vfs.NewMem(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// member is one process over a store.
func member(t testing.TB, s persistence.Store, c *clock, seed uint64) *Directory {
	t.Helper()
	var key [32]byte
	key[0] = byte(seed)
	d, err := New(Config{Store: s, Secret: secret, Now: c.now, Rand: rand.NewChaCha8(key)})
	if err != nil {
		t.Fatal(err)
	}
	d.hasher = newHasher(2, cheap)
	return d
}

func alone(t *testing.T) (*Directory, *clock) {
	t.Helper()
	c := newClock()
	return member(t, memory(t), c, 1), c
}

func with(addresses ...string) parley.Account {
	return parley.Account{Name: "Ana", Addresses: addresses}
}

func made(t *testing.T, d *Directory, cmd parley.Command, a parley.Account) parley.Account {
	t.Helper()
	acc, _, err := d.Create(t.Context(), cmd, a, "")
	if err != nil {
		t.Fatalf("create %v: %v", a.Addresses, err)
	}
	return acc
}

func wantCode(t *testing.T, what string, err error, want parley.Code) {
	t.Helper()
	if err == nil || parley.CodeOf(err) != want {
		t.Errorf("%s: got %v (code %d), want code %d", what, err, parley.CodeOf(err), want)
	}
}

func wantOwner(t *testing.T, d *Directory, address string, want parley.AccountID) {
	t.Helper()
	got, err := d.Resolve(t.Context(), address)
	if err != nil || got != want {
		t.Errorf("resolve %s: got %s, %v, want %s", address, got, err, want)
	}
}

// staged is a store in which the test acts before a commit, or instead of it.
type staged struct {
	persistence.Store
	before func(table persistence.Table, row []byte) error // nil: nothing
}

var errCrash = errors.New("the process ended here")

func (s *staged) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	if s.before != nil {
		if err := s.before(t, row); err != nil {
			return err
		}
	}
	return s.Store.Commit(ctx, t, row, check, cells)
}

// onceAt runs f before the first commit to a table.
func (s *staged) onceAt(table persistence.Table, f func() error) {
	s.before = func(t persistence.Table, _ []byte) error {
		if t != table {
			return nil
		}
		s.before = nil
		return f()
	}
}
