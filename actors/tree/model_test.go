package tree

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// model is a tree beside the sorted slice it must equal.
type model struct {
	t    *rapid.T
	p    *memPager
	tr   Tree
	keys [][]byte
}

// TestModel plays random operations over a pager that forgets blocks, and compares.
func TestModel(t *testing.T) {
	for _, entries := range []int{4, 5, 7, 128} {
		t.Run(fmt.Sprintf("max=%d", entries), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				p := newPager()
				m := &model{t: rt, p: p, tr: Tree{P: p, Max: entries}}
				rt.Repeat(map[string]func(*rapid.T){
					"insert": func(*rapid.T) { m.insert(m.draw()) },
					"delete": func(*rapid.T) { m.delete(m.draw()) },
					"grow":   func(*rapid.T) { m.grow() },
					"shrink": func(*rapid.T) { m.shrink() },
					"look":   func(*rapid.T) { m.look(m.draw()) },
					"scan":   func(*rapid.T) { m.scan(m.draw()) },
					"":       func(*rapid.T) { m.forget() },
				})
			})
		})
	}
}

// draw gives a key that is often there or next to one that is.
func (m *model) draw() []byte {
	if len(m.keys) > 0 && rapid.Bool().Draw(m.t, "near") {
		k := m.keys[rapid.IntRange(0, len(m.keys)-1).Draw(m.t, "i")]
		k = slices.Concat(k, rapid.SliceOfN(rapid.Byte(), 0, 1).Draw(m.t, "tail"))
		return k[:min(len(k), MaxKey-2)] // grow appends two bytes
	}
	return rapid.SliceOfN(rapid.Byte(), 1, 3).Draw(m.t, "key")
}

// forget verifies the tree, then evicts some blocks.
func (m *model) forget() {
	m.p.verify(m.t, m.tr, m.keys)
	one := rapid.IntRange(1, 8).Draw(m.t, "evict one of")
	if one == 1 {
		m.p.evictAll()
	}
	for n := range m.p.blocks {
		if n%8 == uint32(one) {
			m.p.evicted[n] = true
		}
	}
}

func (m *model) insert(key []byte) {
	i, found := slices.BinarySearchFunc(m.keys, key, bytes.Compare)
	if !found {
		m.keys = slices.Insert(m.keys, i, bytes.Clone(key))
	}
	given := bytes.Clone(key)
	m.change("Insert", !found, 0, func() bool { return m.tr.Insert(given) })
	clear(given) // the tree must have its own copy
}

func (m *model) delete(key []byte) {
	i, found := slices.BinarySearchFunc(m.keys, key, bytes.Compare)
	if found {
		m.keys = slices.Delete(m.keys, i, i+1)
	}
	m.change("Delete", found, 1, func() bool { return m.tr.Delete(key) })
}

// change runs op and bounds what it reads: a block per level, and for a deletion one
// neighbour per level and one more round of loading.
func (m *model) change(name string, want bool, extra int, op func() bool) {
	depth := m.depth()
	var got bool
	rounds := m.p.do(m.t, func() { got = op() })
	if got != want {
		m.t.Fatalf("%s: got %v, want %v", name, got, want)
	}
	if !want && m.p.puts > 0 {
		m.t.Fatalf("%s changed nothing and put %d blocks", name, m.p.puts)
	}
	if len(m.keys) < 64 || len(m.keys)%32 == 0 {
		m.p.verify(m.t, m.tr, m.keys)
	}
	if n := len(m.p.seen); n > depth+extra*(depth-1) || rounds > depth+extra {
		m.t.Fatalf("%s read %d blocks in %d rounds at depth %d", name, n, rounds, depth)
	}
}

// depth is measured along the left edge, past the pager.
func (m *model) depth() int {
	d := 1
	for b := m.p.blocks[0]; b != nil && !b.Leaf; b = m.p.blocks[b.Children[0]] {
		d++
	}
	return d
}

// grow inserts a run at one end or around one place.
func (m *model) grow() {
	base := m.draw()
	n := rapid.IntRange(1, 50+2*m.tr.max()).Draw(m.t, "run")
	down := rapid.Bool().Draw(m.t, "down")
	for i := range n {
		if down {
			i = n - i
		}
		m.insert(append(base[:len(base):len(base)], byte(i>>8), byte(i)))
	}
}

// shrink deletes a run at either end or from the middle.
func (m *model) shrink() {
	n := rapid.IntRange(0, len(m.keys)).Draw(m.t, "run")
	where := rapid.IntRange(0, 2).Draw(m.t, "end")
	for range n {
		m.delete(m.keys[(len(m.keys)-1)*where/2])
	}
}
