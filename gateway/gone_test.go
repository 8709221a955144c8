package gateway

import (
	"testing"

	"github.com/parley-im/parley"
)

// TestRepeatGone: a repeat whose answer is read again, and of which there is nothing
// any more, is 410.
func TestRepeatGone(t *testing.T) {
	thread, split := "/v1/threads/"+string(invoice), `{"from":"`+string(bill)+`"}`
	for _, c := range []struct {
		name, method, path, body string
		first                    int
		reads                    string
	}{
		{"createFolder", "POST", "/v1/folders", `{"name":"Ships"}`, 201, "Folder"},
		{"updateFolder", "PATCH", "/v1/folders/" + string(boats), `{"name":"Ships"}`, 200, "Folder"},
		{"updateThread", "PATCH", thread, `{"muted":true}`, 200, "Thread"},
		{"restoreThread", "POST", thread + "/restore", "", 200, "Thread"},
		{"splitThread", "POST", thread + "/split", split, 201, "Thread"},
		{"mergeThreads", "POST", thread + "/merge", `{"thread":"` + string(boat) + `"}`, 200, "Thread"},
		{"updateMessage", "PATCH", "/v1/messages/" + string(hello), `{"seen":true}`, 200, "Message"},
		{"readFolder", "POST", "/v1/folders/inbox/read", "", 202, "Job"},
		{"cancelJob", "DELETE", "/v1/jobs/" + string(long.ID), "", 200, "Job"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, nil)
			h.jobs = []parley.Job{long}
			h.want(c.first, "", c.method, c.path, c.body, asAna, key("k"))
			h.hook = failing(c.reads, notFound("thing"))
			h.want(410, "gone", c.method, c.path, c.body, asAna, key("k"))
		})
	}
}
