package blob

import (
	"sync"

	"github.com/parley-im/parley"
)

// place is where a blob lies, in 24 bytes: the index holds one for each.
type place struct {
	volume uint32
	eighth uint32 // offset / alignment: up to 32 GiB
	size   uint32
	date   uint32 // Unix seconds
	serial uint64
}

func (p place) offset() int64 { return int64(p.eighth) * alignment }

// record is a needle as the index and the checkpoints see it.
type record struct {
	kind   kind
	digest parley.Digest
	volume uint32
	offset int64
	size   int64
	date   int64
	serial uint64
}

func (h header) record(volume uint32) record {
	return record{kind: h.kind, digest: h.digest, volume: volume, offset: h.offset,
		size: h.size, date: h.date, serial: h.serial}
}

func (r record) place() place {
	return place{volume: r.volume, eighth: uint32(r.offset / alignment), size: uint32(r.size), date: uint32(r.date), serial: r.serial}
}

// index says where every blob lies. What it holds is durable.
type index struct {
	mu      sync.RWMutex
	places  map[parley.Digest]place    // under mu
	damaged map[parley.Digest]struct{} // under mu: found bad by a read, to be stored again by the next Put
	graves  map[parley.Digest][]grave  // under mu: puts that no longer count, in volumes that are still there
	early   map[parley.Digest]uint32   // under mu: dates of renewals read before their blob, while loading; nil later
	ended   map[parley.Digest]uint64   // under mu: serials of deletes, while loading; nil later
}

func newIndex() *index {
	return &index{
		places:  map[parley.Digest]place{},
		damaged: map[parley.Digest]struct{}{},
		graves:  map[parley.Digest][]grave{},
		early:   map[parley.Digest]uint32{},
		ended:   map[parley.Digest]uint64{},
	}
}

// apply takes in one needle. The order does not matter, since volumes are loaded
// one after the other: the latest put has the place unless a delete came after
// it, the latest date counts.
func (x *index) apply(r record) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch r.kind {
	case kindPut:
		x.put(r)
	case kindRenew:
		if old, ok := x.places[r.digest]; ok {
			old.date = max(old.date, uint32(r.date))
			x.places[r.digest] = old
		} else if x.early != nil {
			x.early[r.digest] = max(x.early[r.digest], uint32(r.date))
		}
	case kindDelete:
		if x.ended != nil {
			x.ended[r.digest] = max(x.ended[r.digest], r.serial)
		}
		if old, ok := x.places[r.digest]; ok && old.serial < r.serial {
			x.remove(r.digest, old)
		}
	}
}

// put gives a put its place, or its grave; x.mu is held.
func (x *index) put(r record) {
	old, ok := x.places[r.digest]
	switch {
	case ok && old.serial > r.serial:
		old.date = max(old.date, uint32(r.date))
		x.places[r.digest] = old
		x.bury(r.digest, r.volume, r.serial)
		return
	case !ok && x.ended[r.digest] > r.serial:
		x.bury(r.digest, r.volume, r.serial)
		return
	case ok:
		x.bury(r.digest, old.volume, old.serial)
	}
	p := r.place()
	p.date = max(old.date, p.date, x.early[r.digest])
	x.places[r.digest] = p
	delete(x.damaged, r.digest)
}

// loaded forgets what only the order of loading made necessary.
func (x *index) loaded() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.early, x.ended = nil, nil
}

// find gives the place of a blob, and whether it can be relied upon.
func (x *index) find(d parley.Digest) (p place, ok, sound bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	p, ok = x.places[d]
	_, bad := x.damaged[d]
	return p, ok, ok && !bad
}

// spoil notes that the bytes at p are bad, unless the blob has moved since.
func (x *index) spoil(d parley.Digest, p place) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if now, ok := x.places[d]; ok && now.serial == p.serial && now.volume == p.volume {
		x.damaged[d] = struct{}{}
	}
}

// count counts, by volume, the blobs that counts says yes to.
func (x *index) count(counts func(place) bool) map[uint32]int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n := map[uint32]int64{}
	for _, p := range x.places {
		if counts(p) {
			n[p.volume]++
		}
	}
	return n
}

func (x *index) len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.places)
}
