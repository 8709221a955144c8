package blob

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/v1 anew")

func TestHeaderForm(t *testing.T) {
	n := nonce{1, 2, 3, 4, 5, 6, 7, 8}
	h := header{kind: kindPut, size: 5, offset: 64, durable: 64, serial: 7, date: 1_800_000_000, digest: sha256.Sum256([]byte("hello"))}
	raw := h.appendTo(nil, n)
	raw = newSums(n, h.offset).seal(raw, []byte("hello"), 0)
	want := strings.Join([]string{
		"0102030405060708", "0100000000000000", "0500000000000000", "4000000000000000", "4000000000000000",
		"0700000000000000", "00d2496b00000000",
		"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		"00000000", "93bb4ad1", "68656c6c6f", "b73c6098",
	}, "")
	if got := hex.EncodeToString(raw); got != want {
		t.Errorf("needle is\n%s, want\n%s", got, want)
	}
	if got, ok := decodeHeader(raw, n, 64); !ok || got != h {
		t.Errorf("decodeHeader = %+v, %v, want %+v", got, ok, h)
	}
	for name, change := range map[string]func() ([]byte, nonce, int64){
		"elsewhere":   func() ([]byte, nonce, int64) { return raw, n, 72 },
		"another's":   func() ([]byte, nonce, int64) { return raw, nonce{9}, 64 },
		"short":       func() ([]byte, nonce, int64) { return raw[:95], n, 64 },
		"flipped bit": func() ([]byte, nonce, int64) { b := bytes.Clone(raw); b[60] ^= 1; return b, n, 64 },
	} {
		b, n, at := change()
		if got, ok := decodeHeader(b, n, at); ok {
			t.Errorf("decodeHeader, %s = %+v", name, got)
		}
	}
}

// v1 are the blobs of testdata/v1, in order; the second is renewed a day later.
var v1 = [][]byte{[]byte("hello"), nil, bytesOf(1, 70_000), []byte("after the cut")}

func writeV1(t *testing.T, dir string) {
	clock := newClock()
	s := mustOpen(t, Config{Dir: dir, Now: clock.now, small: 2 * chunkBytes})
	for _, b := range v1[:3] {
		mustPut(t, s, b)
	}
	mustClose(t, s)
	s = mustOpen(t, Config{Dir: dir, Now: clock.now, small: chunkBytes})
	s.Put(t.Context(), brokenAfter(bytesOf(2, 66_000)))
	mustPut(t, s, v1[3])
	clock.advance(24 * time.Hour)
	mustPut(t, s, v1[1])
	mustClose(t, s)
}

// What version 1 wrote is read by every later one, with checkpoints and without.
func TestReadsV1(t *testing.T) {
	if *rewrite {
		os.RemoveAll("testdata/v1")
		writeV1(t, "testdata/v1")
		os.Remove("testdata/v1/" + lockName)
	}
	for _, scanned := range []bool{false, true} {
		s := mustOpen(t, Config{Dir: "v1", FS: copyOf(t, "testdata/v1", scanned)})
		for _, b := range v1 {
			wantBlob(t, s, b)
		}
		date := newClock().now()
		for i, want := range []time.Time{date, date.Add(24 * time.Hour), date, date} {
			d := parley.Digest(sha256.Sum256(v1[i]))
			wantInfo(t, s, Info{Ref: Ref{Digest: d, Size: int64(len(v1[i]))}, Date: want})
		}
		r := wantSound(t, s, 4)
		if r.Renewals != 1 || r.CutBytes == 0 || s.Recovered().CutBytes != 0 {
			t.Errorf("Check = %+v, Recovered = %+v", r, s.Recovered())
		}
	}
}

// copyOf brings a folder of the disk into memory, without its checkpoints if asked.
func copyOf(t *testing.T, dir string, scanned bool) *vfs.MemFS {
	t.Helper()
	mem := vfs.NewMem()
	names, err := filepath.Glob(dir + "/*")
	if err != nil || len(names) == 0 {
		t.Fatal("nothing in", dir, err)
	}
	for _, name := range names {
		if raw, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		} else if !scanned || !strings.HasSuffix(name, checkpointSuffix) {
			writeFile(t, mem, "v1", filepath.Base(name), raw)
		}
	}
	return mem
}
