package blob

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// FuzzFolder opens a folder of any bytes, whose headers and blocks have right
// checksums all the same: no panic, no endless scan, and what is served has the
// digest that was asked for.
func FuzzFolder(f *testing.F) {
	volume, checkpoint := seedFolder(f)
	f.Add(volume, checkpoint)
	f.Add(volume[:300], checkpoint[:200])
	f.Add(append(bytes.Clone(volume), volume[volumeHeaderBytes:]...), []byte{})
	f.Add(bytes.Repeat(volume[16:24], 500), checkpoint)
	f.Fuzz(func(t *testing.T, volume, checkpoint []byte) {
		volume, checkpoint = bytes.Clone(volume), bytes.Clone(checkpoint)
		sign(volume, checkpoint)
		mem := vfs.NewMem()
		writeFile(t, mem, "b", "00000001.vol", volume)
		writeFile(t, mem, "b", "00000001.idx", checkpoint)
		s, err := Open(Config{Dir: "b", FS: mem})
		if err != nil {
			return
		}
		defer s.Close()
		checkServed(t, s)
		if _, err := s.Check(t.Context(), nil); err != nil {
			t.Fatalf("check: %v", err)
		}
		mustPut(t, s, []byte("goes on"))
		wantBlob(t, s, []byte("goes on"))
	})
}

func seedFolder(f *testing.F) (volume, checkpoint []byte) {
	mem := vfs.NewMem()
	clock := newClock()
	for _, b := range [][]byte{[]byte("one"), nil, bytesOf(1, 200), []byte("one")} {
		s := mustOpen(f, Config{FS: mem, Now: clock.now})
		mustPut(f, s, b)
		clock.advance(2 * freshFor)
		mustClose(f, s)
	}
	return readFile(f, mem, volume1), readFile(f, mem, checkpoint1)
}

// sign puts right every checksum of a header or block, wherever one may stand.
func sign(volume, checkpoint []byte) {
	if len(volume) < volumeHeaderBytes {
		return
	}
	put := func(at []byte, sum uint32) { binary.LittleEndian.PutUint32(at, sum) }
	put(volume[60:], crc32.Checksum(volume[:60], castagnoli))
	mark := bytes.Clone(volume[16:24])
	for at := volumeHeaderBytes; at+headerBytes <= len(volume); at += alignment {
		if h := volume[at:]; bytes.Equal(h[:8], mark) {
			put(h[92:], crc32.Checksum(h[:92], castagnoli))
		}
	}
	for rest := checkpoint; len(rest) >= blockHeader; {
		copy(rest[8:], mark)
		length := blockHeader + uint64(binary.LittleEndian.Uint32(rest[32:]))*recordBytes
		if length > uint64(len(rest)) {
			return
		}
		put(rest[44:], blockSum(rest[:length]))
		rest = rest[length:]
	}
}

func checkServed(t *testing.T, s *Volumes) {
	for d := range s.index.places {
		o, err := s.Open(t.Context(), d)
		if errors.Is(err, ErrDamaged) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		if o.Size() > 1<<20 {
			continue
		}
		p := make([]byte, o.Size())
		if _, err := o.ReadAt(p, 0); err == nil || err == io.EOF {
			if parley.Digest(sha256.Sum256(p)) != d {
				t.Fatalf("served bytes that are not %x", d[:4])
			}
		}
	}
}

// What is taken for a file of candidates is what would be written for it.
func FuzzCandidates(f *testing.F) {
	f.Add(candidates{}.encode())
	f.Add(candidates{at: 7, since: map[parley.Digest]int64{{1}: 5, {2}: 6}}.encode())
	f.Fuzz(func(t *testing.T, raw []byte) {
		if c, ok := decodeCandidates(raw); ok && len(c.since) > 0 && len(c.encode()) > len(raw) {
			t.Errorf("%d bytes became %d", len(raw), len(c.encode()))
		}
	})
}
