package blob

import (
	"crypto/sha256"
	"testing"

	"github.com/parley-im/parley"
)

// Volumes are loaded in the order of their numbers, which is not that of their
// needles: in any order the latest put has the place and the latest date counts.
func TestIndexInAnyOrder(t *testing.T) {
	d := parley.Digest(sha256.Sum256([]byte("a")))
	records := []record{
		{kind: kindPut, digest: d, volume: 2, offset: 64, size: 5, date: 100, serial: 1},
		{kind: kindRenew, digest: d, volume: 3, offset: 640, date: 300, serial: 2},
		{kind: kindPut, digest: d, volume: 1, offset: 128, size: 5, date: 200, serial: 3},
	}
	want := place{volume: 1, eighth: 16, size: 5, date: 300, serial: 3}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		x := newIndex()
		for _, i := range order {
			x.apply(records[i])
		}
		if got, ok, sound := x.find(d); got != want || !ok || !sound {
			t.Errorf("order %v: %+v, want %+v", order, got, want)
		}
	}
}

func TestIndexForgetsDamageOnAPut(t *testing.T) {
	d := parley.Digest(sha256.Sum256([]byte("a")))
	x := newIndex()
	x.apply(record{kind: kindPut, digest: d, volume: 1, offset: 64, serial: 1})
	old, _, _ := x.find(d)
	x.spoil(d, old)
	if _, ok, sound := x.find(d); !ok || sound {
		t.Fatal("a spoiled blob is sound")
	}
	x.apply(record{kind: kindPut, digest: d, volume: 1, offset: 640, serial: 2})
	x.spoil(d, old) // a slow read of the old place
	if _, _, sound := x.find(d); !sound {
		t.Fatal("a blob put again is spoiled by a read of its old place")
	}
}
