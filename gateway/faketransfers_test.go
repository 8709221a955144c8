package gateway

import (
	"context"

	"github.com/parley-im/parley"
)

// plan is an upload, and what exports make.
const plan parley.BlobID = "blb_wrme4i7dgsvtjpmx7mzyjtevye"

// moved is the import or export that a test asked for.
func moved(kind parley.JobKind, t parley.Transfer) parley.Job {
	return parley.Job{ID: parley.JobID(parley.FormatID(parley.JobPrefix, secret.Derive("test", string(kind)))), Kind: kind, State: parley.JobQueued,
		Transfer: t, CreatedAt: noon, Revision: 9}
}

// StartImport knows the upload plan, and takes it for no archive if its folder is Trash.
func (f *fake) StartImport(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewImport) (parley.Outcome, error) {
	leave, err := f.enter(ctx, "StartImport", n)
	if err != nil {
		return parley.Outcome{}, err
	}
	defer leave()
	switch {
	case n.Blob != plan:
		return parley.Outcome{}, &parley.Error{Code: parley.NotFound, Op: "test", Public: "there is no such blob", Field: "blob"}
	case n.Folder == parley.Trash:
		return parley.Outcome{}, &parley.Error{Code: parley.BadContent, Op: "test", Public: "this is no zip, tar, mbox or message", Field: "blob"}
	}
	return f.move(cmd, moved(parley.JobImport, parley.Transfer{Blob: n.Blob, Folder: n.Folder, Added: 3, Known: 1}))
}

// StartExport makes a job that is done.
func (f *fake) StartExport(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewExport) (parley.Outcome, error) {
	leave, err := f.enter(ctx, "StartExport", n)
	if err != nil {
		return parley.Outcome{}, err
	}
	defer leave()
	j := moved(parley.JobExport, parley.Transfer{Format: n.Format, Folder: n.Folder, Blob: plan, Name: "mail.zip", Type: "application/zip", Size: 9, ExpiresAt: noon})
	j.State, j.FinishedAt = parley.JobDone, noon
	return f.move(cmd, j)
}

func (f *fake) move(cmd parley.Command, j parley.Job) (parley.Outcome, error) {
	o, replayed, err := remember(f, cmd, func() (parley.Outcome, error) {
		f.jobs = append(f.jobs, j)
		return parley.Outcome{Revision: f.rev, Job: j.ID}, nil
	})
	o.Replayed = replayed
	return o, err
}
