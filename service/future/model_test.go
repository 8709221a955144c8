package future

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// wish is the rule about consumers in its plainest form: a tree in which each
// future is a consumer of the one that it was made of, whatever became one inside.
// The rule leaves open whether one who comes to a future that was given up counts
// again: interrupted says when at the earliest the producer hears, unwanted when
// at the latest.
type wish struct {
	of          *wish
	made        []*wish // all consumers ever
	consumers   int     // that have not given up
	interrupted bool
	raised      bool // by its holder, or ended if it is an Await
}

func (w *wish) consumer() *wish {
	c := &wish{of: w}
	w.consumers++
	w.made = append(w.made, c)
	return c
}

func (w *wish) raise() {
	w.raised = true
	w.heard()
}

func (w *wish) heard() {
	if w.consumers > 0 || w.interrupted {
		return
	}
	w.interrupted = true
	if w.of != nil {
		w.of.consumers--
		w.of.heard()
	}
}

func (w *wish) unwanted() bool {
	if len(w.made) == 0 {
		return w.raised
	}
	for _, c := range w.made {
		if !c.unwanted() {
			return false
		}
	}
	return true
}

// holder is a future of the play beside its wish, or a call of Await.
type holder struct {
	wish   *wish
	future *Future[int]
	cancel context.CancelFunc // of an Await; its future is nil
}

// derivations make a consumer of a future; each ends in the same outcome.
func derivations(ctx context.Context) map[string]func(*Future[int]) *Future[int] {
	returned := func(f *Future[int]) *Future[int] {
		return FlatMap(Value(0), func(int) *Future[int] { return f })
	}
	return map[string]func(*Future[int]) *Future[int]{
		"map":      func(f *Future[int]) *Future[int] { return Map(f, plusOne) },
		"share":    Share[int],
		"flatmap":  func(f *Future[int]) *Future[int] { return FlatMap(f, plusOneLater) },
		"returned": returned,
		"become": func(f *Future[int]) *Future[int] {
			p, _ := NewPromise[int](ctx)
			p.Become(f)
			return p.Future()
		},
		"rescuing": func(f *Future[int]) *Future[int] {
			return Rescue(Failure[int](errBroken), func(error) *Future[int] { return f })
		},
	}
}

var derivationNames = []string{"map", "share", "flatmap", "returned", "become", "rescuing"}

// draw is one act of a play, on the holder with that number, modulo how many
// there are.
type draw struct {
	Act string
	Of  int
}

// Any play of deriving, raising and giving up interrupts the producer when the
// plain rule does, and its answer still reaches everyone.
func TestInterestKeepsThePlainRule(t *testing.T) {
	acts := append([]string{"raise", "raise", "raise", "look", "await"}, derivationNames...)
	rapid.Check(t, func(r *rapid.T) {
		play := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) draw {
			return draw{rapid.SampledFrom(acts).Draw(r, "act"), rapid.IntRange(0, 20).Draw(r, "of")}
		}), 1, 30).Draw(r, "play")
		var failure string
		synctest.Test(t, func(t *testing.T) { failure = playInterest(t, play) })
		if failure != "" {
			r.Fatal(failure)
		}
	})
}

func playInterest(t *testing.T, play []draw) string {
	p, ctx := NewPromise[int](t.Context())
	source := &wish{}
	unwanted := false // once is enough
	holders := []*holder{{wish: source, future: p.Future()}}
	for i, d := range play {
		act(t, &holders, d)
		synctest.Wait()
		unwanted = unwanted || source.unwanted()
		if got := ctx.Err() != nil; got && !source.interrupted || !got && unwanted {
			return fmt.Sprintf("act %d, %+v: interrupted %t, may be %t, must be %t", i, d, got, source.interrupted, unwanted)
		}
	}
	p.Set(1, nil)
	synctest.Wait()
	for i, h := range holders {
		if h.cancel != nil {
			h.cancel()
		} else if _, done, _ := h.future.Poll(); !done {
			return fmt.Sprintf("holder %d is not finished", i)
		}
	}
	return ""
}

func act(t *testing.T, holders *[]*holder, d draw) {
	h := (*holders)[d.Of%len(*holders)]
	switch {
	case d.Act == "raise" && h.cancel != nil:
		h.cancel()
		h.wish.raise()
	case d.Act == "raise":
		h.future.Raise(nil)
		h.wish.raise()
	case h.cancel != nil: // nothing derives from an Await
	case d.Act == "look": // what Select gives back it leaves as it was
		Select(h.future, Value(0))
	case d.Act == "await":
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _ = h.future.Await(ctx) }()
		*holders = append(*holders, &holder{h.wish.consumer(), nil, cancel})
	default:
		made := derivations(t.Context())[d.Act](h.future)
		*holders = append(*holders, &holder{h.wish.consumer(), made, nil})
	}
}
