package bench

import (
	"fmt"
	"testing"
)

// BenchmarkCommand takes the loads as fast as they go, with their syncs and
// without. ns/op is of all callers together.
func BenchmarkCommand(b *testing.B) {
	for _, l := range loads() {
		for _, noSync := range []bool{false, true} {
			for _, callers := range []int{1, 64} {
				b.Run(fmt.Sprintf("%s/sync=%t/callers=%d", l.name, !noSync, callers), func(b *testing.B) {
					benchmarkLoad(b, l, callers, noSync)
				})
			}
		}
	}
}

func benchmarkLoad(b *testing.B, l load, callers int, noSync bool) {
	disk := onDisk()
	h, err := open(houseConfig{fs: disk, dir: b.TempDir(), people: l.people * callers, noSync: noSync})
	if err != nil {
		b.Fatal(err)
	}
	defer shut(b, h)
	s, err := l.prepare(b.Context(), h, callers)
	if err == nil {
		err = s.rounds(b.Context(), callers, 1)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	before, syncs := h.store.now(), disk.Syncs()
	b.ResetTimer()
	rounds := (b.N + callers - 1) / callers
	if err := s.rounds(b.Context(), callers, rounds); err != nil {
		b.Fatal(err)
	}
	done, spent := float64(rounds*callers), h.store.now().since(before)
	b.ReportMetric(float64(spent.Commits)/done, "commits/op")
	b.ReportMetric(float64(spent.BytesPut)/done, "putB/op")
	if n := disk.Syncs() - syncs; !noSync && n > 0 {
		b.ReportMetric(done/float64(n), "ops/sync")
	}
}

func shut(b testing.TB, h *house) {
	b.Helper()
	if err := h.close(); err != nil {
		b.Error(err)
	}
}

// BenchmarkFanOut posts in a room until all copies have it.
func BenchmarkFanOut(b *testing.B) {
	for _, size := range []int{2, 50} {
		b.Run(fmt.Sprintf("participants=%d", size), func(b *testing.B) {
			h, room, err := roomOf(b.Context(), size)
			if err != nil {
				b.Fatal(err)
			}
			defer shut(b, h)
			others, err := h.followAll(b.Context(), 1, size)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := h.watch(b.Context(), room, others, i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLook looks at a mailbox that an activation holds.
func BenchmarkLook(b *testing.B) {
	r, err := fill(b.Context(), 5000, 20)
	if err != nil {
		b.Fatal(err)
	}
	defer shut(b, r.house)
	for _, g := range glances(20) {
		b.Run(g.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := g.do(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLoad reads the newest page of a mailbox that none holds: what a
// passivated one costs its first reader.
func BenchmarkLoad(b *testing.B) {
	r, err := fill(b.Context(), 5000, 2)
	if err != nil {
		b.Fatal(err)
	}
	defer shut(b, r.house)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.cold(b.Context()); err != nil {
			b.Fatal(err)
		}
		if _, err := r.inbox(b.Context(), ""); err != nil {
			b.Fatal(err)
		}
	}
}
