package gateway

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
)

// long is a job that runs.
var long = parley.Job{
	ID: parley.JobID(parley.FormatID(parley.JobPrefix, secret.Derive("test", "long"))), Kind: parley.JobReadFolder, State: parley.JobRunning,
	Done: 500, Total: 1200, Result: parley.Tally{Changed: 500}, CreatedAt: noon, Revision: 9,
}

func outcome(rev parley.Revision, replayed bool, err error) (parley.Outcome, error) {
	return parley.Outcome{Revision: rev, Replayed: replayed}, err
}

func (f *fake) ChangeMany(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Outcome, error) {
	leave, err := f.enter(ctx, "ChangeMany", ids)
	if err != nil {
		return parley.Outcome{}, err
	}
	defer leave()
	o, replayed, err := remember(f, cmd, func() (o parley.Outcome, _ error) {
		for _, id := range ids {
			switch i := f.find(id); {
			case i < 0:
				o.Tally.Missing++
			case ifMatch != 0 && f.messages[i].Revision > ifMatch:
				o.Tally.Stale++
			default:
				o.Tally.Changed++
			}
		}
		o.Revision = f.act(parley.Event{Type: parley.MessageUpdated, Thread: boat, Message: hello, Cause: cmd.ID})
		return o, nil
	})
	o.Replayed = replayed
	return o, err
}

// ReadFolder makes a job of Inbox.
func (f *fake) ReadFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, folder parley.FolderID) (parley.Outcome, error) {
	leave, err := f.enter(ctx, "ReadFolder", folder)
	if err != nil {
		return parley.Outcome{}, err
	}
	defer leave()
	if !slices.Contains(parley.FixedFolders[:], folder) && folder != boats {
		return parley.Outcome{}, notFound("folder")
	}
	o, replayed, err := remember(f, cmd, func() (parley.Outcome, error) {
		if folder == parley.Inbox {
			f.jobs = append(f.jobs, long)
			return parley.Outcome{Revision: f.rev, Job: long.ID}, nil
		}
		return parley.Outcome{Revision: f.rev}, nil
	})
	o.Replayed = replayed
	return o, err
}

func (f *fake) Job(ctx context.Context, acc parley.AccountID, id parley.JobID, atLeast parley.Revision) (parley.Job, parley.Revision, error) {
	leave, err := f.enter(ctx, "Job", id)
	if err != nil {
		return parley.Job{}, 0, err
	}
	defer leave()
	for _, j := range f.jobs {
		if j.ID == id {
			return j, f.rev, behind(atLeast, f.rev)
		}
	}
	return parley.Job{}, 0, notFound("job")
}

func (f *fake) Jobs(ctx context.Context, acc parley.AccountID, p parley.Page, atLeast parley.Revision) (l parley.Listing[parley.Job], err error) {
	leave, err := f.enter(ctx, "Jobs", p)
	if err != nil {
		return l, err
	}
	defer leave()
	return parley.Listing[parley.Job]{Items: f.jobs, Revision: f.rev}, behind(atLeast, f.rev)
}

func (f *fake) CancelJob(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.JobID) (parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "CancelJob", id)
	if err != nil {
		return 0, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Revision, error) {
		for i := range f.jobs {
			if j := &f.jobs[i]; j.ID == id {
				if err := stale(uint64(ifMatch), uint64(j.Revision)); err != nil {
					return 0, err
				}
				j.State, j.FinishedAt = parley.JobCanceled, noon
				j.Revision = f.act(parley.Event{Type: parley.JobFinished, Job: j, Cause: cmd.ID})
				return j.Revision, nil
			}
		}
		return 0, notFound("job")
	})
}
