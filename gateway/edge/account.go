package edge

import (
	"context"
	"sync"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/limit"
	"github.com/parley-im/parley/service"
)

// AccountConfig is how much one account may ask.
type AccountConfig struct {
	Rates    *limit.Rates
	InFlight int // requests that run at once; streams without end have their own bound
	Now      func() time.Time
}

// Account limits each account, so that one busy client leaves room for others.
func Account(cfg AccountConfig) UserFilter {
	running := NewTally(cfg.InFlight)
	return func(ctx context.Context, a Authenticated[*Call], next service.Service[Authenticated[*Call], *Reply]) (*Reply, error) {
		if err := cfg.Rates.Take(string(a.Account), 1, cfg.Now()); err != nil {
			return nil, err
		}
		if a.Req.Route.Timing != Endless && !a.Req.inner {
			if !running.Add(a.Account) {
				return nil, limit.Refuse(parley.RateLimited, "gateway.account", time.Second)
			}
			a.Req.OnDone(func(Done) { running.Drop(a.Account) })
		}
		return next(ctx, a)
	}
}

// Tally counts what each account has open. It forgets an account with nothing
// open, so it holds no more accounts than there are open requests.
type Tally struct {
	most int

	mu   sync.Mutex
	open map[parley.AccountID]int // guarded by mu
}

// NewTally allows most at once for each account.
func NewTally(most int) *Tally { return &Tally{most: most, open: map[parley.AccountID]int{}} }

// Add counts one more, if it may be.
func (t *Tally) Add(a parley.AccountID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[a] >= t.most {
		return false
	}
	t.open[a]++
	return true
}

// Drop counts one less.
func (t *Tally) Drop(a parley.AccountID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[a]--; t.open[a] <= 0 {
		delete(t.open, a)
	}
}
