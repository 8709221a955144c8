package blob

import "slices"

// lease hands out a volume for appending, which nobody else appends to until
// release: the fullest that is free, or a new one.
func (s *Volumes) lease() (*volume, error) {
	s.mu.Lock()
	best := -1
	for i, v := range s.free {
		if best < 0 || v.end.Load() > s.free[best].end.Load() {
			best = i
		}
	}
	if best >= 0 {
		v := s.free[best]
		s.free = slices.Delete(s.free, best, best+1)
		v.leased = true
		s.mu.Unlock()
		return v, nil
	}
	number := s.next
	s.next++
	s.mu.Unlock()
	return s.newVolume(number)
}

func (s *Volumes) newVolume(number uint32) (*volume, error) {
	v, err := s.createVolume(number)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[number], v.leased = v, true
	return v, nil
}

// release gives a volume back. One that got nothing but the rest of a failed
// upload goes, so that uploads begun and dropped leave nothing behind.
func (s *Volumes) release(v *volume) {
	end := v.end.Load()
	if end == volumeHeaderBytes && v.written > end {
		s.discard(v)
		return
	}
	full := v.sealed || end >= s.cfg.VolumeBytes
	if !v.sealed && (full || v.check.due(end)) {
		s.save(v)
	}
	if full {
		s.finish(v)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v.leased = false
	if !full {
		s.free = append(s.free, v)
	}
}

// save writes a block of the checkpoint. Without it a start takes longer, nothing else.
func (s *Volumes) save(v *volume) {
	if v.check.broken {
		v.check.pending = nil
		return
	}
	if err := v.check.write(v.end.Load(), false); err != nil {
		s.log.Warn("blob checkpoint not written", "volume", v.number, "error", err)
	}
}

// finish closes the checkpoint of a volume that takes no more.
func (s *Volumes) finish(v *volume) {
	if err := v.check.finish(s.sync); err != nil {
		s.log.Warn("blob checkpoint not closed", "volume", v.number, "error", err)
	}
}

func (s *Volumes) discard(v *volume) {
	s.mu.Lock()
	delete(s.all, v.number)
	s.mu.Unlock()
	if err := v.drop(); err != nil {
		s.log.Warn("blob volume not closed", "volume", v.number, "error", err)
	}
	if err := s.removeFiles(v.number); err != nil {
		s.log.Warn("blob volume not removed", "volume", v.number, "error", err)
	}
}

// seal ends a volume whose write or sync failed, at what was durable before. The
// checkpoint says so: after a failed sync the pages in memory look clean,
// and a later start must not take them for durable. The release that follows makes
// the checkpoint durable, before anybody is answered.
func (s *Volumes) seal(v *volume, cause error) {
	v.sealed = true
	s.log.Error("blob volume sealed", "volume", v.number, "end", v.end.Load(), "error", cause)
	if err := v.check.write(v.end.Load(), true); err != nil {
		s.log.Error("blob volume's seal not written", "volume", v.number, "error", err)
	}
}

// commit makes what was appended count: the index has it, the volume ends behind it.
func (s *Volumes) commit(v *volume, records []record, end int64) {
	for _, r := range records {
		s.index.apply(r)
	}
	v.extend(records, end)
}

// extend ends a volume behind needles that are durable and in the index.
func (v *volume) extend(records []record, end int64) {
	v.check.pending = append(v.check.pending, records...)
	v.written = max(v.written, end)
	v.end.Store(end)
}
