package directory

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/record"
)

// SetPassword replaces an account's password; "" takes it away.
func (d *Directory) SetPassword(ctx context.Context, id parley.AccountID, password string) error {
	const op = "directory.set_password"
	next := &record.Password{SetAt: d.now().UnixMicro()}
	if password != "" {
		err := checkPassword(op, password)
		if err == nil {
			next.Phc, err = d.newPassword(ctx, password)
		}
		if err != nil {
			return parley.Wrap(parley.Unavailable, op, err)
		}
	}
	err := retry(ctx, op, func() error {
		r, err := d.open(ctx, id)
		if err != nil {
			return err
		}
		_, err = d.commit(ctx, r, put(passwordCell, next))
		return err
	})
	return parley.Wrap(parley.Unavailable, op, err)
}

func (d *Directory) newPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(d.rand, salt); err != nil {
		return "", parley.Wrap(parley.Internal, "directory.random", err)
	}
	return d.hasher.hash(ctx, salt, password)
}

// waiting bounds how many may wait for each hash that runs.
const waiting = 32

// hasher lets few passwords be hashed at a time: each takes memory and a core.
type hasher struct {
	cost  cost
	slots chan struct{}
	queue atomic.Int64
}

func newHasher(atOnce int, c cost) *hasher {
	return &hasher{cost: c, slots: make(chan struct{}, atOnce)}
}

// do runs f when there is a slot. With too many waiting it refuses at once.
func (h *hasher) do(ctx context.Context, f func()) error {
	defer h.queue.Add(-1)
	if h.queue.Add(1) > int64(cap(h.slots)*(waiting+1)) {
		return parley.E(parley.Unavailable, "directory.hash", "too many passwords at once")
	}
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return parley.Wrap(parley.Unavailable, "directory.hash", ctx.Err())
	}
	defer func() { <-h.slots }()
	f()
	return nil
}

func (h *hasher) hash(ctx context.Context, salt []byte, password string) (phc string, err error) {
	err = h.do(ctx, func() { phc = h.cost.with(salt, password).String() })
	return phc, err
}

// verify compares a password with its PHC string. Without one it does the same
// work and answers no.
func (h *hasher) verify(ctx context.Context, phc, password string) (ok bool, err error) {
	if len(password) > maxPassword {
		return false, nil
	}
	want, known := parsePHC(phc)
	if !known {
		want = hashed{cost: h.cost, salt: make([]byte, saltBytes), key: make([]byte, keyBytes)}
	}
	err = h.do(ctx, func() { ok = want.matches(password) && known })
	return ok, err
}
