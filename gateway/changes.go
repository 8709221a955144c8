package gateway

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

const (
	maxSubject = 998 // RFC 5322 2.1.1: the longest line that mail carries
	maxFolders = 32
)

// messageChange leaves what is absent.
type messageChange struct {
	Seen    *bool             `json:"seen"`
	Flagged *bool             `json:"flagged"`
	Folders []parley.FolderID `json:"folders"`
	Add     []parley.FolderID `json:"add_folders"`
	Remove  []parley.FolderID `json:"remove_folders"`
	labelChange
}

// Sanitize holds the folders to names that there can be.
func (b *messageChange) Sanitize(t *edge.Texts) {
	if b.Seen == nil && b.Flagged == nil && !b.moves() {
		t.Fail(edge.Bad("", "There is nothing to change."))
	}
	if b.Folders != nil && (b.Add != nil || b.Remove != nil) {
		t.Fail(edge.Bad("folders", "Either folders, or what to add and remove."))
	}
	folderNames(t, "folders", b.Folders)
	folderNames(t, "add_folders", b.Add)
	folderNames(t, "remove_folders", b.Remove)
	b.labelChange.sanitize(t)
}

// moves reports whether folders or labels change.
func (b *messageChange) moves() bool {
	return b.Folders != nil || b.Add != nil || b.Remove != nil || b.labelChange.any()
}

func (b *messageChange) change() parley.Change {
	return parley.Change{
		Seen: b.Seen, Flagged: b.Flagged, Folders: b.Folders, Labels: b.Labels,
		Add: slices.Concat(b.Add, b.AddLabels), Remove: slices.Concat(b.Remove, b.RemoveLabels),
	}
}

// threadChange leaves what is absent.
type threadChange struct {
	Read    *bool             `json:"read"`
	Flagged *bool             `json:"flagged"`
	Folders []parley.FolderID `json:"folders"`
	Add     []parley.FolderID `json:"add_folders"`
	Remove  []parley.FolderID `json:"remove_folders"`
	labelChange
	Archived *bool           `json:"archived"`
	Muted    *bool           `json:"muted"`
	Subject  *string         `json:"subject"`
	Open     *bool           `json:"open"`
	History  *parley.History `json:"history"`
}

// Sanitize holds the fields to what a thread may have.
func (b *threadChange) Sanitize(t *edge.Texts) {
	if b.Archived == nil && b.Muted == nil && b.roomField() == "" {
		b.messages().Sanitize(t)
	} else if m := b.messages(); m.moves() {
		m.Sanitize(t)
	}
	if b.Subject != nil {
		t.Line("subject", b.Subject, maxSubject)
	}
	if b.History != nil {
		history(t, *b.History)
	}
}

func (b *threadChange) messages() *messageChange {
	return &messageChange{Seen: b.Read, Flagged: b.Flagged, Folders: b.Folders, Add: b.Add, Remove: b.Remove, labelChange: b.labelChange}
}

func (b *threadChange) change() parley.ThreadChange {
	return parley.ThreadChange{Change: b.messages().change(), Archived: b.Archived, Muted: b.Muted, Subject: b.Subject, Open: b.Open, History: b.History}
}

// roomField is a field that changes the room for all.
func (b *threadChange) roomField() string {
	switch {
	case b.Subject != nil:
		return "subject"
	case b.Open != nil:
		return "open"
	case b.History != nil:
		return "history"
	}
	return ""
}

func history(t *edge.Texts, h parley.History) {
	if h != parley.HistoryJoined && h != parley.HistoryAll {
		t.Fail(edge.Bad("history", "joined or all."))
	}
}

// folderNames takes one to maxFolders folders, or no list at all: a message is
// always somewhere.
func folderNames(t *edge.Texts, field string, folders []parley.FolderID) {
	if folders != nil {
		names(t, field, folders, bound{1, maxFolders, "folders"}, isFolder, unknownName("folder"))
	}
}
