package blob

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	volumeSuffix     = ".vol"
	checkpointSuffix = ".idx"
)

// volumeName is the name of a volume's file: "00000001.vol".
func volumeName(number uint32, suffix string) string {
	return fmt.Sprintf("%08d%s", number, suffix)
}

// volumeNumber reads it back; false for any other file.
func volumeNumber(name string) (uint32, bool) {
	digits, ok := strings.CutSuffix(name, volumeSuffix)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil && volumeName(uint32(n), volumeSuffix) == name
}

// volume is one open file of needles. Who leases it alone appends; anybody reads.
type volume struct {
	number uint32
	nonce  nonce
	file   vfs.File
	refs   atomic.Int32 // one of the store and one of each open blob; the last one closes the file
	end    atomic.Int64 // where the next needle goes; everything before is durable and in the index

	leased bool // under Volumes.mu: somebody appends, or compaction has it

	// Of the leaseholder:
	written int64 // bytes beyond end may be here, from appends that failed
	sealed  bool  // takes no more, whatever its length
	check   *checkpoint
}

func (v *volume) hold() { v.refs.Add(1) }

func (v *volume) drop() error {
	if v.refs.Add(-1) > 0 {
		return nil
	}
	return errors.Join(v.file.Close(), v.check.close())
}

// writeAt appends beyond end. From here on the file may hold a part of it.
func (v *volume) writeAt(b []byte, at int64) error {
	v.written = max(v.written, at+int64(len(b)))
	if _, err := v.file.WriteAt(b, at); err != nil {
		return fmt.Errorf("write volume %d at %d: %w", v.number, at, err)
	}
	return nil
}

// coverRest cuts what older failed appends left behind end, and returns where the
// volume ends then. vfs cannot truncate, and without the cut a scan would find their needles.
func (v *volume) coverRest(end int64) (int64, error) {
	if v.written <= end {
		return end, nil
	}
	info, err := v.file.Stat()
	if err != nil || info.Size() <= end {
		return end, err
	}
	return v.cut(end, info.Size())
}

// cut writes a cut from one offset to another, the next needle's or the end of
// the file, and returns where it ends: behind the end of the file by a little,
// if the rest is shorter than a header or not aligned.
func (v *volume) cut(from, to int64) (int64, error) {
	h := header{kind: kindCut, offset: from, size: padded(max(0, to-from-headerBytes)), durable: v.end.Load()}
	if err := v.writeAt(h.appendTo(nil, v.nonce), from); err != nil {
		return from, err
	}
	if to = max(to, from+headerBytes); to < h.end() {
		return h.end(), v.writeAt(make([]byte, h.end()-to), to)
	}
	return h.end(), nil
}

// readFull is ReadAt for a whole buffer, where an early end is damage.
func (v *volume) readFull(b []byte, at int64) error {
	n, err := v.file.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: volume %d ends before %d", ErrDamaged, v.number, at+int64(len(b)))
	}
	return fmt.Errorf("read volume %d at %d: %w", v.number, at, err)
}

// createVolume makes an empty volume and its checkpoint, durable with their names.
func (s *Volumes) createVolume(number uint32) (*volume, error) {
	v := &volume{number: number, written: volumeHeaderBytes}
	rand.Read(v.nonce[:])
	v.end.Store(volumeHeaderBytes)
	v.refs.Store(1)
	if err := s.openFiles(v); err != nil {
		return nil, err
	}
	_, err := v.file.WriteAt(encodeVolumeHeader(number, v.nonce), 0)
	if err == nil {
		err = s.sync(v.file.Sync)
	}
	if err == nil {
		err = s.syncDir(s.dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create volume %d: %w", number, err), v.drop(), s.removeFiles(number))
	}
	return v, nil
}

// openFiles opens, or creates, a volume's two files.
func (s *Volumes) openFiles(v *volume) error {
	f, err := s.fs.OpenReadWrite(s.path(volumeName(v.number, volumeSuffix)), vfs.WriteCategoryUnspecified, vfs.RandomReadsOption)
	if err != nil {
		return fmt.Errorf("open volume %d: %w", v.number, err)
	}
	c, err := s.fs.OpenReadWrite(s.path(volumeName(v.number, checkpointSuffix)), vfs.WriteCategoryUnspecified)
	if err != nil {
		return errors.Join(fmt.Errorf("open checkpoint %d: %w", v.number, err), f.Close())
	}
	v.file = f
	v.check = newCheckpoint(v.number, v.nonce, c)
	return nil
}

func (s *Volumes) removeFiles(number uint32) error {
	return errors.Join(
		s.fs.Remove(s.path(volumeName(number, volumeSuffix))),
		s.fs.Remove(s.path(volumeName(number, checkpointSuffix))))
}

// syncDir makes the names in a folder durable.
func (s *Volumes) syncDir(dir string) error {
	d, err := s.fs.OpenDir(dir)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return errors.Join(s.sync(d.Sync), d.Close())
}

// sync runs and counts one sync.
func (s *Volumes) sync(do func() error) error {
	if s.cfg.NoSync {
		return nil
	}
	s.count.syncs.Add(1)
	return do()
}
