package mailbox

import (
	"time"
	"unsafe"

	"github.com/parley-im/parley"
)

// Job is a page: a command that runs as a series of actions, and how far it came.
type Job struct {
	ID       parley.JobID
	Kind     parley.JobKind
	State    parley.JobState
	Done     int64
	Total    int64
	Tally    parley.Tally
	Error    string
	Created  int64 // microseconds
	Finished int64 // microseconds; 0 until it is over
	Expires  int64 // microseconds; 0 until it is over
	Revision parley.Revision
	Work     Work // nothing once it is over
	Transfer Transfer
}

// Work is what is left to do of a command on many messages. What such a command
// means is settled when it comes, so that each part does the same.
type Work struct {
	Messages []parley.MessageID // named one by one: those not dealt with
	Thread   parley.ThreadID    // all messages of one
	Folder   parley.FolderID    // all unread messages in one
	Patch    Changed            // without groups
	Archive  Switch
	Mute     Switch
	Op       ThreadOp
	IfMatch  parley.Revision // messages changed since are left alone; 0 is none
	Until    parley.Revision // messages filed later are left alone; 0 is none
	At       Reached
	Prior    parley.Revision // the last action so far
}

// Reached is how far the walk over a thread or folder came.
type Reached struct {
	Thread []byte // in the list of a folder
	After  []byte // in the thread
	Again  bool   // a folder's second walk, for threads that moved in the list
}

// Switch is a flag that may be left alone.
type Switch uint8

// The positions of a Switch.
const (
	Leave Switch = iota
	On
	Off
)

func switchOf(on *bool) Switch {
	switch {
	case on == nil:
		return Leave
	case *on:
		return On
	}
	return Off
}

// What a deletion came to is settled when it begins. Later parts must not judge
// again: what was just moved to Trash would be purged from there.
const (
	opTrash ThreadOp = 128 + iota
	opPurge
)

// Known reports whether this version has the operation.
func (op ThreadOp) Known() bool { return op <= OpRestore || op == opTrash || op == opPurge }

// Weight implements Page.
func (j *Job) Weight() int {
	return int(unsafe.Sizeof(*j)) + 48*len(j.Work.Messages) + len(j.Error) + len(j.Transfer.Name) + 128
}

// Public is the job as the edges speak of it.
func (j *Job) Public() parley.Job {
	out := parley.Job{ID: j.ID, Kind: j.Kind, State: j.State, Done: j.Done, Total: j.Total, Result: j.Tally, Error: j.Error,
		CreatedAt: time.UnixMicro(j.Created).UTC(), Revision: j.Revision}
	if j.Finished != 0 {
		out.FinishedAt = time.UnixMicro(j.Finished).UTC()
	}
	if j.Kind.Transfer() {
		out.Transfer = j.Transfer.public(j.Expires)
	}
	return out
}

// Started queues a job.
type Started struct{ Job Job }

// Progressed says how far a job came by the actions right before it.
type Progressed struct {
	Job     parley.JobID
	Kind    parley.JobKind
	State   parley.JobState
	Done    int64
	Total   int64
	Tally   parley.Tally
	Error   string
	Took    int64 // of the messages named one by one, from the front
	At      Reached
	Prior   parley.Revision // the last action of the job before this one
	Expires time.Time       // once it is over

	Transfer Transfer // of an import or export, as it stands now
	Dropped  bool     // what the export made ends, although it was over before
}

// Trees of jobs: all, newest first; those that are over, by expiry.
const (
	jobTree  = "J"
	overTree = "X"
)

func jobKey(id parley.JobID) Key { return Key(rune(jobPage)) + Key(id) }

func (j *Job) order() []byte {
	return append(newest(j.Created), rawID(parley.JobPrefix, string(j.ID))...)
}

func (j *Job) expiry() []byte {
	return append(oldest(j.Expires), rawID(parley.JobPrefix, string(j.ID))...)
}

func jobIDOf(key []byte) parley.JobID {
	return parley.JobID(parley.FormatID(parley.JobPrefix, [16]byte(key[len(key)-16:])))
}

func (t *tx) job(id parley.JobID) *Job {
	j, _ := t.get(jobKey(id)).(*Job)
	return j
}
