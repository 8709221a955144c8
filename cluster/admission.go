package cluster

import (
	"errors"
	"sync"

	"github.com/parley-im/parley"
)

// ErrBusy says that a call was not begun, since too many are under way.
var ErrBusy = errors.New("cluster: too much is under way")

// admission bounds the calls under way, in all and to one grain, since a grain's
// own queue has no bound: a full one would stall the whole connection.
type admission struct {
	mu       sync.Mutex
	total    int            // under mu
	perGrain map[string]int // under mu
	maxTotal int
	maxGrain int
}

func newAdmission(total, grain int) *admission {
	return &admission{perGrain: map[string]int{}, maxTotal: total, maxGrain: grain}
}

func (a *admission) enter(key string) (release func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.total >= a.maxTotal || a.perGrain[key] >= a.maxGrain {
		return nil, &parley.Error{Code: parley.Unavailable, Op: "cluster.admission", Public: "too much is under way; try again", Err: ErrBusy}
	}
	a.total++
	a.perGrain[key]++
	return func() { a.leave(key) }, nil
}

func (a *admission) leave(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.total--
	if a.perGrain[key]--; a.perGrain[key] == 0 {
		delete(a.perGrain, key)
	}
}
