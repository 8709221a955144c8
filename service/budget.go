package service

import "sync"

// BudgetConfig says how much a client may ask beyond what it is asked for.
type BudgetConfig struct {
	Percent int // extra requests per hundred; 0 means 10
	Burst   int // extra requests saved up at most, and at the start; 0 means 10
}

// Budget is a token bucket that requests fill and not time: each puts a share of
// a token in, each retry or back-up request takes one out. So the extra load of a
// peer that fails or is slow stays a share of the load, however large that is and
// however long it lasts. One Budget may serve filters of one kind in front of one peer; those that
// stand in one chain need one each, since each counts what passes it.
//
// failsafe-go's budget compares with what is in flight at the moment, which a
// peer that fails fast keeps near nothing and a slow one near everything.
type Budget struct {
	cfg BudgetConfig

	mu     sync.Mutex
	saved  int // hundredths of a request; guarded by mu
	denied uint64
}

const wholeRequest = 100

// NewBudget makes a full bucket.
func NewBudget(cfg BudgetConfig) *Budget {
	if cfg.Percent <= 0 {
		cfg.Percent = 10
	}
	if cfg.Burst <= 0 {
		cfg.Burst = 10
	}
	return &Budget{cfg: cfg, saved: cfg.Burst * wholeRequest}
}

// Deposit counts a request that was not extra.
func (b *Budget) Deposit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saved = min(b.saved+b.cfg.Percent, b.cfg.Burst*wholeRequest)
}

// Withdraw reports whether one extra request may be made, and counts it.
func (b *Budget) Withdraw() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.saved < wholeRequest {
		b.denied++
		return false
	}
	b.saved -= wholeRequest
	return true
}

// Denied is how often there was nothing left.
func (b *Budget) Denied() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.denied
}
