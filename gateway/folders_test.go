package gateway

import (
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

func TestFolderBodies(t *testing.T) {
	h := newHarness(t, nil)
	long := strings.Repeat("x", parley.MaxFolderName+1)
	for body, field := range map[string]string{
		`{}`: "name", `{"name":" "}`: "name", `{"name":"` + long + `"}`: "name", `{"name":"a\u0007"}`: "name",
		`{"name":"a\u202egpj.exe"}`: "name", `{"name":"Inbox\u200e"}`: "name", `{"name":"\u2067a\u2069"}`: "name",
		`{"name":"a","kind":"box"}`: "kind", `{"name":"a","color":"red"}`: "color", `{"name":"a","color":"#FFFFFF"}`: "color",
	} {
		h.want(400, "bad_request "+field, "POST", "/v1/folders", body, asAna, key("k"))
	}
	h.want(400, "bad_request name", "PATCH", "/v1/folders/"+string(urgent), `{"name":"\u202durgent"}`, asAna)
	h.want(201, "", "POST", "/v1/folders", `{"name":"דואר 👩‍👧"}`, asAna, key("right-to-left"))
	h.want(400, "unknown_field role", "POST", "/v1/folders", `{"name":"a","role":"inbox"}`, asAna, key("k"))
	h.want(404, "not_found parent", "POST", "/v1/folders", `{"name":"a","parent":"fld_x"}`, asAna, key("k"))
	h.want(400, "bad_request Idempotency-Key", "POST", "/v1/folders", `{"name":"a"}`, asAna)
	h.want(400, "bad_request", "PATCH", "/v1/folders/"+string(boats), `{}`, asAna)
	h.want(400, "bad_request messages", "DELETE", "/v1/folders/"+string(boats)+"?messages=burn", "", asAna)
	h.want(404, "not_found", "GET", "/v1/folders/fld_x", "", asAna)
	h.want(403, "not_permitted", "POST", "/v1/folders", `{"name":"a"}`, "Authorization: Bearer only-read", key("k"))
}

// A folder that was made and is deleted by the time of a repeat is gone.
func TestFolderGone(t *testing.T) {
	h := newHarness(t, nil)
	at := h.want(201, "", "POST", "/v1/folders", `{"name":"Ships"}`, asAna, key("k")).header.Get("Location")
	h.want(201, "", "POST", "/v1/folders", `{"name":"Ships"}`, asAna, key("k"))
	h.want(204, "", "DELETE", at+"?messages=trash", "", asAna)
	if got := h.last("DeleteFolder"); got != parley.LeaveTrash {
		t.Errorf("got %v", got)
	}
	h.want(410, "gone", "POST", "/v1/folders", `{"name":"Ships"}`, asAna, key("k"))
}

// Labels are named apart from folders, in what is asked and in what is answered.
func TestLabels(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/messages/" + string(hello)
	label, folder := `"`+string(urgent)+`"`, `"`+string(boats)+`"`
	for body, field := range map[string]string{
		`{"labels":[` + folder + `]}`: "labels.0", `{"add_labels":[` + folder + `]}`: "add_labels.0", `{"remove_labels":["inbox"]}`: "remove_labels.0",
		`{"folders":[` + label + `]}`: "folders.0", `{"add_folders":[` + label + `]}`: "add_folders.0", `{"labels":[],"add_labels":[` + label + `]}`: "labels",
		`{"labels":[` + label + `,` + label + `]}`: "labels.1", `{"add_labels":[]}`: "add_labels",
	} {
		h.want(400, "bad_request "+field, "PATCH", path, body, asAna)
		h.want(400, "bad_request "+field, "PATCH", "/v1/threads/"+string(boat), body, asAna)
	}
	h.want(200, "", "PATCH", path, `{"labels":[]}`, asAna)
	if got := h.last("ChangeMessages").(parley.Change); got.Labels == nil || got.Folders != nil {
		t.Errorf("got %+v", got)
	}
	h.want(200, "", "PATCH", "/v1/threads/"+string(boat), `{"add_labels":[`+label+`],"add_folders":[`+folder+`],"remove_folders":["inbox"]}`, asAna)
	got := h.last("ChangeThread").(parley.ThreadChange)
	if len(got.Add) != 2 || got.Add[0] != boats || got.Add[1] != urgent || len(got.Remove) != 1 {
		t.Errorf("got %+v", got)
	}
	h.messages[0].Folders = []parley.FolderID{boats, urgent}
	if a := h.want(200, "", "GET", path, "", asAna); !strings.Contains(a.body, `"folders":[`+folder+`],"labels":[`+label+`]`) {
		t.Errorf("got %s", a.body)
	}
}
