package tree

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unsafe"
)

// MaxKey is the longest key in bytes.
const MaxKey = 64

// Block is one cell of a tree. Once put it never changes: mutations work on copies.
// A leaf has Keys only. An inner block has one key fewer than children: Keys[i] is above
// all keys under Children[i] and not above any under Children[i+1].
type Block struct {
	Leaf     bool
	Keys     [][]byte
	Children []uint32
	Counts   []uint64 // keys under each child
	Next     uint32   // root only: the lowest id not handed out yet; 0 is read as 1
}

// Size estimates the bytes a block holds in memory.
func (b *Block) Size() int {
	n := int(unsafe.Sizeof(*b)) + 4*cap(b.Children) + 8*cap(b.Counts) + int(unsafe.Sizeof([]byte(nil)))*cap(b.Keys)
	for _, k := range b.Keys {
		n += cap(k)
	}
	return n
}

var errShape = errors.New("tree: children, counts and keys do not fit together")

// Check reports what makes a decoded block unusable. A block that passes cannot make the
// tree index out of bounds.
func (b *Block) Check() error {
	inner := len(b.Children) >= 2 && len(b.Keys) == len(b.Children)-1 && len(b.Counts) == len(b.Children)
	if b.Leaf && len(b.Children)+len(b.Counts) > 0 || !b.Leaf && !inner {
		return errShape
	}
	if slices.Contains(b.Children, 0) {
		return errors.New("tree: the root is nobody's child")
	}
	for i, k := range b.Keys {
		if len(k) == 0 || len(k) > MaxKey {
			return fmt.Errorf("tree: key %d has %d bytes", i, len(k))
		}
		if i > 0 && bytes.Compare(b.Keys[i-1], k) >= 0 {
			return fmt.Errorf("tree: key %d is out of order", i)
		}
	}
	return nil
}

// entries is what Max bounds: keys of a leaf, children of an inner block.
func (b *Block) entries() int {
	if b.Leaf {
		return len(b.Keys)
	}
	return len(b.Children)
}

// total counts the keys in and under the block.
func (b *Block) total() uint64 {
	if b.Leaf {
		return uint64(len(b.Keys))
	}
	return sum(b.Counts)
}

func sum(counts []uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// find gives the place of key in a leaf and whether it is there, or in an inner
// block the child to look under.
func (b *Block) find(key []byte) (int, bool) {
	i, found := slices.BinarySearchFunc(b.Keys, key, bytes.Compare)
	if found && !b.Leaf {
		i++
	}
	return i, found
}

// clone copies the block with room for one entry more.
func (b *Block) clone() *Block {
	c := &Block{Leaf: b.Leaf, Keys: append(make([][]byte, 0, len(b.Keys)+1), b.Keys...)}
	if !b.Leaf {
		c.Children = append(make([]uint32, 0, len(b.Children)+1), b.Children...)
		c.Counts = append(make([]uint64, 0, len(b.Counts)+1), b.Counts...)
	}
	return c
}

// split cuts the block before entry at. The halves share no memory, so that
// neither keeps the other alive.
func (b *Block) split(at int) (l, r *Block, sep []byte) {
	l, r = &Block{Leaf: b.Leaf}, &Block{Leaf: b.Leaf}
	if b.Leaf {
		l.Keys, r.Keys = slices.Clone(b.Keys[:at]), slices.Clone(b.Keys[at:])
		return l, r, r.Keys[0]
	}
	l.Keys, r.Keys = slices.Clone(b.Keys[:at-1]), slices.Clone(b.Keys[at:])
	l.Children, r.Children = slices.Clone(b.Children[:at]), slices.Clone(b.Children[at:])
	l.Counts, r.Counts = slices.Clone(b.Counts[:at]), slices.Clone(b.Counts[at:])
	return l, r, b.Keys[at-1]
}

// join undoes split.
func join(l, r *Block, sep []byte) *Block {
	b := &Block{Leaf: l.Leaf}
	if l.Leaf {
		b.Keys = slices.Concat(l.Keys, r.Keys)
		return b
	}
	b.Keys = slices.Concat(l.Keys, [][]byte{sep}, r.Keys)
	b.Children = slices.Concat(l.Children, r.Children)
	b.Counts = slices.Concat(l.Counts, r.Counts)
	return b
}
