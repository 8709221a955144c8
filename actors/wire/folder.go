package wire

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// setFolderChange wraps the commands that are about folders themselves.
func setFolderChange(m *pb.Request, cmd any) {
	switch c := cmd.(type) {
	case mailbox.CreateFolder:
		m.Command = &pb.Request_CreateFolder{CreateFolder: &pb.CreateFolder{
			Cmd: command(c.Cmd), Id: string(c.ID), Name: c.Name, Parent: string(c.Parent), Color: c.Color,
		}}
	case mailbox.ChangeFolder:
		m.Command = &pb.Request_ChangeFolder{ChangeFolder: &pb.ChangeFolder{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Id: string(c.ID), Name: c.Change.Name,
			Parent: optional(c.Change.Parent, spell[string, parley.FolderID]), Color: c.Change.Color,
		}}
	case mailbox.DeleteFolder:
		m.Command = &pb.Request_DeleteFolder{DeleteFolder: &pb.DeleteFolder{
			Cmd: command(c.Cmd), IfMatch: uint64(c.IfMatch), Id: string(c.ID), Messages: string(c.Messages),
			Thread: string(c.Thread), After: c.After,
		}}
	}
}

func (r *reader) folderChange(cmd any) any {
	switch c := cmd.(type) {
	case *pb.Request_CreateFolder:
		f := c.CreateFolder
		return mailbox.CreateFolder{
			Cmd: r.keyed(f.GetCmd()), ID: parley.FolderID(f.GetId()), Name: f.GetName(), Parent: parley.FolderID(f.GetParent()),
			Color: f.GetColor(),
		}
	case *pb.Request_ChangeFolder:
		f := c.ChangeFolder
		if f == nil {
			f = &pb.ChangeFolder{}
		}
		return mailbox.ChangeFolder{
			Cmd: r.keyed(f.Cmd), IfMatch: revision(f.IfMatch), ID: parley.FolderID(f.Id), Change: parley.FolderChange{
				Name: f.Name, Parent: optional(f.Parent, spell[parley.FolderID, string]), Color: f.Color,
			},
		}
	case *pb.Request_DeleteFolder:
		f := c.DeleteFolder
		return mailbox.DeleteFolder{
			Cmd: r.keyed(f.GetCmd()), IfMatch: revision(f.GetIfMatch()), ID: parley.FolderID(f.GetId()),
			Messages: r.leaving(f.GetMessages()), Thread: parley.ThreadID(f.GetThread()), After: f.GetAfter(),
		}
	}
	return nil
}

// leaving refuses a way that a later version knows, rather than take another.
func (r *reader) leaving(s string) parley.Leaving {
	switch l := parley.Leaving(s); l {
	case parley.LeaveNone, parley.LeaveArchive, parley.LeaveTrash, parley.LeaveRemove:
		return l
	}
	r.fail("messages of a folder left as %q", s)
	return parley.LeaveNone
}
