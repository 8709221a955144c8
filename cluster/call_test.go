package cluster

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"google.golang.org/protobuf/types/known/emptypb"
)

// mute takes every message and answers none.
type mute struct{}

func (mute) Receive(actor.Context) {}

// A caller that gives up, and a drain that is cut short, leave no goroutine that
// waits for an answer.
func TestGivingUpLeavesNothingBehind(t *testing.T) {
	c := Local(Config{Kinds: []Kind{{Name: "mute", New: func() actor.Actor { return mute{} }}}, Attempt: time.Hour})
	t.Cleanup(c.Stop)
	soon := func() context.Context { // a caller that goes away
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		return ctx
	}
	ask := func() {
		ctx := soon()
		if _, err := c.Call(Patient(ctx, time.Hour), "mute", "one", &emptypb.Empty{}); err == nil {
			t.Error("the mute grain has answered")
		}
	}
	ask() // starts the grain
	before := runtime.NumGoroutine()
	for range 50 {
		ask()
		if err := c.Drain(soon(), "mute"); err == nil {
			t.Error("the mute grain has drained")
		}
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(10 * time.Second); runtime.NumGoroutine() > before+5; {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%d goroutines before, %d after 100 calls that were given up", before, runtime.NumGoroutine())
		}
	}
}
