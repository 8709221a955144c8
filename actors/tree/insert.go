package tree

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// Insert adds key, which it copies, and reports whether it was new. It panics if key is
// empty or longer than MaxKey.
func (t Tree) Insert(key []byte) bool {
	if len(key) == 0 || len(key) > MaxKey {
		panic(fmt.Sprintf("tree: a key of %d bytes", len(key)))
	}
	p, found, ok := t.path(key)
	if !ok || found {
		return false
	}
	g := growth{t: t, end: endOf(p), next: nextID(p[0].b)}
	last := len(p) - 1
	b := p[last].b.clone()
	b.Keys = slices.Insert(b.Keys, p[last].i, bytes.Clone(key))
	for d := last; d > 0; d-- {
		b = g.put(p[d].n, b, p[d-1])
	}
	t.putRoot(g.root(b), g.next)
	return true
}

// end says whether an insert extends the tree, so that the next will likely follow it.
type end int8

const (
	inside end = iota
	first
	last
)

func endOf(p []step) end {
	isFirst, isLast := true, true
	for _, s := range p {
		isFirst = isFirst && s.i == 0
		isLast = isLast && (s.i == len(s.b.Keys)) // children are one more than keys
	}
	switch {
	case isFirst:
		return first
	case isLast:
		return last
	}
	return inside
}

// nextID is the lowest id not handed out. It panics long before ids repeat.
func nextID(root *Block) uint32 {
	if root.Next > math.MaxUint32-2*maxDepth {
		panic("tree: block ids are used up")
	}
	return max(root.Next, 1)
}

// growth is one insert on its way up.
type growth struct {
	t    Tree
	end  end
	next uint32
}

// put stores b, grown by one key, as block n and returns its parent as changed.
func (g *growth) put(n uint32, b *Block, parent step) *Block {
	up, i := parent.b.clone(), parent.i
	up.Counts[i]++
	if b.entries() <= g.t.max() {
		g.t.P.Put(n, b)
		return up
	}
	l, r, sep := b.split(g.cut(b))
	up.Counts[i] = l.total()
	up.Keys = slices.Insert(up.Keys, i, sep)
	up.Children = slices.Insert(up.Children, i+1, g.next)
	up.Counts = slices.Insert(up.Counts, i+1, r.total())
	g.t.P.Put(n, l)
	g.t.P.Put(g.next, r)
	g.next++
	return up
}

// root makes the root of b, which moves into two new blocks if it is too large.
func (g *growth) root(b *Block) *Block {
	if b.entries() <= g.t.max() {
		return b
	}
	l, r, sep := b.split(g.cut(b))
	g.t.P.Put(g.next, l)
	g.t.P.Put(g.next+1, r)
	g.next += 2
	return &Block{
		Keys:     [][]byte{sep},
		Children: []uint32{g.next - 2, g.next - 1},
		Counts:   []uint64{l.total(), r.total()},
	}
}

// cut is where a full block splits; the package comment says why.
func (g *growth) cut(b *Block) int {
	switch g.end {
	case first:
		return g.t.min(b.Leaf)
	case last:
		return b.entries() - g.t.min(b.Leaf)
	}
	return b.entries() / 2
}
