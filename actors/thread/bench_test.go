package thread

import (
	"fmt"
	"testing"
	"time"
)

func BenchmarkPost(b *testing.B) {
	for _, n := range []int{2, 50, 500} {
		b.Run(fmt.Sprintf("participants=%d", n), func(b *testing.B) {
			s, _ := room(b, n-1, 0, 0)
			b.ReportAllocs()
			at := year
			for i := 0; b.Loop(); i++ {
				at = at.Add(time.Minute)
				do(b, s, Post{Cmd: command(i, at), Author: "ana", Message: "m", Text: "hello", Roster: 1}, at)
			}
		})
	}
}

// BenchmarkFanOut is what one post costs on its way to everyone, cursors included.
func BenchmarkFanOut(b *testing.B) {
	for _, n := range []int{50, 500} {
		b.Run(fmt.Sprintf("participants=%d", n), func(b *testing.B) {
			s, log := room(b, n-1, 1, time.Minute)
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range s.parts {
					s.Came(Came{p.Account, 1})
				}
				for _, l := range s.Lagging() {
					s.Deliveries(l.Account, log[l.Last:])
					s.Came(Came{l.Account, s.Last()})
				}
				s.cursors()
			}
		})
	}
}

// BenchmarkFlush makes every page of a large room but the chunks of keys.
func BenchmarkFlush(b *testing.B) {
	s, _ := room(b, 499, 1000, time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		s.Clean()
		s.dirty = dirt{room: true, stamps: true, parts: true, cursors: true}
		s.Dirty()
	}
}
