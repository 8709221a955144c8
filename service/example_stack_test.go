package service_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

type times struct{ seen, failed atomic.Int64 }

func (o *times) Observe(_ context.Context, _ time.Duration, err error) {
	o.seen.Add(1)
	if err != nil {
		o.failed.Add(1)
	}
}

// A client of a blob server, its filters read from the caller to the peer. The
// deadline is that of the whole, repeats included; what is retried and what is
// backed up has a budget each; a back-up request is one attempt of a retry; the
// breaker is innermost, so that it judges the peer by every request that it gets.
func blobClient(o *times, read service.Service[string, string]) service.Service[string, string] {
	recordHandleTime := service.Record[string, string](o)
	recoverPanics := service.Recover[string, string](service.RecoverConfig{Op: "blob"})
	timeout := service.Timeout[string, string]("blob", 2*time.Second)
	retry := service.Retry[string, string](service.RetryConfig{Budget: service.NewBudget(service.BudgetConfig{Percent: 10})})
	backup := service.Backup[string, string](service.BackupConfig{Budget: service.NewBudget(service.BudgetConfig{Percent: 5})})
	guard := service.Guard[string, string](service.NewBreaker(service.BreakerConfig{Op: "blob"}))

	return service.Chain(
		recordHandleTime,
		recoverPanics,
		timeout,
		retry,
		backup,
		guard,
	).AndThen(read)
}

// A peer that is down for a while, then slow now and then.
func TestClientStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var o times
		down := true
		client := blobClient(&o, func(ctx context.Context, name string) (string, error) {
			n := asked.Add(1)
			switch {
			case down:
				return "", parley.E(parley.Unavailable, "peer", "down")
			case n%20 == 0:
				<-ctx.Done()
				return "", ctx.Err()
			}
			time.Sleep(time.Millisecond)
			return "bytes of " + name, nil
		})
		for range 1000 {
			_, _ = client(t.Context(), "a")
		}
		if n := asked.Load(); n > 100 {
			t.Errorf("a peer that was down was asked %d times by 1000 requests", n)
		}
		time.Sleep(time.Minute)
		down = false
		start, failed := time.Now(), o.failed.Load()
		for range 1000 {
			reply, err := client(t.Context(), "a")
			if err == nil && reply != "bytes of a" {
				t.Fatalf("got %q", reply)
			}
			synctest.Wait()
		}
		if slow := o.failed.Load() - failed; slow > 20 || time.Since(start) > time.Minute || o.seen.Load() != 2000 {
			t.Errorf("%d of 1000 failed in %v, %d seen", slow, time.Since(start), o.seen.Load())
		}
	})
}

// The server's side reads the same way (section 4.3 of the paper); a filter is a
// function and needs no more than that.
func Example_filterStack() {
	say := func(name string) service.SimpleFilter[string, string] {
		return func(ctx context.Context, r string, next service.Service[string, string]) (string, error) {
			fmt.Println(name)
			return next(ctx, r)
		}
	}
	sanitize := service.SimpleFilter[string, string](func(ctx context.Context, r string, next service.Service[string, string]) (string, error) {
		if r == "" {
			return "", errors.New("an empty request")
		}
		return next(ctx, r)
	})
	serve := service.Chain(
		say("recordHandletime"),
		say("traceRequest"),
		say("collectStats"),
		say("parseRequest"),
		say("logRequest"),
		say("recordClientStats"),
		sanitize,
		say("respondToHealthCheck"),
		say("applyTrafficControl"),
	).AndThen(func(_ context.Context, r string) (string, error) { return "virtual host " + r, nil })

	fmt.Println(serve(context.Background(), "parley"))
	// Output:
	// recordHandletime
	// traceRequest
	// collectStats
	// parseRequest
	// logRequest
	// recordClientStats
	// respondToHealthCheck
	// applyTrafficControl
	// virtual host parley <nil>
}
