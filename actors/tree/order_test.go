package tree

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// key is 8 bytes of inverted time and 16 of id, as the indexes use.
func key(time int) []byte {
	k := binary.BigEndian.AppendUint64(make([]byte, 0, 24), ^uint64(time))
	k = binary.BigEndian.AppendUint64(k, uint64(time)*0x9e3779b97f4a7c15)
	return binary.BigEndian.AppendUint64(k, uint64(time))
}

// filled has n keys inserted newest first. It does not watch for changed blocks.
func filled(n, entries int) (*memPager, Tree, [][]byte) {
	p := newPager()
	p.sums = nil
	tr := Tree{P: p, Max: entries}
	keys := make([][]byte, n)
	for i := range n {
		keys[n-1-i] = key(i)
		tr.Insert(keys[n-1-i])
	}
	return p, tr, keys
}

// TestNewestFirst holds the figures of the package comment.
func TestNewestFirst(t *testing.T) {
	const n = 200_000
	p, tr, keys := filled(n, 0)
	depth := p.verify(t, tr, keys)
	leaves := 0
	for _, b := range p.blocks {
		if b.Leaf {
			leaves++
		}
	}
	fill := float64(n) / float64(leaves*128)
	written := float64(p.written) / n
	t.Logf("%d keys: depth %d, %d blocks, leaves %.1f %% full, %.1f keys written for one", n, depth, len(p.blocks), 100*fill, written)
	if depth != 3 || fill < 0.75 || written > 82 {
		t.Errorf("got depth %d, fill %.2f, %.1f keys written; want 3, 0.75 and 82", depth, fill, written)
	}
	for _, page := range []int{0, 1, 20, 2000, n/50 - 1} {
		clear(p.seen)
		got := tr.Page(page*50, 50)
		if !slices.EqualFunc(got, keys[page*50:page*50+50], bytes.Equal) {
			t.Errorf("page %d differs", page)
		}
		// 50 keys lie in at most three leaves, and these under at most two blocks.
		if len(p.seen) > depth+3 {
			t.Errorf("page %d read %d blocks at depth %d", page, len(p.seen), depth)
		}
	}
}

// TestOldestFirst: a mailbox moved here from its newest message down extends the other end.
func TestOldestFirst(t *testing.T) {
	const n = 20_000
	p := newPager()
	tr := Tree{P: p}
	var keys [][]byte
	for i := range n {
		keys = append(keys, key(n-i))
		tr.Insert(keys[i])
	}
	p.verify(t, tr, keys)
	if most := n/97 + 5; len(p.blocks) > most {
		t.Errorf("got %d blocks, want at most %d", len(p.blocks), most)
	}
}

// TestEmptied deletes everything in orders that hurt, checking shape on the way.
func TestEmptied(t *testing.T) {
	const n = 3000
	orders := map[string]func(i, left int) int{
		"newest":  func(_, left int) int { return 0 },
		"oldest":  func(_, left int) int { return left - 1 },
		"middle":  func(_, left int) int { return left / 2 },
		"ends":    func(i, left int) int { return i % 2 * (left - 1) },
		"strides": func(i, left int) int { return i * 31 % left },
		"random":  func(i, left int) int { return rand.New(rand.NewPCG(1, uint64(i))).IntN(left) },
	}
	for name, pick := range orders {
		for _, entries := range []int{4, 16, 128} {
			t.Run(fmt.Sprintf("%s/max=%d", name, entries), func(t *testing.T) { emptied(t, n, entries, pick) })
		}
	}
}

func emptied(t *testing.T, n, entries int, pick func(i, left int) int) {
	p, tr, keys := filled(n, entries)
	for i := range n {
		at := pick(i, len(keys))
		if !tr.Delete(keys[at]) {
			t.Fatalf("key %x was not there", keys[at])
		}
		keys = slices.Delete(keys, at, at+1)
		if i%97 == 0 || len(keys) < 20 {
			p.verify(t, tr, keys)
		}
	}
	if root := p.blocks[0]; len(p.blocks) != 1 || root.entries() != 0 || root.Next < 2 {
		t.Errorf("got %d blocks and root %+v, want the empty root alone with Next kept", len(p.blocks), root)
	}
}

// TestSmallLeavesNothing: a tree that never split ends without a cell.
func TestSmallLeavesNothing(t *testing.T) {
	p, tr, keys := filled(128, 128)
	for _, k := range keys {
		tr.Delete(k)
	}
	if len(p.blocks) != 0 {
		t.Errorf("got %d blocks, want none", len(p.blocks))
	}
}

// TestNoThrash: deliveries and deletions in turn at the newest end seldom change the shape.
func TestNoThrash(t *testing.T) {
	for n := 120; n < 400; n++ {
		p, tr, _ := filled(n, 128)
		shapes := 0
		for i := range 100 {
			before := len(p.used)
			blocks := len(p.blocks)
			tr.Insert(key(n + i%2))
			tr.Delete(key(n + i%2))
			if len(p.used) != before || len(p.blocks) != blocks {
				shapes++
			}
		}
		if shapes > 2 {
			t.Fatalf("%d keys: the shape changed %d times in 100 turns", n, shapes)
		}
	}
}
