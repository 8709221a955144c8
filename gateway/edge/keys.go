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
	k := &keys{KeysConfig: cfg, running: map[parley.CommandID]*turn{}}
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
		return next(ctx, a)
	}
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
