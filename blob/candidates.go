package blob

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// The form of the file "candidates", which every whole sweep writes anew:
//
//	 0  "parleysw"    8  Unix seconds of the sweep (8)   16  count (8)
//	then count records of 40 bytes, by digest:
//	 0  digest (32)  32  Unix seconds of the first sweep since which nobody names it (8)
//	then CRC32C of all before (4)
//
// One that is not whole counts for nothing: the blobs wait for two sweeps again.
const (
	candidatesName   = "candidates"
	candidatesMagic  = "parleysw"
	candidatesHeader = 24
	candidateBytes   = 40
)

// candidates are the blobs that no sweep since a time found a name for.
type candidates struct {
	at    int64 // Unix seconds of the last whole sweep; 0 for none
	since map[parley.Digest]int64
}

func (c candidates) encode() []byte {
	out := binary.LittleEndian.AppendUint64([]byte(candidatesMagic), uint64(c.at))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(c.since)))
	for _, d := range slices.SortedFunc(maps.Keys(c.since), func(a, b parley.Digest) int { return bytes.Compare(a[:], b[:]) }) {
		out = append(out, d[:]...)
		out = binary.LittleEndian.AppendUint64(out, uint64(c.since[d]))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// decodeCandidates is false for anything but what encode wrote.
func decodeCandidates(raw []byte) (c candidates, ok bool) {
	body := len(raw) - sumBytes
	if body < candidatesHeader || string(raw[:8]) != candidatesMagic || (body-candidatesHeader)%candidateBytes != 0 {
		return c, false
	}
	if binary.LittleEndian.Uint32(raw[body:]) != crc32.Checksum(raw[:body], castagnoli) {
		return c, false
	}
	count := uint64(body-candidatesHeader) / candidateBytes
	if binary.LittleEndian.Uint64(raw[16:]) != count {
		return c, false
	}
	c = candidates{at: int64(binary.LittleEndian.Uint64(raw[8:])), since: make(map[parley.Digest]int64, count)}
	for at := candidatesHeader; at < body; at += candidateBytes {
		c.since[parley.Digest(raw[at:at+32])] = int64(binary.LittleEndian.Uint64(raw[at+32:]))
	}
	return c, true
}

// loadCandidates reads what the last whole sweep left. A file that is damaged, or
// of a time that has not come yet, is none.
func (s *Volumes) loadCandidates(now time.Time) (candidates, error) {
	raw, err := s.readAll(candidatesName)
	if errors.Is(err, fs.ErrNotExist) {
		return candidates{}, nil
	}
	if err != nil {
		return candidates{}, fmt.Errorf("read what the last sweep found: %w", err)
	}
	c, ok := decodeCandidates(raw)
	if !ok || c.at > now.Unix() {
		s.log.Warn("what the last sweep of the blobs found does not count", "whole", ok)
		return candidates{}, nil
	}
	return c, nil
}

func (s *Volumes) readAll(name string) ([]byte, error) {
	f, err := s.fs.Open(s.path(name))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(f)
	return raw, errors.Join(err, f.Close())
}

// saveCandidates leaves the old file or the new one, whole.
func (s *Volumes) saveCandidates(c candidates) error {
	part := s.path(candidatesName + ".part")
	f, err := s.fs.Create(part, vfs.WriteCategoryUnspecified)
	if err == nil {
		_, err = f.Write(c.encode())
		if err == nil {
			err = s.sync(f.Sync)
		}
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = s.fs.Rename(part, s.path(candidatesName))
	}
	if err == nil {
		err = s.syncDir(s.dir)
	}
	if err != nil {
		return fmt.Errorf("note what this sweep found: %w", err)
	}
	return nil
}

// LastSweep is when the last whole sweep began; zero if there was none.
func (s *Volumes) LastSweep() (time.Time, error) {
	c, err := s.loadCandidates(s.cfg.Now())
	if err != nil || c.at == 0 {
		return time.Time{}, err
	}
	return time.Unix(c.at, 0).UTC(), nil
}
