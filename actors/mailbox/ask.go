package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// The reads that a mailbox answers. Each is a query of State, and the plumbing
// adds bodies where the answer has them.
type (
	// AskStats reads the figures.
	AskStats struct{}
	// AskFolders reads the folders.
	AskFolders struct{}
	// AskThreads lists threads; People are the hashes of Query.Participant.
	AskThreads struct {
		Query  parley.ThreadQuery
		People []Hash
	}
	// AskThread reads one thread.
	AskThread struct{ ID parley.ThreadID }
	// AskMessages lists a thread's messages.
	AskMessages struct {
		Thread  parley.ThreadID
		Around  parley.MessageID
		Page    parley.Page
		Notices bool
	}
	// AskMessage reads one message.
	AskMessage struct{ ID parley.MessageID }
	// AskPlace reads one message without its text.
	AskPlace struct{ ID parley.MessageID }
	// AskBody locates the body of a message.
	AskBody struct{ ID parley.MessageID }
	// AskBlob locates what an outside blob name opens.
	AskBlob struct{ ID parley.BlobID }
	// AskJob reads one job.
	AskJob struct{ ID parley.JobID }
	// AskJobs lists jobs, newest first.
	AskJobs struct{ Page parley.Page }
	// AskEvents reads what came after an event, and waits for it if there is nothing yet.
	AskEvents struct {
		Since parley.Revision
		Index int // of the last event seen within Since; -1 for all of it seen
		Wait  time.Duration
		Limit int
	}
)

// The answers that are not nouns of package parley.
type (
	// Folders answers AskFolders.
	Folders struct {
		Folders  []parley.Folder
		Revision parley.Revision
	}
	// OneThread answers AskThread.
	OneThread struct {
		Thread   parley.Thread
		Revision parley.Revision
	}
	// OneMessage answers AskMessage.
	OneMessage struct {
		Message     parley.Message
		Explanation parley.Explanation
		Revision    parley.Revision
	}
	// OneJob answers AskJob.
	OneJob struct {
		Job      parley.Job
		Revision parley.Revision
	}
	// Bytes answers AskBody and AskBlob: where the bytes are. Raw mail in the
	// row comes along; a blob is opened by whoever asked. Path, if set, is the
	// part of that mail which is meant.
	Bytes struct {
		Raw        []byte
		Blob       parley.Digest
		Mail       bool
		Path       string
		Attachment parley.Attachment
		Revision   parley.Revision
	}
	// Events answers AskEvents.
	Events struct {
		Events []parley.Event
		Head   parley.Revision
	}
)
