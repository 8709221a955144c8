package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

func startTransfer(c mailbox.StartTransfer) *pb.StartTransfer {
	t := c.Transfer
	return &pb.StartTransfer{
		Cmd: command(c.Cmd), Job: string(c.Job), Kind: string(c.Kind), Digest: digest(t.Digest),
		Transfer: &pb.Transfer{
			Folder: string(t.Folder), Format: string(t.Format), Blob: string(t.Blob), Name: t.Name, Type: t.Type, Size: t.Bytes,
			Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped, Lost: t.Lost,
		},
	}
}

func (r *reader) startTransfer(c *pb.StartTransfer) mailbox.StartTransfer {
	t := c.GetTransfer()
	return mailbox.StartTransfer{
		Cmd: r.keyed(c.GetCmd()), Job: parley.JobID(c.GetJob()), Kind: parley.JobKind(c.GetKind()),
		Transfer: mailbox.Transfer{
			Folder: parley.FolderID(t.GetFolder()), Format: parley.Format(t.GetFormat()), Blob: parley.BlobID(t.GetBlob()),
			Digest: r.digest(c.GetDigest()), Name: t.GetName(), Type: t.GetType(), Bytes: t.GetSize(),
			Added: t.GetAdded(), Known: t.GetKnown(), Refused: t.GetRefused(), Skipped: t.GetSkipped(), Lost: t.GetLost(),
		},
	}
}

// transferView is nil for a job that is none.
func transferView(t parley.Transfer) *pb.Transfer {
	if t == (parley.Transfer{}) {
		return nil
	}
	return &pb.Transfer{
		Folder: string(t.Folder), Format: string(t.Format), Blob: string(t.Blob), Name: t.Name, Type: t.Type, Size: t.Size,
		Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped, Lost: t.Lost, ExpiresAt: micros(t.ExpiresAt),
	}
}

func untransferView(t *pb.Transfer) parley.Transfer {
	if t == nil {
		return parley.Transfer{}
	}
	return parley.Transfer{
		Folder: parley.FolderID(t.Folder), Format: parley.Format(t.Format), Blob: parley.BlobID(t.Blob), Name: t.Name, Type: t.Type,
		Size: t.Size, Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped, Lost: t.Lost, ExpiresAt: moment(t.ExpiresAt),
	}
}
