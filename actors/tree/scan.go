package tree

// scan collects a run of keys in one direction, from a key or from a place.
type scan struct {
	t         Tree
	back      bool
	from      []byte // where to start; none once passed
	inclusive bool
	skip      uint64 // keys to leave out before the first
	want      int    // keys still to come
	out       [][]byte
}

// At returns key number i from 0, or nil if there are fewer.
func (t Tree) At(i int) []byte {
	if keys := t.Page(i, 1); len(keys) == 1 {
		return keys[0]
	}
	return nil
}

// Page returns up to limit keys in order, beginning with number i from 0. As in all
// scans the keys belong to the blocks and must not be changed.
func (t Tree) Page(i, limit int) [][]byte {
	if i < 0 {
		return nil
	}
	return t.run(scan{skip: uint64(i), want: limit})
}

// Ascend returns up to limit keys above from, or from it on if inclusive. An
// empty from is below all keys.
func (t Tree) Ascend(from []byte, inclusive bool, limit int) [][]byte {
	return t.run(scan{from: from, inclusive: inclusive, want: limit})
}

// Descend returns up to limit keys below from, or from it on if inclusive, highest
// first. An empty from is above all keys.
func (t Tree) Descend(from []byte, inclusive bool, limit int) [][]byte {
	return t.run(scan{back: true, from: from, inclusive: inclusive, want: limit})
}

func (t Tree) run(s scan) [][]byte {
	s.t = t
	if s.want <= 0 {
		return nil
	}
	if root, ok := t.block(0, 0); ok {
		s.walk(root, 0)
	}
	return s.out
}

func (s *scan) walk(b *Block, depth int) {
	step := 1
	if s.back {
		step = -1
	}
	for i := s.start(b); i >= 0 && i < b.entries() && s.want > 0; i += step {
		switch {
		case !b.Leaf:
			s.child(b, i, depth+1)
		case s.skip > 0:
			s.skip--
		default:
			s.out = append(s.out, b.Keys[i])
			s.want--
		}
	}
	s.from = nil
}

// child goes under entry i. A missing child is taken for one that yields all it can, so
// that what is asked for beyond it is surely needed.
func (s *scan) child(b *Block, i, depth int) {
	n := b.Counts[i]
	if s.skip >= n {
		s.skip -= n
		return
	}
	if c, ok := s.t.block(b.Children[i], depth); ok {
		s.walk(c, depth)
		return
	}
	s.want -= int(min(uint64(s.want), n-s.skip))
	s.skip, s.from = 0, nil
}

// start is the first entry of b to look at.
func (s *scan) start(b *Block) int {
	if len(s.from) == 0 {
		if s.back {
			return b.entries() - 1
		}
		return 0
	}
	i, found := b.find(s.from)
	switch {
	case !b.Leaf:
		return i
	case s.back && !(found && s.inclusive):
		return i - 1
	case !s.back && found && !s.inclusive:
		return i + 1
	}
	return i
}
