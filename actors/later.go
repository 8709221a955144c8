package actors

import (
	"context"
	"time"
)

// later calls f once d has passed, unless ctx ends first. What it hangs on ctx
// comes off again with the call: an activation may live for as long as the
// server, and every long poll asks for one.
func later(ctx context.Context, d time.Duration, f func()) {
	hung := make(chan func() bool, 1)
	t := time.AfterFunc(d, func() {
		takeOff := <-hung
		takeOff()
		f()
	})
	hung <- context.AfterFunc(ctx, func() { t.Stop() })
}
