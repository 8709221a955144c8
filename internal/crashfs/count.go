package crashfs

import "sync/atomic"

// Op is a kind of operation that changes the medium, or Read.
type Op uint8

// The kinds.
const (
	Read Op = iota // Read and ReadAt, the one kind that Ops leaves out
	Create
	Write
	Sync     // of a file: Sync, SyncData, and SyncTo where it is a full sync
	SyncDir  // of a folder
	Rename   // ReuseForWrite too
	Remove   // RemoveAll too
	Link     //
	Mkdir    //
	Allocate // Preallocate
	numOps
)

var opNames = [numOps]string{"read", "create", "write", "sync", "syncdir", "rename", "remove", "link", "mkdir", "allocate"}

func (o Op) String() string { return opNames[o] }

// counts are monotonic; a benchmark takes the difference of two readings.
type counts struct {
	ops     atomic.Int64
	kinds   [numOps]atomic.Int64
	written atomic.Int64
}

func (c *counts) add(op Op) (nth int64) {
	c.kinds[op].Add(1)
	if op == Read {
		return 0
	}
	return c.ops.Add(1)
}

// Ops is the number of operations so far that would change the medium.
func (fs *FS) Ops() int { return int(fs.counts.ops.Load()) }

// Count is the number of operations of one kind.
func (fs *FS) Count(op Op) int { return int(fs.counts.kinds[op].Load()) }

// Syncs is the number of syncs of files and folders.
func (fs *FS) Syncs() int { return fs.Count(Sync) + fs.Count(SyncDir) }

// Written is the number of bytes written to files.
func (fs *FS) Written() int64 { return fs.counts.written.Load() }
