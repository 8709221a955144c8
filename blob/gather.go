package blob

import "time"

// gatherer makes batches of what waits. Callers that put one blob after the other
// come back just after a batch was answered; without a short wait for them
// every second sync would serve the first of them alone.
type gatherer struct {
	queue  <-chan *request
	expect int           // requests worth waiting for
	wait   time.Duration // for them, at most
}

const (
	shortSync  = 200 * time.Microsecond // below it a sync is not worth a wait
	longestLag = time.Millisecond
)

// batch takes r and what comes with it.
func (g *gatherer) batch(r *request) []*request {
	batch, size := []*request{r}, len(r.payload)
	var late <-chan time.Time
	for size < batchBytes {
		next := g.waiting()
		if next == nil && len(batch) < g.expect {
			if late == nil {
				late = time.After(g.wait)
			}
			select {
			case next = <-g.queue:
			case <-late:
			}
		}
		if next == nil {
			return batch
		}
		batch, size = append(batch, next), size+len(next.payload)
	}
	return batch
}

// waiting takes a request that is there already, or none.
func (g *gatherer) waiting() *request {
	select {
	case r := <-g.queue:
		return r
	default:
		return nil
	}
}

// took learns from a batch: those who were in it and those who came during its
// sync may all be in the next, for which it is worth an eighth of a sync to wait.
func (g *gatherer) took(n int, sync time.Duration) {
	g.expect, g.wait = 1, 0
	if n += len(g.queue); n > 1 && sync >= shortSync {
		g.expect, g.wait = n, min(sync/8, longestLag)
	}
}
