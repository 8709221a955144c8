package actors

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// uploadNames are the names that a log gives for a while: uploads until a message
// has them or they lapse, the archive of an import until it is over, and that of an
// export until it lapses or is dropped.
type uploadNames struct {
	blobs map[parley.BlobID]parley.Digest
	made  map[parley.BlobID]parley.JobID // by which export; none for an upload
	jobs  map[parley.JobID]parley.Digest
}

func newUploadNames() *uploadNames {
	return &uploadNames{map[parley.BlobID]parley.Digest{}, map[parley.BlobID]parley.JobID{}, map[parley.JobID]parley.Digest{}}
}

func (u *uploadNames) add(id parley.BlobID, b mailbox.Blob, now time.Time) {
	if !b.Lapsed(now) {
		u.blobs[id] = b.Digest
	}
	delete(u.made, id)
}

// job takes the names out of a job's action.
func (u *uploadNames) job(a *mailbox.Action, now time.Time) {
	if a.Started != nil {
		s := *a.Started
		u.jobs[s.Job.ID] = s.Job.Transfer.Digest
		s.Job.Transfer.Digest = parley.Digest{}
		a.Started = &s
		return
	}
	g := *a.Progressed
	t := g.Transfer
	if g.State.Over() {
		delete(u.jobs, g.Job)
	}
	switch {
	case g.Dropped:
		for id, by := range u.made {
			if by == g.Job {
				delete(u.blobs, id)
			}
		}
	case g.State.Over() && !t.Digest.IsZero():
		u.add(t.Blob, mailbox.Blob{Digest: t.Digest, At: a.At.UnixMicro()}, now)
		u.made[t.Blob] = g.Job
	}
	g.Transfer.Digest = parley.Digest{}
	a.Progressed = &g
}

// each gives all names.
func (u *uploadNames) each(name func(parley.Digest)) {
	for _, d := range u.blobs {
		name(d)
	}
	for _, d := range u.jobs {
		name(d)
	}
}
