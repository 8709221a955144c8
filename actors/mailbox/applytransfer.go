package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// keepExport makes the archive of an export that is done the account's to open,
// as an upload is: it lapses by itself when the job is forgotten.
func (t *tx) keepExport(j *Job) {
	m := &j.Transfer
	if j.Kind != parley.JobExport || m.Digest.IsZero() {
		return
	}
	t.upload(&Uploaded{ID: m.Blob, Blob: Blob{Digest: m.Digest, Name: m.Name, Type: m.Type, Bytes: m.Bytes, At: j.Finished}})
	h := t.editHeader()
	h.Exports = append(slices.Clone(h.Exports), j.ID)
}

// dropExport ends the archive of an export. The same bytes may have been uploaded,
// or exported again, since.
func (t *tx) dropExport(j *Job) {
	m := &j.Transfer
	if j.Kind != parley.JobExport || m.Digest.IsZero() {
		return
	}
	h := t.editHeader()
	h.Exports = leave(h.Exports, j.ID)
	if b := t.blob(m.Blob); b != nil && b.uploaded() && b.At == j.Finished {
		t.dropUpload(m.Blob)
	}
	m.Blob, m.Digest = "", parley.Digest{}
}
