package tree

import (
	"fmt"
	"maps"
	"testing"
)

// plainPager is the least a pager can cost.
type plainPager map[uint32]*Block

func (p plainPager) Block(n uint32) (*Block, bool) { return p[n], true }

func (p plainPager) Put(n uint32, b *Block) {
	if b == nil {
		delete(p, n)
		return
	}
	p[n] = b
}

var sizes = []int{1000, 100_000, 1_000_000}

func plain(n int) plainPager {
	p := plainPager{}
	for i := range n {
		Tree{P: p}.Insert(key(i))
	}
	return p
}

// BenchmarkInsert adds newest first. Each tenth of the size the tree starts over, so that
// it stays as large as its name says.
func BenchmarkInsert(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			full := plain(n)
			p, i := maps.Clone(full), 0
			b.ReportAllocs()
			for b.Loop() {
				Tree{P: p}.Insert(key(n + i))
				if i++; i == n/10 {
					b.StopTimer()
					p, i = maps.Clone(full), 0
					b.StartTimer()
				}
			}
			b.ReportMetric(float64(levels(p)), "levels")
		})
	}
}

// BenchmarkMove takes a thread from anywhere to the newest place, as an answer does.
func BenchmarkMove(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			p := plain(n)
			at := make([]int, n)
			for i := range at {
				at[i] = i
			}
			i := n
			b.ReportAllocs()
			for b.Loop() {
				slot := i * 7919 % n
				Tree{P: p}.Delete(key(at[slot]))
				Tree{P: p}.Insert(key(i))
				at[slot] = i
				i++
			}
			b.ReportMetric(float64(n)/float64(len(p)*128)*100, "%full")
		})
	}
}

// BenchmarkPage reads 50 keys in the middle.
func BenchmarkPage(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			p := plain(n)
			b.ReportAllocs()
			for b.Loop() {
				Tree{P: p}.Page(n/2, 50)
			}
		})
	}
}

func levels(p plainPager) int {
	d := 1
	for b := p[0]; !b.Leaf; b = p[b.Children[0]] {
		d++
	}
	return d
}
