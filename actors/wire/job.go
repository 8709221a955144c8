package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setJob wraps the commands on many messages, and what is asked of their jobs.
func setJob(m *pb.Request, cmd any) bool {
	switch c := cmd.(type) {
	case mailbox.ChangeMany:
		m.Command = &pb.Request_ChangeMany{ChangeMany: &pb.ChangeMany{
			Cmd: command(c.Cmd), Job: string(c.Job), IfMatch: uint64(c.IfMatch), Messages: list[string](c.Messages),
			Change: change(c.Change),
		}}
	case mailbox.ReadFolder:
		m.Command = &pb.Request_ReadFolder{ReadFolder: &pb.ReadFolder{
			Cmd: command(c.Cmd), Job: string(c.Job), Folder: string(c.Folder),
		}}
	case mailbox.StartTransfer:
		m.Command = &pb.Request_StartTransfer{StartTransfer: startTransfer(c)}
	case mailbox.CancelJob:
		m.Command = &pb.Request_CancelJob{CancelJob: &pb.CancelJob{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Job: string(c.Job),
		}}
	case mailbox.AskJob:
		m.Command = &pb.Request_AskJob{AskJob: &pb.AskJob{Id: string(c.ID)}}
	case mailbox.AskJobs:
		m.Command = &pb.Request_AskJobs{AskJobs: &pb.AskJobs{Page: page(c.Page)}}
	default:
		return false
	}
	return true
}

func (r *reader) job(m *pb.Request) any {
	switch c := m.GetCommand().(type) {
	case *pb.Request_ChangeMany:
		d := c.ChangeMany
		return mailbox.ChangeMany{
			Cmd: r.keyed(d.GetCmd()), Job: parley.JobID(d.GetJob()), IfMatch: revision(d.GetIfMatch()),
			Messages: list[parley.MessageID](d.GetMessages()), Change: unchange(d.GetChange()),
		}
	case *pb.Request_ReadFolder:
		d := c.ReadFolder
		return mailbox.ReadFolder{
			Cmd: r.keyed(d.GetCmd()), Job: parley.JobID(d.GetJob()), Folder: parley.FolderID(d.GetFolder()),
		}
	case *pb.Request_StartTransfer:
		return r.startTransfer(c.StartTransfer)
	case *pb.Request_CancelJob:
		d := c.CancelJob
		return mailbox.CancelJob{
			Cmd: r.keyed(d.GetCmd()), IfMatch: revision(d.GetIfMatch()), Job: parley.JobID(d.GetJob()),
		}
	case *pb.Request_AskJob:
		return mailbox.AskJob{ID: parley.JobID(c.AskJob.GetId())}
	case *pb.Request_AskJobs:
		return mailbox.AskJobs{Page: unpage(c.AskJobs.GetPage())}
	}
	return nil
}

func jobView(j parley.Job) *pb.Job {
	return &pb.Job{
		Id: string(j.ID), Kind: string(j.Kind), State: string(j.State), Done: j.Done, Total: j.Total,
		Result: tally(j.Result), Error: j.Error, CreatedAt: micros(j.CreatedAt), FinishedAt: micros(j.FinishedAt),
		Revision: uint64(j.Revision), Transfer: transferView(j.Transfer),
	}
}

func unjobView(j *pb.Job) parley.Job {
	if j == nil {
		return parley.Job{}
	}
	return parley.Job{
		ID: parley.JobID(j.Id), Kind: parley.JobKind(j.Kind), State: parley.JobState(j.State), Done: j.Done, Total: j.Total,
		Result: untally(j.Result), Error: j.Error, CreatedAt: moment(j.CreatedAt), FinishedAt: moment(j.FinishedAt),
		Revision: revision(j.Revision), Transfer: untransferView(j.Transfer),
	}
}

// eventJob is nil for events of other things.
func eventJob(j *parley.Job) *pb.Job {
	if j == nil {
		return nil
	}
	return jobView(*j)
}

func uneventJob(j *pb.Job) *parley.Job {
	if j == nil {
		return nil
	}
	return new(unjobView(j))
}

func tally(t parley.Tally) *pb.Tally {
	return &pb.Tally{Changed: t.Changed, Missing: t.Missing, Stale: t.Stale}
}

func untally(t *pb.Tally) parley.Tally {
	return parley.Tally{Changed: t.GetChanged(), Missing: t.GetMissing(), Stale: t.GetStale()}
}
