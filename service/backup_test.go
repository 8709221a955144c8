package service

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service/future"
)

// scripted is a peer whose n-th request takes as long, and ends, as told.
type scripted struct {
	took  []time.Duration
	errs  []error
	calls atomic.Int64
	ended []error // cause for which the context of a request ended early
}

func (p *scripted) serve(ctx context.Context, _ string) (string, error) {
	n := int(p.calls.Add(1)) - 1
	select {
	case <-ctx.Done():
		p.ended[n] = context.Cause(ctx)
		return "", parley.Wrap(parley.Unavailable, "test", ctx.Err())
	case <-time.After(p.took[n]):
		if p.errs[n] != nil {
			return "", p.errs[n]
		}
		return fmt.Sprint("answer ", n), nil
	}
}

func (p *scripted) add(took time.Duration, err error) {
	p.took, p.errs, p.ended = append(p.took, took), append(p.errs, err), append(p.ended, nil)
}

const ms = time.Millisecond

// What happens after a hundred requests, of which 94 took 10 ms and the others 40.
func TestBackup(t *testing.T) {
	refused := parley.E(parley.NotFound, "test", "no")
	for _, tc := range []struct {
		name        string
		took        [2]time.Duration // by the request and its back-up
		errs        [2]error
		want        string
		after       time.Duration
		sent, won   count
		loserCaused error // of the slower
	}{
		{"fast", [2]time.Duration{20 * ms}, [2]error{}, "answer 100 <nil>", 20 * ms, 0, 0, nil},
		{"back-up wins", [2]time.Duration{time.Hour, 5 * ms}, [2]error{}, "answer 101 <nil>", 45 * ms, 1, 1, errSlower},
		{"back-up loses", [2]time.Duration{60 * ms, time.Hour}, [2]error{}, "answer 100 <nil>", 60 * ms, 1, 0, errSlower},
		{"a refusal is an answer", [2]time.Duration{time.Hour, 5 * ms}, [2]error{nil, refused}, " test: no", 45 * ms, 1, 1, errSlower},
		{"back-up fails", [2]time.Duration{60 * ms, 5 * ms}, [2]error{nil, errAway}, "answer 100 <nil>", 60 * ms, 1, 0, nil},
		{"first fails", [2]time.Duration{60 * ms, 50 * ms}, [2]error{errAway, nil}, "answer 101 <nil>", 90 * ms, 1, 1, nil},
		{"both fail", [2]time.Duration{60 * ms, 5 * ms}, [2]error{errAway, errAway}, " test: away", 60 * ms, 1, 0, nil},
		{"fails early", [2]time.Duration{5 * ms}, [2]error{errAway}, " test: away", 5 * ms, 0, 0, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // ends only when the loser has
				p := &scripted{}
				var sent, won count
				s := Backup[string, string](BackupConfig{Sent: &sent, Won: &won}).AndThen(p.serve)
				for n := range 100 {
					p.add(10*ms, nil)
					if n%16 == 15 {
						p.took[n] = 40 * ms
					}
					_, _ = s(t.Context(), "")
				}
				p.add(tc.took[0], tc.errs[0])
				p.add(tc.took[1], tc.errs[1])
				start := time.Now()
				reply, err := s(t.Context(), "")
				took := time.Since(start).Truncate(5 * ms) // the percentile is not exact
				synctest.Wait()
				if got := fmt.Sprint(reply, " ", err); got != tc.want || took != tc.after || sent != tc.sent || won != tc.won {
					t.Errorf("got %s after %v, %d sent, %d won; want %s, %v, %d, %d", got, took, sent, won, tc.want, tc.after, tc.sent, tc.won)
				}
				if ended := p.ended[100:]; slices.Contains(ended, error(errSlower)) != (tc.loserCaused != nil) {
					t.Errorf("ended for %v, want %v", ended, tc.loserCaused)
				}
			})
		})
	}
}

// Of a peer that has a long tail, most of it is cut, for a bounded extra load.
func TestBackupCutsTheTail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		tail := Service[string, string](func(ctx context.Context, _ string) (string, error) {
			random := rand.New(rand.NewPCG(1, uint64(calls.Add(1))))
			took := 10*ms + time.Duration(random.Int64N(int64(5*ms)))
			if random.Int64N(100) < 3 {
				took = time.Second
			}
			return sleeper(ctx, took)
		})
		s := Backup[string, string](BackupConfig{}).AndThen(tail)
		slow := 0
		for range 5000 {
			start := time.Now()
			if _, err := s(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			if time.Since(start) > 100*ms {
				slow++
			}
		}
		if slow > 30 {
			t.Errorf("%d of 5000 were slow, want about 5 instead of 150, and those of the first hundred", slow)
		}
		if extra := calls.Load() - 5000; extra < 50 || extra > 510 {
			t.Errorf("%d requests more than asked for, want at most a tenth", extra)
		}
		// When all get slow, the budget holds until the percentile has followed.
		slower := Service[string, string](func(ctx context.Context, _ string) (string, error) {
			calls.Add(1)
			return sleeper(ctx, 3*time.Second)
		})
		turned := Service[string, string](tail)
		s = Backup[string, string](BackupConfig{Window: time.Hour}).AndThen(func(ctx context.Context, r string) (string, error) { return turned(ctx, r) })
		for range 1000 {
			_, _ = s(t.Context(), "")
		}
		synctest.Wait() // the losers have read turned
		turned = slower
		calls.Store(0)
		for range 100 {
			_, _ = s(t.Context(), "")
		}
		if extra := calls.Load() - 100; extra > 20 {
			t.Errorf("%d extra for 100 of a slow peer, want a burst of 10 and a tenth", extra)
		}
	})
}

// The caller's end is that of both; the services' answers to it are waited for.
func TestBackupObeysItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &scripted{}
		var sent count
		s := Backup[string, string](BackupConfig{Least: 1, Sent: &sent}).AndThen(p.serve)
		p.add(10*ms, nil)
		_, _ = s(t.Context(), "")
		p.add(time.Hour, nil)
		p.add(time.Hour, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s(ctx, "")
		if parley.CodeOf(err) != parley.Unavailable || p.calls.Load() != 3 {
			t.Errorf("got %v after %d requests, want an Unavailable after 3", err, p.calls.Load())
		}
		if got := fmt.Sprint(p.ended[1:]); got != "[context deadline exceeded context deadline exceeded]" {
			t.Errorf("the requests ended for %s", got)
		}
		sent = 0
		took := 10 * ms
		s = Backup[string, string](BackupConfig{Least: 1, Sent: &sent}).AndThen(func(context.Context, string) (string, error) {
			time.Sleep(took) // whatever its context says
			took = time.Hour
			return "late", nil
		})
		ctx, cancel = context.WithTimeout(t.Context(), 11*ms)
		defer cancel()
		_, _ = s(ctx, "")
		if reply, err := s(ctx, ""); reply != "late" || err != nil || sent != 0 {
			t.Errorf("over before it was slow: got %q, %v, %d sent; want the late answer, none", reply, err, sent)
		}
	})
}

// A panic on the goroutine of a future costs one request and is reported once.
func TestPanicOfAFutureIsReported(t *testing.T) {
	var panics count
	cfg := RecoverConfig{Op: "test", Panics: &panics}
	s := Chain(Recover[string, string](cfg), Recover[string, string](cfg)).AndThen(func(ctx context.Context, r string) (string, error) {
		return Service[string, string](breaks).Go(ctx, r).Await(ctx)
	})
	_, err := s(t.Context(), "xx")
	if parley.CodeOf(err) != parley.Internal || panics != 1 {
		t.Errorf("got %v, %d counted; want an Internal, 1", err, panics)
	}
	if _, err := future.Value(1).Await(t.Context()); err != nil {
		t.Error(err)
	}
}

// What counts as a latency: answers, and what was ended for being slow.
func TestTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newLatencies(time.Hour)
		s := timed[error, string](seen).AndThen(told)
		ask := func(err error) int {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, _ = s(ctx, err)
			_, n := seen.quantile(100, time.Now())
			return n
		}
		got := []int{ask(nil), ask(errAway), ask(parley.E(parley.NotFound, "test", "no")), ask(parley.E(parley.Internal, "test", "")), ask(errWait)}
		if want := []int{1, 1, 2, 2, 3}; !slices.Equal(got, want) {
			t.Errorf("seen %v, want %v", got, want)
		}
		if slowest, _ := seen.quantile(100, time.Now()); slowest < time.Second {
			t.Errorf("the slowest took %v, want a second", slowest)
		}
	})
}

func TestLatencies(t *testing.T) {
	l := newLatencies(6 * time.Second)
	now := time.Unix(1000, 0)
	if _, n := l.quantile(95, now); n != 0 {
		t.Errorf("%d seen of nothing", n)
	}
	for i := range 1000 {
		l.add(time.Duration(i+1)*ms, now)
	}
	for percent, want := range map[int]time.Duration{1: 10 * ms, 50: 500 * ms, 95: 950 * ms, 100: time.Second} {
		if got, n := l.quantile(percent, now); got < want || got > want*9/8 || n != 1000 {
			t.Errorf("%d%% of %d: got %v, want %v and at most an eighth more", percent, n, got, want)
		}
	}
	// What is older than the window does not count.
	for s := range 5 {
		l.add(time.Millisecond, now.Add(time.Duration(s+1)*time.Second))
	}
	if got, n := l.quantile(95, now.Add(6*time.Second)); n != 5 || got > 2*ms {
		t.Errorf("got %v of %d, want 1ms of 5", got, n)
	}
	if _, n := l.quantile(95, now.Add(time.Hour)); n != 0 {
		t.Errorf("%d seen an hour later", n)
	}
	for _, d := range []time.Duration{-1, 0, 1, 8, 9, 1023, time.Second, 1<<63 - 1} {
		if b := bucket(d); b < 0 || b >= durationBuckets || d < 1<<62 && (ceiling(b) <= d || d > 8 && ceiling(b) > d+d/8+1) {
			t.Errorf("%d lies in bucket %d, below %d", d, b, ceiling(b))
		}
	}
}
