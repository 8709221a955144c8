package edge

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// KeysConfig says how commands are named and how many run.
type KeysConfig struct {
	Secret  parley.Secret
	Running int // keyed requests that run at once
	Waiting int // repeats that wait for one of them
	Now     func() time.Time
}

// Keys names the command of a write with an Idempotency-Key, and lets one
// request under a key run at a time in this process: a repeat waits, then runs
// too and finds the first answer where it is stored.
func Keys(cfg KeysConfig) UserFilter {
	k := &keys{KeysConfig: cfg, running: map[parley.CommandID]*turn{}, done: done{bodies: map[parley.CommandID]parley.Digest{}}}
	return func(ctx context.Context, a Authenticated[*Call], next service.Service[Authenticated[*Call], *Reply]) (*Reply, error) {
		if a.Req.Key == "" {
			return next(ctx, a)
		}
		id := cfg.Secret.Command(a.Account, a.Req.Key)
		release, err := k.enter(ctx, id)
		if err != nil {
			return nil, err
		}
		defer release()
		a.Req.Command = parley.Command{ID: id, Body: cfg.seal(a.Req.digest), First: cfg.Now()}
		if !k.done.fits(a.Req.Command) {
			return nil, parley.E(parley.KeyMismatch, "gateway.keys", "This key was used for another request.")
		}
		rep, err := next(ctx, a)
		if err == nil {
			k.done.note(a.Req.Command)
		}
		return rep, err
	}
}

// done remembers the requests behind keys that were answered. Rooms and mailboxes
// each know the keys of their own commands; that a key was used elsewhere is
// known here alone, in this process and for as many keys as fit.
type done struct {
	mu     sync.Mutex
	bodies map[parley.CommandID]parley.Digest // guarded by mu
	order  []parley.CommandID                 // guarded by mu; a ring
	next   int                                // guarded by mu
}

// doneKeys is how many answered keys are remembered.
const doneKeys = 1 << 16

// fits reports whether the key is new or was used with this request.
func (d *done) fits(c parley.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	body, known := d.bodies[c.ID]
	return !known || body == c.Body
}

func (d *done) note(c parley.Command) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.bodies[c.ID]; known {
		return
	}
	if len(d.order) < doneKeys {
		d.order = append(d.order, c.ID)
	} else {
		delete(d.bodies, d.order[d.next])
		d.order[d.next] = c.ID
		d.next = (d.next + 1) % doneKeys
	}
	d.bodies[c.ID] = c.Body
}

// seal keys the digest of a request, which is stored with the command: a body
// may hold a password, and a plain digest would let whoever reads the store try
// out words.
func (cfg KeysConfig) seal(plain parley.Digest) (sealed parley.Digest) {
	mac := hmac.New(sha256.New, cfg.Secret)
	mac.Write([]byte("request"))
	mac.Write(plain[:])
	mac.Sum(sealed[:0])
	return sealed
}

type keys struct {
	KeysConfig
	mu      sync.Mutex
	running map[parley.CommandID]*turn // guarded by mu
	done    done
}

type turn struct {
	over    chan struct{}
	waiting int // guarded by keys.mu
}

// enter takes the turn of a key, after those before it.
func (k *keys) enter(ctx context.Context, id parley.CommandID) (release func(), err error) {
	for {
		t, mine, err := k.turn(id)
		if err != nil {
			return nil, err
		}
		if mine {
			return func() { k.leave(id, t) }, nil
		}
		select {
		case <-t.over:
		case <-ctx.Done():
			k.mu.Lock()
			t.waiting--
			k.mu.Unlock()
			return nil, inProgress()
		}
	}
}

// turn is a new one, or that of the request that runs.
func (k *keys) turn(id parley.CommandID) (t *turn, mine bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t = k.running[id]; t != nil {
		if t.waiting >= k.Waiting {
			return nil, false, inProgress()
		}
		t.waiting++
		return t, false, nil
	}
	if len(k.running) >= k.Running {
		return nil, false, parley.E(parley.Unavailable, "gateway.keys", "")
	}
	t = &turn{over: make(chan struct{})}
	k.running[id] = t
	return t, true, nil
}

func (k *keys) leave(id parley.CommandID, t *turn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.running, id)
	close(t.over)
}

func inProgress() error {
	return &parley.Error{Code: parley.KeyInProgress, Op: "gateway.keys", Field: "Idempotency-Key"}
}
