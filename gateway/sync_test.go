package gateway

import (
	"slices"
	"testing"

	"github.com/parley-im/parley"
)

// What events come to: each id once, as it stands in the end, and nothing of what
// came and went in between.
func TestChangesAreSettled(t *testing.T) {
	var c changes
	for _, e := range []parley.Event{
		{Type: parley.MessageCreated, Thread: "t1", Message: "new"},
		{Type: parley.MessageUpdated, Thread: "t1", Message: "old"},
		{Type: parley.MessageUpdated, Thread: "t1", Message: "new"},
		{Type: parley.MessageCreated, Thread: "t2", Message: "brief"},
		{Type: parley.MessageRemoved, Thread: "t2", Message: "brief"},
		{Type: parley.MessageRemoved, Thread: "t1", Message: "old"},
		{Type: parley.DraftCreated, Thread: "t3", Message: "draft"},
		{Type: parley.DraftRemoved, Thread: "t3", Message: "draft"},
		{Type: parley.MessageCreated, Thread: "t3", Message: "draft"},
		{Type: parley.FolderRemoved, Folder: "f"},
		{Type: parley.FolderCreated, Folder: "f"},
		{Type: parley.JobUpdated, Job: &parley.Job{ID: "j"}},
		{Type: parley.JobFinished, Job: &parley.Job{ID: "j"}},
		{Type: parley.CountsChanged, Badge: 1},
		{Type: parley.CountsChanged, Badge: 2, Other: 3},
	} {
		c.tell(e)
	}
	c.settle()
	check := func(what string, got, want []string) {
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	check("messages", texts(c.Messages.Changed), []string{"new", "draft"})
	check("messages removed", texts(c.Messages.Removed), []string{"old"})
	check("drafts", texts(c.Drafts.Changed), nil)
	check("drafts removed", texts(c.Drafts.Removed), nil)
	check("folders", texts(c.Folders.Changed), []string{"f"})
	check("threads", texts(c.Threads.Changed), []string{"t1", "t2", "t3"})
	check("jobs", texts(c.Jobs), []string{"j"})
	if c.Counts == nil || *c.Counts != (ofCounts{2, 3}) {
		t.Errorf("counts: got %v", c.Counts)
	}
}

func texts[ID ~string](ids []ID) []string {
	return each(ids, func(id ID) string { return string(id) })
}
