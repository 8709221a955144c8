package gateway

import (
	"fmt"
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
	if labels != nil && (len(labels) < least || len(labels) > maxFolders) {
		t.Fail(edge.Bad(field, fmt.Sprintf("%d to %d labels.", least, maxFolders)))
	}
	for i, f := range labels {
		if !f.Valid() || !f.IsLabel() || slices.Contains(labels[:i], f) {
			t.Fail(edge.Bad(fmt.Sprintf("%s.%d", field, i), "There is no such label, or it is there twice."))
		}
	}
}

// foldersOf and labelsOf part what something is in; neither is nil.
func foldersOf(all []parley.FolderID) []parley.FolderID {
	return slices.DeleteFunc(each(all, same), parley.FolderID.IsLabel)
}

func labelsOf(all []parley.FolderID) []parley.FolderID {
	return slices.DeleteFunc(each(all, same), func(f parley.FolderID) bool { return !f.IsLabel() })
}
