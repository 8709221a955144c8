package tree

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func (m *model) look(key []byte) {
	rank, found := slices.BinarySearchFunc(m.keys, key, bytes.Compare)
	m.read("Len", 0, func() bool { return m.tr.Len() == len(m.keys) })
	m.read("Has", 0, func() bool { return m.tr.Has(key) == found })
	m.read("Rank", 0, func() bool { return m.tr.Rank(key) == rank })
	m.read("At", 0, func() bool {
		k := m.tr.At(rank)
		return rank == len(m.keys) && k == nil || bytes.Equal(k, m.keys[rank])
	})
	m.read("At", 0, func() bool { return m.tr.At(-1) == nil && m.tr.At(len(m.keys)) == nil })
}

func (m *model) scan(key []byte) {
	limit := rapid.IntRange(0, len(m.keys)+1).Draw(m.t, "limit")
	incl := rapid.Bool().Draw(m.t, "inclusive")
	lo, found := slices.BinarySearchFunc(m.keys, key, bytes.Compare)
	hi := lo
	if found && incl {
		hi++
	} else if found {
		lo++
	}
	if lo > hi { // exclusive and found: descending starts below the key
		hi = lo - 1
	}
	down := slices.Clone(m.keys)
	slices.Reverse(down)
	m.page("Ascend", m.keys[lo:], limit, func() [][]byte { return m.tr.Ascend(key, incl, limit) })
	m.page("Ascend", m.keys, limit, func() [][]byte { return m.tr.Ascend(nil, incl, limit) })
	m.page("Descend", down[len(down)-hi:], limit, func() [][]byte { return m.tr.Descend(key, incl, limit) })
	m.page("Descend", down, limit, func() [][]byte { return m.tr.Descend(nil, incl, limit) })
	m.page("Page", m.keys[lo:], limit, func() [][]byte { return m.tr.Page(lo, limit) })
}

// page compares a scan with the first limit keys of all. Beyond the path to its start it
// may read, on each level, as many blocks at their least fill as hold the level below,
// and one that is cut into.
func (m *model) page(name string, all [][]byte, limit int, op func() [][]byte) {
	want := all[:min(limit, len(all))]
	further, n := 0, len(want)
	for level := m.depth(); level > 1; level-- {
		n = n/m.tr.min(level == m.depth()) + 1
		further += n
	}
	m.read(name, further, func() bool { return slices.EqualFunc(op(), want, bytes.Equal) })
}

func (m *model) read(name string, further int, op func() bool) {
	depth := m.depth()
	var ok bool
	rounds := m.p.do(m.t, func() { ok = op() })
	if !ok {
		m.t.Fatalf("%s differs from the model", name)
	}
	for n := range m.p.asked {
		if m.p.seen[n] == 0 {
			m.t.Fatalf("%s asked for block %d and did not need it", name, n)
		}
	}
	if n := len(m.p.seen); n > depth+further || further == 0 && rounds > depth || m.p.puts > 0 {
		m.t.Fatalf("%s read %d blocks in %d rounds at depth %d and put %d", name, n, rounds, depth, m.p.puts)
	}
}

// TestPageAsksTogether: from nothing loaded, a page by number needs one round per level,
// because the counts name all its blocks at once.
func TestPageAsksTogether(t *testing.T) {
	p, tr, keys := filled(20_000, 16)
	depth := p.verify(t, tr, keys)
	for _, at := range []int{0, 777, 10_000, 19_900} {
		p.evictAll()
		var got [][]byte
		if rounds := p.do(t, func() { got = tr.Page(at, 100) }); rounds != depth {
			t.Errorf("page at %d: got %d rounds, want %d", at, rounds, depth)
		}
		if !slices.EqualFunc(got, keys[at:at+100], bytes.Equal) {
			t.Errorf("page at %d differs", at)
		}
	}
}
