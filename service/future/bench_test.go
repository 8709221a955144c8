package future

import (
	"context"
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"
)

func BenchmarkMap(b *testing.B) {
	b.Run("finished", func(b *testing.B) {
		b.ReportAllocs()
		f := Value(1)
		for b.Loop() {
			Map(f, plusOne)
		}
	})
	b.Run("pending", func(b *testing.B) { // beside BenchmarkPromise
		b.ReportAllocs()
		for b.Loop() {
			p, _ := NewPromise[int](b.Context())
			Map(p.Future(), plusOne)
			p.Set(1, nil)
		}
	})
	b.Run("goroutine", func(b *testing.B) {
		b.ReportAllocs()
		in := make(chan int, 1)
		for b.Loop() {
			in <- 1
			out := make(chan int, 1)
			go func() { n, _ := plusOne(<-in); out <- n }()
			<-out
		}
	})
}

func BenchmarkPromise(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p, _ := NewPromise[int](b.Context())
		p.Set(1, nil)
	}
}

func BenchmarkFlatMap(b *testing.B) {
	for _, depth := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			b.ReportAllocs()
			var loop func(n int) *Future[int]
			loop = func(n int) *Future[int] {
				if n == depth {
					return Value(n)
				}
				return FlatMap(Value(n+1), loop)
			}
			for b.Loop() {
				_, _ = loop(0).Await(b.Context())
			}
		})
		b.Run(fmt.Sprintf("goroutines/depth=%d", depth), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for n := 0; n < depth; {
					out := make(chan int, 1)
					go func() { out <- n + 1 }()
					n = <-out
				}
			}
		})
	}
}

func answer(context.Context) (int, error) { return 1, nil }

func BenchmarkGo(b *testing.B) {
	b.Run("future", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = Go(b.Context(), answer).Await(b.Context())
		}
	})
	b.Run("goroutine", func(b *testing.B) { // with a context to cancel, as Go has
		b.ReportAllocs()
		for b.Loop() {
			ctx, cancel := context.WithCancelCause(b.Context())
			out := make(chan int, 1)
			go func() { n, _ := answer(ctx); out <- n }()
			<-out
			cancel(nil)
		}
	})
}

func BenchmarkCollect(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			futures := make([]*Future[int], n)
			for b.Loop() {
				for i := range futures {
					futures[i] = Go(b.Context(), answer)
				}
				_, _ = Collect(futures...).Await(b.Context())
			}
		})
		b.Run(fmt.Sprintf("gather/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			items := make([]int, n)
			for b.Loop() {
				_, _ = Gather(b.Context(), 8, items, func(ctx context.Context, _ int) (int, error) { return answer(ctx) }).Await(b.Context())
			}
		})
		b.Run(fmt.Sprintf("errgroup/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g, ctx := errgroup.WithContext(b.Context())
				values := make([]int, n)
				for i := range values {
					g.Go(func() (err error) { values[i], err = answer(ctx); return err })
				}
				_ = g.Wait()
			}
		})
	}
}
