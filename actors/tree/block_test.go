package tree

import (
	"bytes"
	"fmt"
	"testing"
)

func TestCheck(t *testing.T) {
	a, b := []byte("a"), []byte("b")
	for _, tc := range []struct {
		name  string
		block Block
		ok    bool
	}{
		{"empty root", Block{Leaf: true, Next: 3}, true},
		{"leaf", Block{Leaf: true, Keys: [][]byte{a, b}}, true},
		{"inner", Block{Keys: [][]byte{b}, Children: []uint32{1, 2}, Counts: []uint64{1, 1}}, true},
		{"leaf with children", Block{Leaf: true, Children: []uint32{1}}, false},
		{"inner without children", Block{}, false},
		{"one child", Block{Children: []uint32{1}, Counts: []uint64{1}}, false},
		{"counts missing", Block{Keys: [][]byte{b}, Children: []uint32{1, 2}, Counts: []uint64{1}}, false},
		{"root as child", Block{Keys: [][]byte{b}, Children: []uint32{1, 0}, Counts: []uint64{1, 1}}, false},
		{"disorder", Block{Leaf: true, Keys: [][]byte{b, a}}, false},
		{"twice", Block{Leaf: true, Keys: [][]byte{a, a}}, false},
		{"empty key", Block{Leaf: true, Keys: [][]byte{{}}}, false},
		{"long key", Block{Leaf: true, Keys: [][]byte{bytes.Repeat(a, MaxKey+1)}}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.block.Check(); (err == nil) != tc.ok {
				t.Errorf("got %v, want ok %v", err, tc.ok)
			}
		})
	}
}

// TestDamage: what cannot be a tree ends in a panic that names the block, not in a loop.
func TestDamage(t *testing.T) {
	inner := func(l, r uint32) *Block {
		return &Block{Keys: [][]byte{{5}}, Children: []uint32{l, r}, Counts: []uint64{9, 9}, Next: 9}
	}
	for name, blocks := range map[string]map[uint32]*Block{
		"gap":  {0: inner(1, 2)},
		"loop": {0: inner(1, 2), 1: inner(1, 2), 2: inner(2, 1)},
	} {
		for op, run := range map[string]func(Tree){
			"insert": func(t Tree) { t.Insert([]byte{1}) },
			"delete": func(t Tree) { t.Delete([]byte{1}) },
			"page":   func(t Tree) { t.Page(3, 3) },
		} {
			t.Run(name+"/"+op, func(t *testing.T) {
				p := newPager()
				p.blocks = blocks
				defer func() {
					if recover() == nil || p.puts > 0 {
						t.Errorf("no panic, or %d puts before it", p.puts)
					}
				}()
				run(Tree{P: p})
			})
		}
	}
}

func TestInsertBoundsKeys(t *testing.T) {
	for _, size := range []int{0, MaxKey + 1} {
		t.Run(fmt.Sprintf("bytes=%d", size), func(t *testing.T) {
			p := newPager()
			defer func() {
				if recover() == nil || p.puts > 0 {
					t.Error("the key was taken")
				}
			}()
			Tree{P: p}.Insert(make([]byte, size))
		})
	}
}

// TestSize: the estimate grows with what a block holds.
func TestSize(t *testing.T) {
	p, _, _ := filled(10_000, 128)
	for n, b := range p.blocks {
		least := len(b.Keys)*(24+24) + 12*len(b.Children)
		if got := b.Size(); got < least || got > 2*least+200 {
			t.Errorf("block %d: got %d bytes, holds at least %d", n, got, least)
		}
	}
}
