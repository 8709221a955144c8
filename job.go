package parley

import "time"

// JobID names a job of an account: job_ and 26 characters.
type JobID string

// JobPrefix is of a JobID.
const JobPrefix = "job_"

// Valid reports whether the id is spelled canonically.
func (id JobID) Valid() bool { _, err := ParseID(JobPrefix, string(id)); return err == nil }

// Job is the id of the job that command c becomes if it is a long one.
func (s Secret) Job(c CommandID) JobID {
	return JobID(FormatID(JobPrefix, s.Derive("job", string(c[:]))))
}

// JobKind says what a job does.
type JobKind string

// The kinds of jobs.
const (
	JobChangeMessages JobKind = "change_messages" // messages named one by one
	JobChangeThread   JobKind = "change_thread"
	JobDeleteThread   JobKind = "delete_thread" // to Trash
	JobPurgeThread    JobKind = "purge_thread"
	JobRestoreThread  JobKind = "restore_thread"
	JobReadFolder     JobKind = "read_folder" // marks all in it read
)

// JobState says how far a job is.
type JobState string

// The states of jobs. The last three are final.
const (
	JobQueued   JobState = "queued"
	JobRunning  JobState = "running"
	JobDone     JobState = "done"
	JobFailed   JobState = "failed"
	JobCanceled JobState = "canceled"
)

// Over reports whether nothing more will happen.
func (s JobState) Over() bool { return s == JobDone || s == JobFailed || s == JobCanceled }

// Job is a command that touches too much for one action: it runs as a series of
// them, between which other commands are carried out.
type Job struct {
	ID         JobID
	Kind       JobKind
	State      JobState
	Done       int64    // of Total
	Total      int64    // as far as it is known
	Result     Tally    // so far
	Transfer   Transfer // of an import or export
	Error      string
	CreatedAt  time.Time
	FinishedAt time.Time // zero until it is over
	Revision   Revision
}

// Tally counts what a command on many messages came to.
type Tally struct {
	Changed int64
	Missing int64 // not in the mailbox
	Stale   int64 // changed since the revision that the command named
}

// Add puts two tallies together.
func (t Tally) Add(o Tally) Tally {
	return Tally{t.Changed + o.Changed, t.Missing + o.Missing, t.Stale + o.Stale}
}

// Outcome answers a command that may become a job.
type Outcome struct {
	Revision Revision
	Replayed bool
	Job      JobID // "" when it is all done
	Behind   bool  // the room has the change, the caller's copy not yet
	Tally    Tally
}

// Bounds of jobs.
const (
	MaxListed = 10_000 // messages named by one command
	MaxJobs   = 100    // jobs kept of one account; the oldest that is over goes first
	MaxQueued = 16     // that are not over
	JobLife   = 7 * 24 * time.Hour
)
