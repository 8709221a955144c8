package tree

import "slices"

// Delete removes key and reports whether it was there.
func (t Tree) Delete(key []byte) bool {
	p, found, ok := t.path(key)
	if !ok || !found {
		return false
	}
	side, ok := t.neighbours(p)
	if !ok {
		return false
	}
	last := len(p) - 1
	b := p[last].b.clone()
	b.Keys = slices.Delete(b.Keys, p[last].i, p[last].i+1)
	for d := last; d > 0; d-- {
		up := p[d-1].b.clone()
		up.Counts[p[d-1].i]--
		if side[d] == nil {
			t.P.Put(p[d].n, b)
		} else if all := t.level(up, p[d-1].i, b, side[d]); len(up.Children) == 1 && d == 1 {
			t.P.Put(up.Children[0], nil)
			up = all
		}
		b = up
	}
	t.putRoot(b, p[0].b.Next)
	return true
}

// neighbours loads, for each level that loses an entry too many, the block to level it
// with. If one is missing it goes on as if that level will join, which asks for all that
// may be needed at once.
func (t Tree) neighbours(p []step) (side []*Block, ok bool) {
	side, ok = make([]*Block, len(p)), true
	for d := len(p) - 1; d > 0; d-- {
		left := p[d].b.entries() - 1
		if left >= t.min(p[d].b.Leaf) {
			break
		}
		up := p[d-1]
		b, loaded := t.block(up.b.Children[beside(up.i)], d)
		side[d], ok = b, ok && loaded
		if loaded && left+b.entries() > t.fits() {
			break
		}
	}
	return side, ok
}

// beside is the neighbour of child i: the newer one, if there is any.
func beside(i int) int {
	if i == 0 {
		return 1
	}
	return i - 1
}

// fits is the most entries that two blocks may have together to be joined.
func (t Tree) fits() int { return t.max() * 3 / 4 }

// level joins b, child i of up, with its neighbour s, or evens them out and returns nil.
func (t Tree) level(up *Block, i int, b, s *Block) *Block {
	l, r, at := s, b, i-1
	if i == 0 {
		l, r, at = b, s, 0
	}
	all := join(l, r, up.Keys[at])
	if all.entries() > t.fits() {
		t.share(up, at, all)
		return nil
	}
	t.P.Put(up.Children[at], all)
	t.P.Put(up.Children[at+1], nil)
	up.Counts[at] = all.total()
	up.Keys = slices.Delete(up.Keys, at, at+1)
	up.Children = slices.Delete(up.Children, at+1, at+2)
	up.Counts = slices.Delete(up.Counts, at+1, at+2)
	return all
}

// share halves all between children at and at+1 of up.
func (t Tree) share(up *Block, at int, all *Block) {
	l, r, sep := all.split(all.entries() / 2)
	t.P.Put(up.Children[at], l)
	t.P.Put(up.Children[at+1], r)
	up.Keys[at] = sep
	up.Counts[at], up.Counts[at+1] = l.total(), r.total()
}
