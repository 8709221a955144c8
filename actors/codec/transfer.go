package codec

import (
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

// transfer is nil for a job that is none.
func (w *writer) transfer(t *mailbox.Transfer) *record.Transfer {
	if *t == (mailbox.Transfer{}) {
		return nil
	}
	fixed, id := folder(t.Folder)
	return &record.Transfer{
		Fixed: fixed, Folder: id, Format: number[record.Format](w, formats, t.Format), Blob: blobID(t.Blob),
		Digest: digest(t.Digest), Name: t.Name, Type: t.Type, Bytes: t.Bytes,
		Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped, Lost: t.Lost,
	}
}

func (r *reader) transfer(t *record.Transfer) mailbox.Transfer {
	if t == nil {
		return mailbox.Transfer{}
	}
	return mailbox.Transfer{
		Folder: r.folder(t.Fixed, t.Folder), Format: word(r, formats, t.Format), Blob: r.blobID(t.Blob),
		Digest: r.digest(t.Digest), Name: t.Name, Type: t.Type, Bytes: t.Bytes,
		Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped, Lost: t.Lost,
	}
}
