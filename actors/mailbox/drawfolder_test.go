package mailbox_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// Few folders and labels, so that they meet; they are made, deleted, and made again.
var (
	ownFolders = []parley.FolderID{folderID(0), folderID(1), folderID(2)}
	ownLabels  = []parley.FolderID{labelID(0), labelID(1)}
	everywhere = slices.Concat(parley.FixedFolders[:], ownFolders, ownLabels)
)

// folder makes, changes or deletes a folder or label.
func (p *play) folder() {
	own := slices.Concat(ownFolders, ownLabels)
	id := draw(p, "folder", own...)
	switch rapid.IntRange(0, 5).Draw(p.T, "what") {
	case 0:
		p.changeFolder(id)
	case 1:
		c := mailbox.DeleteFolder{Cmd: p.key(), ID: id, Messages: draw(p, "messages", parley.LeaveNone, parley.LeaveArchive, parley.LeaveTrash, parley.LeaveRemove)}
		c.IfMatch = p.ifMatch(p.naive.folders[id].Revision)
		p.keyed(c)
	default:
		p.keyed(mailbox.CreateFolder{Cmd: p.key(), ID: id, Name: p.folderName(), Parent: p.above(), Color: draw(p, "color", "", "#00ff7f")})
	}
}

func (p *play) changeFolder(id parley.FolderID) {
	c := mailbox.ChangeFolder{Cmd: p.key(), ID: draw(p, "of", id, id, id, parley.Inbox)}
	if p.some("rename") {
		c.Change.Name = new(p.folderName())
	}
	if p.some("move") {
		c.Change.Parent = new(p.above())
	}
	if p.some("color") {
		c.Change.Color = new(draw(p, "color", "", "#000000"))
	}
	c.IfMatch = p.ifMatch(p.naive.folders[c.ID].Revision)
	p.keyed(c)
}

func (p *play) folderName() string {
	return draw(p, "name", "", "boats", "BOATS", "Zürich", "zÜrich", "cars", "inbox", "Trash", "x", "\u202eboats")
}

func (p *play) above() parley.FolderID {
	return draw(p, "below", "", "", "", parley.Archive, parley.Trash, ownFolders[0], ownFolders[1], ownLabels[0], ownLabels[1])
}
