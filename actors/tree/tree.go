package tree

import "fmt"

// Pager hands out blocks of one tree; the state machine implements it over its page cache.
type Pager interface {
	// Block returns the block n, which the caller must not change, and whether it is
	// loaded. A loaded block that does not exist is (nil, true). When not loaded the
	// pager itself remembers that it is needed; the operation then gives up: its
	// result means nothing, and the caller loads and asks again.
	Block(n uint32) (*Block, bool)
	// Put replaces block n (nil removes it).
	Put(n uint32, b *Block)
}

// Tree is a sorted set of keys. It holds nothing itself and is made anew for each use.
type Tree struct {
	P   Pager // required
	Max int   // entries in a block; 0 means 128, else at least 4
}

// maxDepth ends a walk through blocks that a damaged store has tied into a loop.
const maxDepth = 32

// step is one block on the way from the root to a leaf, and the place taken in it.
type step struct {
	n uint32
	b *Block
	i int
}

// Has reports whether key is in the tree.
func (t Tree) Has(key []byte) bool {
	_, found, _ := t.path(key)
	return found
}

// Len counts the keys.
func (t Tree) Len() int {
	root, ok := t.block(0, 0)
	if !ok {
		return 0
	}
	return int(root.total())
}

// Rank counts the keys below key, which need not be in the tree.
func (t Tree) Rank(key []byte) int {
	p, _, _ := t.path(key)
	n := 0
	for _, s := range p {
		if s.b.Leaf {
			n += s.i
		} else {
			n += int(sum(s.b.Counts[:s.i]))
		}
	}
	return n
}

// path walks to the leaf where key is or would be. Without ok a block is missing.
func (t Tree) path(key []byte) (p []step, found, ok bool) {
	p = make([]step, 0, 4)
	for n := uint32(0); ; {
		b, loaded := t.block(n, len(p))
		if !loaded {
			return nil, false, false
		}
		i, found := b.find(key)
		p = append(p, step{n, b, i})
		if b.Leaf {
			return p, found, true
		}
		n = b.Children[i]
	}
}

// block loads block n. A tree without a root is an empty leaf; any other gap is damage.
func (t Tree) block(n uint32, depth int) (*Block, bool) {
	if depth >= maxDepth {
		panic(fmt.Sprintf("tree: block %d is %d levels deep", n, depth))
	}
	b, ok := t.P.Block(n)
	if ok && b == nil {
		if n != 0 {
			panic(fmt.Sprintf("tree: block %d is referred to but does not exist", n))
		}
		b = &Block{Leaf: true}
	}
	return b, ok
}

// putRoot ends a mutation. A root that is empty and never handed out an id is removed.
func (t Tree) putRoot(b *Block, next uint32) {
	if b.Leaf && len(b.Keys) == 0 && next <= 1 {
		b = nil
	} else {
		b.Next = next
	}
	t.P.Put(0, b)
}

func (t Tree) max() int {
	if t.Max == 0 {
		return 128
	}
	return max(t.Max, 4)
}

// min is the fewest entries of a block that is not the root.
func (t Tree) min(leaf bool) int {
	if leaf {
		return t.max() / 4
	}
	return max(t.max()/4, 2)
}
