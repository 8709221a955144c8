package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
	"pgregory.net/rapid"
)

// model is the store as a map, beside the store.
type model struct {
	t     *rapid.T
	mem   *vfs.MemFS
	clock *clock
	s     *Volumes
	blobs map[parley.Digest][]byte
	dates map[parley.Digest]time.Time
}

func TestAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{t: t, mem: vfs.NewMem(), clock: newClock(), blobs: map[parley.Digest][]byte{}, dates: map[parley.Digest]time.Time{}}
		m.open()
		defer func() { m.s.Close() }()
		t.Repeat(map[string]func(*rapid.T){
			"put":    m.put,
			"broken": m.broken,
			"read":   m.read,
			"stat":   m.stat,
			"wait": func(t *rapid.T) {
				m.clock.advance(time.Duration(rapid.IntRange(1, 200).Draw(t, "minutes")) * time.Minute)
			},
			"reopen": m.reopen,
			"check":  m.check,
		})
	})
}

func (m *model) open() {
	s, err := Open(Config{Dir: "a/b", FS: m.mem, Now: m.clock.now, VolumeBytes: 80_000, MaxBytes: 100_000, small: chunkBytes})
	if err != nil {
		m.t.Fatal(err)
	}
	m.s = s
}

// draw takes few blobs of many sizes, so that they come again.
func draw(t *rapid.T) []byte {
	size := rapid.SampledFrom([]int{0, 1, 50, 4000, chunkBytes - 1, chunkBytes, chunkBytes + 1, 100_000}).Draw(t, "size")
	return bytesOf(rapid.Uint64Range(1, 3).Draw(t, "seed"), size)
}

func (m *model) put(t *rapid.T) {
	b := draw(t)
	ref, err := m.s.Put(context.Background(), bytes.NewReader(b))
	if err != nil || ref.Digest != sha256.Sum256(b) {
		t.Fatalf("Put = %v, %v", ref, err)
	}
	m.blobs[ref.Digest] = b
	if now := m.clock.now(); now.Sub(m.dates[ref.Digest]) >= freshFor {
		m.dates[ref.Digest] = now
	}
}

// broken uploads leave nothing, whether they break off or are too large.
func (m *model) broken(t *rapid.T) {
	b := append(draw(t), 1)
	if _, err := m.s.Put(context.Background(), brokenAfter(b)); err == nil {
		t.Fatal("Put took an upload that broke off")
	}
	large := io.MultiReader(bytes.NewReader(b), bytes.NewReader(make([]byte, 100_001)))
	if _, err := m.s.Put(context.Background(), large); parley.CodeOf(err) != parley.TooLarge {
		t.Fatalf("Put = %v, want TooLarge", err)
	}
}

func (m *model) read(t *rapid.T) {
	b := draw(t)
	d := parley.Digest(sha256.Sum256(b))
	o, err := m.s.Open(context.Background(), d)
	if m.blobs[d] == nil {
		if parley.CodeOf(err) != parley.NotFound {
			t.Fatalf("Open = %v, want NotFound", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	off := rapid.IntRange(0, len(b)).Draw(t, "off")
	p := make([]byte, rapid.IntRange(0, len(b)-off).Draw(t, "length"))
	if _, err := o.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, b[off:off+len(p)]) {
		t.Fatalf("ReadAt(%d at %d) of %d: %v", len(p), off, len(b), err)
	}
}

func (m *model) stat(t *rapid.T) {
	d := parley.Digest(sha256.Sum256(draw(t)))
	info, err := m.s.Stat(context.Background(), d)
	if b, ok := m.blobs[d]; ok && (err != nil || info.Size != int64(len(b)) || !info.Date.Equal(m.dates[d])) {
		t.Fatalf("Stat = %+v, %v, want %d bytes of %v", info, err, len(b), m.dates[d])
	} else if !ok && parley.CodeOf(err) != parley.NotFound {
		t.Fatalf("Stat = %v, want NotFound", err)
	}
}

func (m *model) reopen(t *rapid.T) {
	if err := m.s.Close(); err != nil {
		t.Fatal(err)
	}
	if rapid.IntRange(0, 3).Draw(t, "without checkpoints") == 0 {
		for n := range m.s.next {
			m.mem.Remove("a/b/" + volumeName(n, checkpointSuffix))
		}
	}
	m.open()
	if r := m.s.Recovered(); r.DamageCount != 0 {
		t.Fatalf("Recovered = %+v", r)
	}
}

func (m *model) check(t *rapid.T) {
	r, err := m.s.Check(context.Background(), nil)
	if err != nil || !r.Sound() || r.Blobs != int64(len(m.blobs)) || r.Copies != 0 {
		t.Fatalf("Check = %+v, %v, want %d blobs", r, err, len(m.blobs))
	}
}
