package blob

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley/internal/crashfs"
)

// Needles of one batch say nothing of each other: when the last batch is torn in
// its first needle, that is a cut, and the second is served.
func TestTornInsideABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := crashfs.New(0)
		s := mustOpen(t, Config{FS: fs})
		mustPut(t, s, bytesOf(1, 100))
		release := make(chan struct{})
		fs.OnOp(func(_ int, op crashfs.Op, name string) error {
			if op == crashfs.Sync && strings.HasSuffix(name, volumeSuffix) {
				<-release
			}
			return nil
		})
		var all sync.WaitGroup
		for i := range 3 { // the first is synced alone, the others wait for it
			all.Go(func() { mustPut(t, s, bytesOf(uint64(2+i), 100)) })
			synctest.Wait()
		}
		close(release)
		all.Wait()
		p, _, _ := s.index.find(sha256.Sum256(bytesOf(3, 100)))
		last, _, _ := s.index.find(sha256.Sum256(bytesOf(4, 100)))
		raw := readFile(t, fs, volume1)
		mustClose(t, s)
		h, ok := decodeHeader(raw[last.offset():], nonce(raw[16:24]), last.offset())
		if !ok || h.durable != p.offset() {
			t.Fatalf("the second of a batch says durable to %d, want %d", h.durable, p.offset())
		}
		raw[p.offset()+headerBytes+1] ^= 1
		mem := vfs.NewMem()
		writeFile(t, mem, "blobs", "00000001.vol", raw)
		s = mustOpen(t, Config{FS: mem})
		defer s.Close()
		if r := s.Recovered(); r.DamageCount != 0 || r.CutBytes == 0 || r.Blobs != 3 {
			t.Fatalf("Recovered = %+v, want 3 blobs and a cut", r)
		}
		wantBlob(t, s, bytesOf(4, 100))
		wantSound(t, s, 3)
	})
}

// A needle of an append that failed long ago may stand so close behind a torn
// byte that the header of a cut has no room: then the cut takes it in.
func TestCutTakesInWhatIsTooClose(t *testing.T) {
	_, volume, _ := folder(t, bytesOf(1, 300))
	for gap := int64(alignment); gap < headerBytes; gap += alignment {
		at := int64(len(volume)) + gap
		raw := append(bytes.Clone(volume), make([]byte, gap)...)
		stale := header{kind: kindRenew, offset: at, durable: volumeHeaderBytes, serial: 9, date: 1, digest: sha256.Sum256(nil)}
		raw = stale.appendTo(raw, nonce(volume[16:24]))
		mem := vfs.NewMem()
		writeFile(t, mem, "blobs", "00000001.vol", raw)
		for range 2 {
			s := mustOpen(t, Config{FS: mem})
			mustPut(t, s, bytesOf(2, 50))
			wantBlob(t, s, bytesOf(1, 300))
			wantSound(t, s, 2)
			mustClose(t, s)
		}
	}
}
