package embedded

import (
	"sync/atomic"
	"time"
)

// gatherer delays a sync of the log a little for callers that come back. Those
// whom a sync has answered come with their next commit while the following sync,
// begun at once, serves the rest: two groups by turns, each waiting for two
// syncs. An eighth of a sync's wait brings them together where the disk is slow
// beside the processors.
type gatherer struct {
	under atomic.Int64 // commits that were handed to Pebble and have not come back
	took  atomic.Int64 // nanoseconds of the last sync of the log
}

const (
	slowSync   = 2 * time.Millisecond // below it nobody comes back in an eighth of it
	longestLag = 2 * time.Millisecond
)

func (g *gatherer) enter() { g.under.Add(1) }
func (g *gatherer) leave() { g.under.Add(-1) }

func (g *gatherer) synced(took time.Duration) { g.took.Store(int64(took)) }

// lag is asked for after each sync of the log and holds back the next. Whoever is
// alone never waits.
func (g *gatherer) lag() time.Duration {
	took := time.Duration(g.took.Load())
	if g.under.Load() < 2 || took < slowSync {
		return 0
	}
	return min(took/8, longestLag)
}
