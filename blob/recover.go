package blob

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// recover loads every volume of the folder.
func (s *Volumes) recover() error {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return fmt.Errorf("blob folder: %w", err)
	}
	var numbers []uint32
	for _, name := range names {
		if n, ok := volumeNumber(name); ok {
			numbers = append(numbers, n)
			s.next = max(s.next, n+1)
		}
	}
	s.findLost(names)
	slices.Sort(numbers)
	for _, n := range numbers {
		if err := s.loadVolume(n); err != nil {
			return err
		}
	}
	if err := s.syncDir(s.dir); err != nil { // a process that was killed may have left names
		return err
	}
	s.index.loaded()
	s.recovered.Volumes, s.recovered.Blobs = len(s.all), int64(s.index.len())
	return nil
}

// findLost reports volumes of which only the checkpoint is left.
func (s *Volumes) findLost(names []string) {
	for _, name := range names {
		stem, ok := strings.CutSuffix(name, checkpointSuffix)
		n, isNumber := volumeNumber(stem + volumeSuffix)
		if !ok || !isNumber || slices.Contains(names, stem+volumeSuffix) {
			continue
		}
		s.next = max(s.next, n+1)
		if info, err := s.fs.Stat(s.path(name)); err == nil && info.Size() > 0 {
			s.recovered.damage(Damage{Volume: n, Reason: "the volume's file is missing"})
			s.log.Error("blob volume missing", "volume", n)
		}
	}
}

// loadVolume opens one volume, takes in its checkpoint and scans the rest.
func (s *Volumes) loadVolume(number uint32) error {
	v := &volume{number: number}
	v.refs.Store(1)
	if err := s.openFiles(v); err != nil {
		return err
	}
	size, usable, err := s.identify(v)
	if err != nil || !usable {
		return errors.Join(err, v.drop())
	}
	s.all[number] = v
	if err := s.loadCheckpoint(v, size); err != nil {
		return err
	}
	if !v.sealed {
		if err := s.loadTail(v, size); err != nil {
			return err
		}
	}
	if v.sealed || v.end.Load() >= s.cfg.VolumeBytes {
		return v.check.close()
	}
	s.free = append(s.free, v)
	return nil
}

// identify finds the nonce of a volume. A file too short for a needle and without
// a whole header was never used: a crash came before its first sync.
func (s *Volumes) identify(v *volume) (size int64, usable bool, err error) {
	info, err := v.file.Stat()
	if err != nil {
		return 0, false, fmt.Errorf("volume %d: %w", v.number, err)
	}
	size = info.Size()
	raw := make([]byte, min(size, volumeHeaderBytes+headerBytes))
	if err := v.readFull(raw, 0); err != nil {
		return 0, false, err
	}
	if v.check.nonce, err = v.check.readNonce(); err != nil {
		return 0, false, err
	}
	n, version, ok := decodeVolumeHeader(raw, v.number)
	if ok && version != volumeVersion {
		return 0, false, fmt.Errorf("blob: volume %d has the form %d, this version reads %d", v.number, version, volumeVersion)
	}
	if !ok && size > volumeHeaderBytes {
		n, ok = s.findNonce(v, raw)
		s.recovered.damage(Damage{Volume: v.number, Reason: "the volume's header is lost"})
		s.log.Error("blob volume header lost", "volume", v.number, "recovered", ok)
	}
	v.nonce, v.check.nonce = n, n
	if !ok && size <= volumeHeaderBytes {
		return size, false, s.removeFiles(v.number)
	}
	return size, ok, nil
}

// findNonce reads the nonce of a volume that lost its header off the first
// needle, else off the checkpoint.
func (s *Volumes) findNonce(v *volume, raw []byte) (nonce, bool) {
	if len(raw) == volumeHeaderBytes+headerBytes {
		n := nonce(raw[volumeHeaderBytes:])
		if _, ok := decodeHeader(raw[volumeHeaderBytes:], n, volumeHeaderBytes); ok {
			return n, true
		}
	}
	return v.check.nonce, v.check.nonce != nonce{}
}

// loadCheckpoint takes in what the blocks list.
func (s *Volumes) loadCheckpoint(v *volume, size int64) error {
	err := v.check.load(size, func(b block) {
		v.sealed = b.sealed
		for _, r := range b.records {
			s.take(r)
		}
	})
	v.end.Store(v.check.to)
	v.written = size
	return err
}

func (s *Volumes) take(r record) {
	s.index.apply(r)
	s.serial.Store(max(s.serial.Load(), r.serial))
}
