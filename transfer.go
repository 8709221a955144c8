package parley

import "time"

// The kinds of jobs that bring mail in and out.
const (
	JobImport JobKind = "import"
	JobExport JobKind = "export"
)

// Transfer reports whether jobs of this kind bring mail in or out.
func (k JobKind) Transfer() bool { return k == JobImport || k == JobExport }

// Format is how an export is written.
type Format string

// The formats of exports. An mbox says nothing of flags and folders.
const (
	FormatMbox    Format = "mbox"
	FormatMaildir Format = "maildir" // in a zip
	FormatEML     Format = "eml"     // in a zip
)

// NewImport asks for the mail of an archive.
type NewImport struct {
	Blob   BlobID
	Folder FolderID // for what does not say where it was; "" is Inbox
}

// NewExport asks for an archive of mail.
type NewExport struct {
	Format Format
	Folder FolderID // or label, whose messages are meant; "" is all there are
}

// Transfer is what an import or export is about, and what it came to so far.
type Transfer struct {
	Folder FolderID
	Format Format // of an export
	Blob   BlobID // the archive: of an import what was asked for, of an export what was made
	Name   string
	Type   string
	Size   int64

	Added   int64 // import: messages that were not here
	Known   int64 // import: messages that were
	Refused int64 // import: messages that are too large, or empty
	Skipped int64 // import: links and what else is neither file nor folder
	Lost    int64 // export: messages whose bytes are missing

	ExpiresAt time.Time // of what an export made, then it is gone
}

// Bounds of imports and exports.
const (
	MaxTransfers = 4 // of an account that are not over; one runs at a time
	MaxExports   = 3 // archives kept of an account; the oldest goes first
)
