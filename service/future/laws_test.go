package future

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// origin describes a future of a law and, with a value added, an asynchronous
// function: ready at once or finished in a step of the schedule.
type origin struct {
	Name  int
	Ready bool
	Fails bool
	Value int
}

// play runs one side of a law and notes what its producers hear.
type play struct {
	ctx      context.Context
	promises map[int]*Promise[int]
	contexts map[int]context.Context
	added    map[int]int
}

func newPlay(ctx context.Context) *play {
	return &play{ctx, map[int]*Promise[int]{}, map[int]context.Context{}, map[int]int{}}
}

func (p *play) outcome(o origin, add int) (int, error) {
	if o.Fails {
		return 0, fmt.Errorf("origin %d with %d", o.Name, add)
	}
	return o.Value + add, nil
}

// future makes what o describes.
func (p *play) future(o origin, add int) *Future[int] {
	v, err := p.outcome(o, add)
	switch {
	case o.Ready && err != nil:
		return Failure[int](err)
	case o.Ready:
		return Value(v)
	}
	p.added[o.Name] = add
	p.promises[o.Name], p.contexts[o.Name] = NewPromise[int](p.ctx)
	return p.promises[o.Name].Future()
}

// function is o as an argument of FlatMap; afterError as one of Rescue.
func (p *play) function(o origin) func(int) *Future[int] {
	return func(n int) *Future[int] { return p.future(o, n) }
}

func (p *play) afterError(o origin) func(error) *Future[int] {
	return func(err error) *Future[int] { return p.future(o, len(err.Error())) }
}

// step of a schedule: finish an origin, or raise (origin 0) on the whole.
type step int

// run gives the trace of a side: after each step, its outcome and what its
// producers have heard.
func (p *play) run(f *Future[int], origins []origin, schedule []step) (trace []string) {
	for _, s := range append([]step{-1}, schedule...) {
		if s == 0 {
			f.Raise(errBored)
		} else if i := slices.IndexFunc(origins, func(o origin) bool { return o.Name == int(s) }); i >= 0 {
			if q := p.promises[int(s)]; q != nil {
				q.Set(p.outcome(origins[i], p.added[int(s)]))
			}
		}
		synctest.Wait()
		v, done, err := f.Poll()
		line := fmt.Sprintf("%d: %t %d %v", s, done, v, err)
		for _, o := range origins {
			if ctx := p.contexts[o.Name]; ctx != nil {
				line += fmt.Sprintf(", %d began, %v", o.Name, context.Cause(ctx))
			}
		}
		trace = append(trace, line)
	}
	return trace
}

func add(n int) func(int) (int, error) {
	return func(v int) (int, error) {
		if v%5 == 4 {
			return 0, errors.New("of no use")
		}
		return v + n, nil
	}
}

// Both sides of each law have the same outcome, begin the same work and
// interrupt the same producers, at every step of any schedule.
func TestLaws(t *testing.T) {
	type side func(p *play, o []origin) *Future[int]
	for _, law := range []struct {
		name        string
		left, right side
	}{
		{
			"map identity",
			func(p *play, o []origin) *Future[int] {
				return Map(p.future(o[0], 0), func(v int) (int, error) { return v, nil })
			},
			func(p *play, o []origin) *Future[int] { return p.future(o[0], 0) },
		},
		{
			"map composition",
			func(p *play, o []origin) *Future[int] { return Map(Map(p.future(o[0], 0), add(3)), add(2)) },
			func(p *play, o []origin) *Future[int] {
				return Map(p.future(o[0], 0), func(v int) (int, error) {
					v, err := add(3)(v)
					if err != nil {
						return 0, err
					}
					return add(2)(v)
				})
			},
		},
		{
			"flatmap right identity, uninterrupted", // an interrupted FlatMap does not begin Value
			func(p *play, o []origin) *Future[int] { return FlatMap(p.future(o[0], 0), Value[int]) },
			func(p *play, o []origin) *Future[int] { return p.future(o[0], 0) },
		},
		{
			"flatmap left identity",
			func(p *play, o []origin) *Future[int] { return FlatMap(Value(1), p.function(o[0])) },
			func(p *play, o []origin) *Future[int] { return p.future(o[0], 1) },
		},
		{
			"flatmap associativity",
			func(p *play, o []origin) *Future[int] {
				return FlatMap(FlatMap(p.future(o[0], 0), p.function(o[1])), p.function(o[2]))
			},
			func(p *play, o []origin) *Future[int] {
				return FlatMap(p.future(o[0], 0), func(v int) *Future[int] {
					return FlatMap(p.future(o[1], v), p.function(o[2]))
				})
			},
		},
		{
			"rescue left identity",
			func(p *play, o []origin) *Future[int] { return Rescue(Failure[int](errBored), p.afterError(o[0])) },
			func(p *play, o []origin) *Future[int] { return p.afterError(o[0])(errBored) },
		},
		{
			"promise becomes",
			func(p *play, o []origin) *Future[int] {
				q, _ := NewPromise[int](p.ctx)
				q.Become(FlatMap(p.future(o[0], 0), p.function(o[1])))
				return q.Future()
			},
			func(p *play, o []origin) *Future[int] { return FlatMap(p.future(o[0], 0), p.function(o[1])) },
		},
		{
			"collect of one",
			func(p *play, o []origin) *Future[int] {
				return Map(Collect(p.future(o[0], 0)), func(v []int) (int, error) { return v[0], nil })
			},
			func(p *play, o []origin) *Future[int] { return p.future(o[0], 0) },
		},
		{
			"share",
			func(p *play, o []origin) *Future[int] { return Share(FlatMap(p.future(o[0], 0), p.function(o[1]))) },
			func(p *play, o []origin) *Future[int] { return FlatMap(p.future(o[0], 0), p.function(o[1])) },
		},
	} {
		t.Run(law.name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				origins := drawOrigins(r)
				least := step(0)
				if strings.HasSuffix(law.name, "uninterrupted") {
					least = 1
				}
				schedule := rapid.SliceOfN(rapid.SampledFrom([]step{least, 1, 2, 3}), 0, 6).Draw(r, "schedule")
				var got, want []string
				synctest.Test(t, func(t *testing.T) {
					left, right := newPlay(t.Context()), newPlay(t.Context())
					got = left.run(law.left(left, origins), origins, schedule)
					want = right.run(law.right(right, origins), origins, schedule)
				})
				if !slices.Equal(got, want) {
					r.Fatalf("left  %q\nright %q", got, want)
				}
			})
		})
	}
}

func drawOrigins(r *rapid.T) []origin {
	origins := make([]origin, 3)
	for i := range origins {
		origins[i] = origin{
			Name:  i + 1,
			Ready: rapid.Bool().Draw(r, "ready"),
			Fails: rapid.IntRange(0, 3).Draw(r, "fails") == 0,
			Value: rapid.IntRange(0, 9).Draw(r, "value"),
		}
	}
	return origins
}
