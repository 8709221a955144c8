package blob

import (
	"sync/atomic"

	"github.com/parley-im/parley"
)

// Damage is one thing that is wrong.
type Damage struct {
	Digest parley.Digest // zero where no needle can be made out
	Volume uint32
	Offset int64
	Bytes  int64
	Reason string
}

// Report is what a look at the volumes found.
type Report struct {
	Volumes  int
	Needles  int64 // blobs, renewals, deletes and cuts
	Blobs    int64 // that can be opened
	Renewals int64
	Deletes  int64
	Copies   int64 // blobs stored a second time, which compaction will drop
	Ended    int64 // blobs that were deleted, which it will drop too
	Bytes    int64 // looked at
	CutBytes int64 // of torn tails and failed appends

	Damages       []Damage // the first 1,000
	DamageCount   int64
	IndexMissing  int64 // sound needles that the index does not know
	IndexDangling int64 // blobs in the index whose needle is not there
}

// Sound reports whether nothing is wrong. Cuts are not wrong: nothing in them was ever acknowledged.
func (r Report) Sound() bool {
	return r.DamageCount == 0 && r.IndexMissing == 0 && r.IndexDangling == 0
}

const mostDamages = 1000

func (r *Report) damage(d Damage) {
	r.DamageCount++
	if len(r.Damages) < mostDamages {
		r.Damages = append(r.Damages, d)
	}
}

func (r *Report) damaged(volume uint32, f found) {
	d := Damage{Digest: f.header.digest, Volume: volume, Offset: f.from, Bytes: f.to - f.from, Reason: "no needle begins here"}
	if f.bad != nil {
		d.Reason = f.bad.Error()
	}
	r.damage(d)
}

// Counters count since Open, for metrics and for the tests of the cost budget.
type Counters struct {
	Puts      int64 // calls of Put
	Appended  int64 // bytes of needles that became durable
	Syncs     int64 // of all files and the folder
	Reads     int64 // blobs opened
	DiskReads int64 // reads of a volume for blobs; without Open and Check
	Damaged   int64 // reads that failed their checksums
	Ended     int64 // blobs that sweeps ended
	Freed     int64 // bytes that compactions gave back
}

type counters struct {
	puts, appended, syncs, reads, diskReads, damaged, ended, freed atomic.Int64
}

// Counters gives the counts so far.
func (s *Volumes) Counters() Counters {
	c := &s.count
	return Counters{
		Puts: c.puts.Load(), Appended: c.appended.Load(), Syncs: c.syncs.Load(),
		Reads: c.reads.Load(), DiskReads: c.diskReads.Load(), Damaged: c.damaged.Load(),
		Ended: c.ended.Load(), Freed: c.freed.Load(),
	}
}
