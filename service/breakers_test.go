package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
)

// toPeer asks one of many peers, which answers with the error that it is told.
type toPeer struct {
	peer string
	err  error
}

func breakersForTest(most int) (*Breakers, func(*testing.T, string, error) error) {
	b := NewBreakers(BreakersConfig{Each: BreakerConfig{Op: "test", Least: 10}, Most: most})
	s := GuardEach[toPeer, string](b, func(r toPeer) string { return r.peer }).AndThen(
		func(_ context.Context, r toPeer) (string, error) { return "answer", r.err })
	return b, func(t *testing.T, peer string, err error) error {
		_, got := s(t.Context(), toPeer{peer, err})
		return got
	}
}

// One peer that fails is left alone; the others are asked as before, and it is
// forgotten once it is well.
func TestGuardEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, ask := breakersForTest(0)
		for range 10 {
			_ = ask(t, "ill", errAway)
		}
		checkRefused(t, ask(t, "ill", nil), parley.Unavailable, 5*time.Second)
		for range 100 {
			if err := ask(t, "well", nil); err != nil {
				t.Fatal(err)
			}
		}
		if got := b.Watched(); got != 1 {
			t.Errorf("%d peers are watched, want 1", got)
		}
		time.Sleep(5 * time.Second)
		for range 3 {
			if err := ask(t, "ill", nil); err != nil {
				t.Fatalf("after the pause: %v", err)
			}
			time.Sleep(20 * time.Second)
		}
		if got := b.Watched(); got != 0 {
			t.Errorf("%d peers are watched, want none", got)
		}
	})
}

// A refusal that is the caller's own fault watches nobody.
func TestGuardEachTakesRefusals(t *testing.T) {
	b, ask := breakersForTest(0)
	for range 50 {
		if err := ask(t, "a", parley.E(parley.NotFound, "test", "no")); parley.CodeOf(err) != parley.NotFound {
			t.Fatal(err)
		}
	}
	if got := b.Watched(); got != 0 {
		t.Errorf("%d peers are watched, want none", got)
	}
}

func TestBreakersAreBounded(t *testing.T) {
	b, ask := breakersForTest(8)
	for n := range 100 {
		if err := ask(t, fmt.Sprint(n), errAway); !errors.Is(err, errAway) {
			t.Fatal(err)
		}
		if got := b.Watched(); got > 8 {
			t.Fatalf("%d peers are watched, want 8 at most", got)
		}
	}
}
