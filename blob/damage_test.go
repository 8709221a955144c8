package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

func brokenAfter(b []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(b), iotest.ErrReader(io.ErrUnexpectedEOF))
}

const volume1, checkpoint1 = "blobs/00000001.vol", "blobs/00000001.idx"

// folder makes a closed store of one volume and copies it as often as asked.
func folder(t *testing.T, blobs ...[]byte) (fresh func() *vfs.MemFS, volume, checkpoint []byte) {
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem, small: chunkBytes})
	for _, b := range blobs {
		mustPut(t, s, b)
	}
	mustClose(t, s)
	volume, checkpoint = readFile(t, mem, volume1), readFile(t, mem, checkpoint1)
	return func() *vfs.MemFS {
		mem := vfs.NewMem()
		writeFile(t, mem, "blobs", "00000001.vol", volume)
		writeFile(t, mem, "blobs", "00000001.idx", checkpoint)
		return mem
	}, volume, checkpoint
}

// Whichever bit of a volume flips, with its checkpoint or without: nothing wrong is
// served, the other blobs are there, Check says what is lost, and a Put heals it.
func TestFlippedBit(t *testing.T) {
	blobs := [][]byte{bytesOf(1, 300), bytesOf(2, 30), bytesOf(3, 100)}
	fresh, volume, _ := folder(t, blobs...)
	for at := range int64(len(volume)) {
		for _, scanned := range []bool{false, true} {
			mem := fresh()
			flip(t, mem, volume1, at)
			if scanned {
				mem.Remove(checkpoint1)
			}
			tryDamaged(t, mem, at, scanned, blobs)
		}
	}
}

func tryDamaged(t *testing.T, mem *vfs.MemFS, at int64, scanned bool, blobs [][]byte) {
	t.Helper()
	s := mustOpen(t, Config{FS: mem, small: chunkBytes})
	defer s.Close()
	lost := 0
	for _, b := range blobs {
		got, err := get(s, sha256.Sum256(b))
		if err != nil {
			lost++
		} else if !bytes.Equal(got, b) {
			t.Fatalf("byte %d: wrong bytes served", at)
		}
		if err != nil && !errors.Is(err, ErrDamaged) && (!scanned || parley.CodeOf(err) != parley.NotFound) {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
	if lost > 1 {
		t.Fatalf("byte %d, scanned %v: %d blobs lost", at, scanned, lost)
	}
	found, err := s.Check(context.Background(), nil)
	if err != nil || lost > 0 && found.Sound() && found.CutBytes == 0 {
		t.Fatalf("byte %d: %d lost, Check = %+v, %v", at, lost, found, err)
	}
	for _, b := range blobs {
		mustPut(t, s, b)
		wantBlob(t, s, b)
	}
	mustClose(t, s)
	s = mustOpen(t, Config{FS: mem})
	defer s.Close()
	for _, b := range blobs {
		wantBlob(t, s, b)
	}
}

// Without a checkpoint the needles tell themselves what was durable once: bad bytes
// before that are damage and stay, bad bytes after it were never acknowledged.
func TestScanTellsDamageFromTornBytes(t *testing.T) {
	fresh, volume, _ := folder(t, bytesOf(1, 300), bytesOf(2, 30), bytesOf(3, 100))
	for _, tc := range []struct {
		name    string
		at      int
		damages int64
		cut     bool
	}{
		{"payload of the first", volumeHeaderBytes + headerBytes + 5, 1, false},
		{"header of the first", volumeHeaderBytes + 40, 1, false},
		{"payload of the last", len(volume) - 50, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			mem := fresh()
			mem.Remove(checkpoint1)
			flip(t, mem, volume1, int64(tc.at))
			s := mustOpen(t, Config{FS: mem, small: chunkBytes})
			if r := s.Recovered(); r.DamageCount != tc.damages || r.CutBytes > 0 != tc.cut || r.Blobs != 2 {
				t.Fatalf("Recovered = %+v, want %d damages, cut %v", r, tc.damages, tc.cut)
			}
			if r, err := s.Check(t.Context(), nil); err != nil || r.DamageCount != tc.damages {
				t.Fatalf("Check = %+v, %v, want %d damages", r, err, tc.damages)
			}
		})
	}
}

func TestCheckNamesTheDamaged(t *testing.T) {
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem, small: chunkBytes})
	blobs := [][]byte{bytesOf(1, 300), bytesOf(2, 200_000), bytesOf(3, 100)}
	for _, b := range blobs {
		mustPut(t, s, b)
	}
	d := parley.Digest(sha256.Sum256(blobs[1]))
	p, _, _ := s.index.find(d)
	flip(t, mem, "blobs/"+volumeName(p.volume, volumeSuffix), p.offset()+headerBytes+70_000)
	var last [2]int64
	r, err := s.Check(context.Background(), func(done, total int64) { last = [2]int64{done, total} })
	if err != nil || r.DamageCount != 1 || r.Damages[0].Digest != d || !strings.Contains(r.Damages[0].Reason, "chunk 1") {
		t.Fatalf("Check = %+v, %v, want damage to %x in chunk 1", r, err, d[:4])
	}
	if r.Blobs != 2 || r.IndexDangling != 0 || r.IndexMissing != 0 {
		t.Fatalf("Check = %+v, want 2 blobs and no mismatch", r)
	}
	if last[0] != last[1] || last[1] != r.Bytes {
		t.Fatalf("progress ended at %v, %d bytes were read", last, r.Bytes)
	}
	mustPut(t, s, blobs[1]) // heals
	wantBlob(t, s, blobs[1])
}

// A range of a large blob is served as long as its own chunks are sound.
func TestDamageStaysInItsChunk(t *testing.T) {
	b := bytesOf(1, 5*chunkBytes)
	fresh, _, _ := folder(t, b)
	mem := fresh()
	flip(t, mem, volume1, volumeHeaderBytes+headerBytes+2*sealedChunk+17)
	s := mustOpen(t, Config{FS: mem, small: chunkBytes})
	o, err := s.Open(t.Context(), sha256.Sum256(b))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	part := make([]byte, chunkBytes)
	for chunk := range int64(5) {
		_, err := o.ReadAt(part, chunk*chunkBytes)
		if chunk == 2 != errors.Is(err, ErrDamaged) {
			t.Fatalf("chunk %d: %v", chunk, err)
		}
	}
	if n := s.Counters().Damaged; n != 1 {
		t.Fatalf("Counters.Damaged = %d, want 1", n)
	}
}

// A checkpoint only saves time: cut short or with a flipped bit, all blobs are there.
func TestDamagedCheckpoint(t *testing.T) {
	blobs := [][]byte{bytesOf(1, 300), bytesOf(2, 30), bytesOf(3, 100)}
	fresh, volume, checkpoint := folder(t, blobs...)
	look := func(mem *vfs.MemFS, at int) {
		s := mustOpen(t, Config{FS: mem})
		defer s.Close()
		for _, b := range blobs {
			wantBlob(t, s, b)
		}
		if r := wantSound(t, s, 3); r.CutBytes != 0 || s.Recovered().DamageCount != 0 {
			t.Fatalf("at %d: Check = %+v, Recovered = %+v", at, r, s.Recovered())
		}
	}
	for at := range len(checkpoint) {
		mem := fresh()
		flip(t, mem, checkpoint1, int64(at))
		look(mem, at)
		mem = vfs.NewMem()
		writeFile(t, mem, "blobs", "00000001.vol", volume)
		writeFile(t, mem, "blobs", "00000001.idx", checkpoint[:at])
		look(mem, at)
	}
}

func TestLostPieces(t *testing.T) {
	b := bytesOf(1, 300)
	fresh, _, _ := folder(t, b)
	t.Run("volume", func(t *testing.T) {
		mem := fresh()
		mem.Remove(volume1)
		s := mustOpen(t, Config{FS: mem})
		if r := s.Recovered(); r.DamageCount != 1 || r.Damages[0].Volume != 1 {
			t.Fatalf("Recovered = %+v, want volume 1 missing", r)
		}
		mustPut(t, s, b)
		wantBlob(t, s, b)
	})
	t.Run("volume header and checkpoint", func(t *testing.T) {
		mem := fresh()
		mem.Remove(checkpoint1)
		flip(t, mem, volume1, 17)
		s := mustOpen(t, Config{FS: mem})
		wantBlob(t, s, b)
		if r := s.Recovered(); r.DamageCount != 1 {
			t.Fatalf("Recovered = %+v, want the header reported", r)
		}
	})
	t.Run("volume cut short", func(t *testing.T) {
		mem := fresh()
		raw := readFile(t, mem, volume1)
		mem.Remove(volume1)
		writeFile(t, mem, "blobs", "00000001.vol", raw[:len(raw)-10])
		s := mustOpen(t, Config{FS: mem})
		if _, err := get(s, sha256.Sum256(b)); parley.CodeOf(err) != parley.NotFound {
			t.Fatalf("get = %v, want NotFound", err)
		}
		mustPut(t, s, b)
		wantSound(t, s, 1)
	})
}

// What a later version wrote is not guessed at.
func TestRefusesLaterForms(t *testing.T) {
	fresh, volume, _ := folder(t, bytesOf(1, 300))
	n := nonce(volume[16:24])
	for _, k := range []kind{kindDelete + 1, 9} {
		mem := fresh()
		at := int64(len(volume))
		raw := header{kind: k, offset: at, digest: sha256.Sum256(nil)}.appendTo(bytes.Clone(volume), n)
		writeFile(t, mem, "blobs", "00000001.vol", raw)
		if _, err := Open(Config{Dir: "blobs", FS: mem}); err == nil || !strings.Contains(err.Error(), "later version") {
			t.Errorf("Open with a needle of kind %d = %v, want a refusal", k, err)
		}
		if _, err := Open(Config{Dir: "blobs", FS: mem}); errors.Is(err, ErrInUse) {
			t.Errorf("a refused Open kept the lock")
		}
	}
}
