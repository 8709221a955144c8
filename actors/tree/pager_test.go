package tree

import (
	"bytes"
	"hash/maphash"
	"maps"
	"slices"
)

// fataler is a test or a rapid check.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// memPager keeps blocks in a map. Blocks that are evicted are not loaded until load.
type memPager struct {
	blocks  map[uint32]*Block
	sums    map[uint32]uint64 // of each block when it was put; nil leaves this out
	evicted map[uint32]bool
	wanted  map[uint32]bool
	seen    map[uint32]int  // blocks read by this operation
	asked   map[uint32]bool // blocks it had to load
	puts    int
	written int             // keys in the leaves put
	used    map[uint32]bool // every id ever put
	reused  []uint32
}

func newPager() *memPager {
	return &memPager{
		blocks: map[uint32]*Block{}, sums: map[uint32]uint64{}, evicted: map[uint32]bool{},
		wanted: map[uint32]bool{}, asked: map[uint32]bool{}, seen: map[uint32]int{}, used: map[uint32]bool{},
	}
}

func (p *memPager) Block(n uint32) (*Block, bool) {
	p.seen[n]++
	if p.evicted[n] {
		p.wanted[n] = true
		return nil, false
	}
	return p.blocks[n], true
}

func (p *memPager) Put(n uint32, b *Block) {
	p.puts++
	if b == nil {
		delete(p.blocks, n)
		return
	}
	if n != 0 && p.blocks[n] == nil && p.used[n] {
		p.reused = append(p.reused, n)
	}
	p.blocks[n], p.used[n] = b, true
	if p.sums != nil {
		p.sums[n] = fingerprint(b)
	}
	if b.Leaf {
		p.written += len(b.Keys)
	}
}

// do runs op as a state machine does: again and again until no block was missing. It
// returns the number of rounds of loading.
func (p *memPager) do(t fataler, op func()) int {
	clear(p.asked)
	for rounds := 0; ; rounds++ {
		clear(p.seen)
		p.puts = 0
		op()
		if len(p.wanted) == 0 {
			return rounds
		}
		if p.puts > 0 {
			t.Fatalf("an operation that lacked blocks %v put %d", slices.Collect(maps.Keys(p.wanted)), p.puts)
		}
		for n := range p.wanted {
			delete(p.evicted, n)
			p.asked[n] = true
		}
		clear(p.wanted)
	}
}

func (p *memPager) evictAll() {
	p.evicted[0] = true
	for n := range p.blocks {
		p.evicted[n] = true
	}
}

var seed = maphash.MakeSeed()

func fingerprint(b *Block) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, [2]any{b.Leaf, b.Next})
	for _, c := range b.Children {
		maphash.WriteComparable(&h, c)
	}
	for _, c := range b.Counts {
		maphash.WriteComparable(&h, c)
	}
	for _, k := range b.Keys {
		h.WriteByte(byte(len(k)))
		h.Write(k)
	}
	return h.Sum64()
}

// verify walks the whole tree past the pager and holds it to the package comment. It
// returns the depth.
func (p *memPager) verify(t fataler, tr Tree, want [][]byte) int {
	t.Helper()
	if len(p.reused) > 0 {
		t.Fatalf("ids handed out twice: %v", p.reused)
	}
	v := verifier{t: t, p: p, tr: tr, depth: -1, live: map[uint32]bool{}}
	if root := p.blocks[0]; root != nil {
		v.walk(0, 0, nil, nil)
	}
	if len(v.live) != len(p.blocks) {
		t.Fatalf("got %d blocks, reached %d", len(p.blocks), len(v.live))
	}
	if !slices.EqualFunc(v.keys, want, bytes.Equal) {
		t.Fatalf("got keys %x, want %x", v.keys, want)
	}
	return v.depth + 1
}

type verifier struct {
	t     fataler
	p     *memPager
	tr    Tree
	depth int
	live  map[uint32]bool
	keys  [][]byte
}

func (v *verifier) walk(n uint32, depth int, lo, hi []byte) uint64 {
	v.t.Helper()
	b := v.p.blocks[n]
	switch {
	case b == nil || v.live[n]:
		v.t.Fatalf("block %d is missing or has two parents", n)
	case b.Check() != nil:
		v.t.Fatalf("block %d: %v", n, b.Check())
	case v.p.sums != nil && fingerprint(b) != v.p.sums[n]:
		v.t.Fatalf("block %d changed after it was put", n)
	case b.entries() > v.tr.max() || n != 0 && b.entries() < v.tr.min(b.Leaf):
		v.t.Fatalf("block %d has %d entries", n, b.entries())
	case n >= max(v.p.blocks[0].Next, 1) || n != 0 && b.Next != 0:
		v.t.Fatalf("block %d: Next is %d, the root's %d", n, b.Next, v.p.blocks[0].Next)
	}
	for _, k := range b.Keys {
		if lo != nil && bytes.Compare(k, lo) < 0 || hi != nil && bytes.Compare(k, hi) >= 0 {
			v.t.Fatalf("block %d: key %x outside [%x, %x)", n, k, lo, hi)
		}
	}
	v.live[n] = true
	if b.Leaf {
		if v.depth >= 0 && v.depth != depth {
			v.t.Fatalf("leaf %d at depth %d, others at %d", n, depth, v.depth)
		}
		v.depth = depth
		v.keys = append(v.keys, b.Keys...)
		return uint64(len(b.Keys))
	}
	var total uint64
	bounds := slices.Concat([][]byte{lo}, b.Keys, [][]byte{hi})
	for i, c := range b.Children {
		got := v.walk(c, depth+1, bounds[i], bounds[i+1])
		if got != b.Counts[i] {
			v.t.Fatalf("block %d: child %d counts %d, has %d", n, i, b.Counts[i], got)
		}
		total += got
	}
	return total
}
