package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// Transfer is what an import or export is about, and what it came to. Its job's
// Done is how many messages of the archive were dealt with, from the front.
type Transfer struct {
	Folder parley.FolderID
	Format parley.Format
	Blob   parley.BlobID // the archive
	Digest parley.Digest // its bytes: of an import until it is over, of an export from then on
	Name   string
	Type   string
	Bytes  int64

	Added, Known, Refused, Skipped, Lost int64
}

// public is the transfer as the edges speak of it; expires is when the job is
// forgotten, 0 for not yet.
func (t Transfer) public(expires int64) parley.Transfer {
	out := parley.Transfer{Folder: t.Folder, Format: t.Format, Blob: t.Blob, Name: t.Name, Type: t.Type, Size: t.Bytes,
		Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped, Lost: t.Lost}
	if t.Format != "" && t.Blob != "" && expires != 0 {
		out.ExpiresAt = time.UnixMicro(expires).UTC()
	}
	return out
}

// expiry is when the job is forgotten, as its page has it.
func (g *Progressed) expiry() int64 {
	if g.Expires.IsZero() {
		return 0
	}
	return g.Expires.UnixMicro()
}

// StartTransfer queues an import or export. An import without a Digest is one of an
// archive that is not there: only its repeat is answered.
type StartTransfer struct {
	Cmd      parley.Command
	Job      parley.JobID
	Kind     parley.JobKind
	Transfer Transfer
}

// TransferPart is what an import or export did since the part before, decided with
// how far it is then: whatever is cut off, nothing is done twice. Nobody sends it:
// the runner beside the grain hands it in.
type TransferPart struct {
	Job     parley.JobID
	From    int64 // import: where the part begins; another one is refused
	To      int64
	Total   int64 // as far as it is known
	Letters []Letter
	Refused int64
	Skipped int64
	Lost    int64 // export: in all
	State   parley.JobState
	Error   string
	Made    Made // by an export that is done
}

// EndTransfer ends a job that cannot go on. Nobody sends it, as above.
type EndTransfer struct {
	Job   parley.JobID
	Error string
}

// Letter is one message of an import, and its place in the archive.
type Letter struct {
	N    int64
	Mail DeliverMail
}

// Made is the archive that an export made.
type Made struct {
	Blob   parley.BlobID
	Digest parley.Digest
	Name   string
	Type   string
	Bytes  int64
}

// Opaque is the same part with its only letter unread; of several nobody knows
// which one it was.
func (c TransferPart) Opaque() any {
	if len(c.Letters) != 1 {
		return c
	}
	l := c.Letters[0]
	l.Mail = l.Mail.Opaque().(DeliverMail)
	c.Letters = []Letter{l}
	return c
}

// Transfers are the imports and exports that are not over, in line. The header
// must be loaded.
func (s *State) Transfers() []parley.JobID { return s.header().Transfers }
