package blob

import (
	"slices"

	"github.com/parley-im/parley"
)

// grave is a put that no longer counts, since a later put or a delete came, or a
// copy of it was made by compaction. Its volume is still there: a delete after
// it has to be kept for as long, or a start would bring the blob back.
type grave struct {
	volume uint32
	serial uint64
}

// bury notes a put that does not count; x.mu is held.
func (x *index) bury(d parley.Digest, volume uint32, serial uint64) {
	g := grave{volume, serial}
	if !slices.Contains(x.graves[d], g) {
		x.graves[d] = append(x.graves[d], g)
	}
}

// remove ends a blob; x.mu is held.
func (x *index) remove(d parley.Digest, p place) {
	x.bury(d, p.volume, p.serial)
	delete(x.places, d)
	delete(x.damaged, d)
}

// move puts a blob in the place of its copy, unless it was put again or deleted
// since the copy was made.
func (x *index) move(from place, copied record) {
	x.mu.Lock()
	defer x.mu.Unlock()
	now, ok := x.places[copied.digest]
	if !ok || now.serial != from.serial || now.volume != from.volume {
		x.bury(copied.digest, copied.volume, copied.serial)
		return
	}
	x.bury(copied.digest, now.volume, now.serial)
	p := copied.place()
	p.date = max(p.date, now.date)
	x.places[copied.digest] = p
}

// buried reports whether a put of a volume is known not to count.
func (x *index) buried(d parley.Digest, g grave) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Contains(x.graves[d], g)
}

// ends reports whether a delete in a volume still keeps a put in another volume
// from counting.
func (x *index) ends(r record) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.ContainsFunc(x.graves[r.digest], func(g grave) bool { return g.volume != r.volume && g.serial < r.serial })
}

// clear forgets the graves of a volume that is gone.
func (x *index) clear(volume uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for d, all := range x.graves {
		all = slices.DeleteFunc(all, func(g grave) bool { return g.volume == volume })
		if x.graves[d] = all; len(all) == 0 {
			delete(x.graves, d)
		}
	}
}

// live sums, by volume, the bytes of the needles that can be opened.
func (x *index) live() map[uint32]int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	all := map[uint32]int64{}
	for _, p := range x.places {
		all[p.volume] += header{kind: kindPut, size: int64(p.size)}.length()
	}
	return all
}

// each visits all blobs in no order. f must not call the index.
func (x *index) each(f func(parley.Digest, place)) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for d, p := range x.places {
		f(d, p)
	}
}
