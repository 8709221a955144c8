package gateway

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// labelChange is the part of a PATCH that is about labels; what is absent stays.
type labelChange struct {
	Labels       []parley.FolderID `json:"labels"`
	AddLabels    []parley.FolderID `json:"add_labels"`
	RemoveLabels []parley.FolderID `json:"remove_labels"`
}

func (b *labelChange) any() bool {
	return b.Labels != nil || b.AddLabels != nil || b.RemoveLabels != nil
}

func (b *labelChange) sanitize(t *edge.Texts) {
	if b.Labels != nil && (b.AddLabels != nil || b.RemoveLabels != nil) {
		t.Fail(edge.Bad("labels", "Either labels, or what to add and remove."))
	}
	labelNames(t, "labels", b.Labels, 0)
	labelNames(t, "add_labels", b.AddLabels, 1)
	labelNames(t, "remove_labels", b.RemoveLabels, 1)
}

// labelNames takes from least to maxFolders labels, or no list at all.
func labelNames(t *edge.Texts, field string, labels []parley.FolderID, least int) {
	if labels != nil {
		names(t, field, labels, bound{least, maxFolders, "labels"}, isLabel, unknownName("label"))
	}
}

func isFolder(f parley.FolderID) bool { return f.Valid() && !f.IsLabel() }

func isLabel(f parley.FolderID) bool { return f.Valid() && f.IsLabel() }

// foldersOf and labelsOf part what something is in; neither is nil.
func foldersOf(all []parley.FolderID) []parley.FolderID {
	return slices.DeleteFunc(each(all, same), parley.FolderID.IsLabel)
}

func labelsOf(all []parley.FolderID) []parley.FolderID {
	return slices.DeleteFunc(each(all, same), func(f parley.FolderID) bool { return !f.IsLabel() })
}
