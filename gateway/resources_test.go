package gateway

import (
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

func TestLists(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(200, "", "GET", "/v1/threads", "", asAna)
	var l struct {
		Data       []tree
		Next, Prev *string
		Revision   int
	}
	a.into(t, &l)
	if len(l.Data) != 2 || l.Next != nil || l.Prev == nil || *l.Prev != "back" || l.Revision != 9 {
		t.Errorf("got %+v", l)
	}
	if got := a.header.Get("Parley-Revision"); got != "9" {
		t.Errorf("got Parley-Revision %s, want 9", got)
	}
	a = h.want(200, "", "GET", "/v1/accounts?limit=2", "", asApp)
	if !strings.Contains(a.body, `"next":"more","prev":null}`) {
		t.Errorf("got %s", a.body)
	}
	h.want(200, "", "GET", "/v1/folders?at_least=9", "", asAna)
	h.want(200, "", "GET", "/v1/tokens", "", asAna)
	h.want(200, "", "GET", "/v1/threads/"+string(boat)+"/participants", "", asAna)
}

func TestThreadQuery(t *testing.T) {
	h := newHarness(t, nil)
	h.want(200, "", "GET", "/v1/threads", "", asAna)
	if got, want := h.last("Threads"), (parley.ThreadQuery{Page: parley.Page{Limit: 50}}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	h.want(200, "", "GET", "/v1/threads?folder=spam&unread=false&participant=dee@example.net&kind=mail&limit=200&after=x", "", asAna)
	got := h.last("Threads").(parley.ThreadQuery)
	if got.Unread == nil || *got.Unread {
		t.Errorf("got unread %v, want false", got.Unread)
	}
	got.Unread = nil
	if want := (parley.ThreadQuery{Folder: parley.Spam, Participant: "dee@example.net", Kind: parley.KindMail, Page: parley.Page{Limit: 200, After: "x"}}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The fields of a list that are not its folder.
func TestThreadFilters(t *testing.T) {
	h := newHarness(t, nil)
	h.want(200, "", "GET", "/v1/threads?label="+string(urgent)+"&flagged=true&muted=false&channel=sms&page=3", "", asAna)
	got := h.last("Threads").(parley.ThreadQuery)
	if got.Flagged == nil || !*got.Flagged || got.Muted == nil || *got.Muted || got.Channel != parley.ChannelSMS || got.Label != urgent || got.Page.Number != 3 {
		t.Errorf("got %+v", got)
	}
	if a := h.want(200, "", "GET", "/v1/threads?page=1", "", asAna); !strings.Contains(a.body, `"total":2`) {
		t.Errorf("got %s", a.body)
	}
	for query, field := range map[string]string{
		"label=inbox": "label", "label=fld_x": "label", "folder=" + string(urgent): "folder", "muted=yes": "muted", "flagged=": "flagged",
		"channel=pigeon": "channel", "page=0": "page", "page=x": "page", "page=1&after=x": "page", "page=2147483648": "page",
	} {
		h.want(400, "bad_request "+field, "GET", "/v1/threads?"+query, "", asAna)
	}
	path := "/v1/threads/" + string(boat) + "/messages"
	if a := h.want(200, "", "GET", path+"?page=2", "", asAna); !strings.Contains(a.body, `"total":1`) {
		t.Errorf("got %s", a.body)
	}
	h.want(400, "bad_request around", "GET", path+"?page=2&around="+string(hello), "", asAna)
}

func TestMessagePages(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/threads/" + string(boat) + "/messages"
	for query, want := range map[string]messagesArgs{
		"":                         {page: parley.Page{Limit: 50}},
		"?before=end&limit=1":      {page: parley.Page{Limit: 1, End: true}},
		"?before=x":                {page: parley.Page{Limit: 50, Before: "x"}},
		"?around=" + string(hello): {around: hello, page: parley.Page{Limit: 50}},
	} {
		h.want(200, "", "GET", path+query, "", asAna)
		if got := h.last("Messages"); got != want {
			t.Errorf("%s: got %+v, want %+v", query, got, want)
		}
	}
}

// TestGone: a tombstone stands in its list, but not what it said.
func TestGone(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(200, "", "GET", "/v1/threads/"+string(invoice)+"/messages", "", asAna)
	if !strings.Contains(a.body, `"gone":true`) || strings.Contains(a.body, "must not be shown") {
		t.Errorf("got %s", a.body)
	}
	path := "/v1/threads/" + string(boat) + "/messages"
	h.want(201, "", "POST", path, `{"text":"a"}`, asAna, key("k"))
	id := secret.Command(ana, "k")
	h.commands[id] = remembered{h.commands[id].body, parley.Posted{Message: parley.Message{Gone: true}}}
	h.want(410, "gone", "POST", path, `{"text":"a"}`, asAna, key("k"))
}

func TestConditions(t *testing.T) {
	h := newHarness(t, nil)
	for _, path := range []string{"/v1/messages/" + string(hello), "/v1/threads/" + string(boat), "/v1/accounts/me"} {
		body := map[bool]string{true: `{"locale":"pt"}`, false: `{"flagged":true}`}[strings.HasSuffix(path, "me")]
		tag := h.want(200, "", "GET", path, "", asAna).header.Get("ETag")
		changed := h.want(200, "", "PATCH", path, body, asAna, "If-Match: "+tag)
		if changed.header.Get("ETag") == tag || tag == "" {
			t.Errorf("%s: ETag %s stayed", path, tag)
		}
		h.want(412, "stale", "PATCH", path, body, asAna, "If-Match: "+tag)
		h.want(412, "stale", "DELETE", path, "", asAna, "If-Match: "+tag)
		h.want(200, "", "PATCH", path, body, asAna, "If-Match: *")
		h.want(204, "", "DELETE", path, "", asAna)
	}
}

func TestRoom(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(201, "", "POST", "/v1/threads", `{"to":[{"account":"`+string(bo)+`"}],"subject":"Sail","open":true,"history":"all","message":{"text":"a"}}`, asAna, key("k"))
	n := h.last("CreateRoom").(parley.NewRoom)
	if n.Subject != "Sail" || !n.Open || n.History != parley.HistoryAll || n.First.Text != "a" || n.To[0] != (parley.Recipient{Account: bo, Role: parley.RoleMember}) {
		t.Errorf("got %+v", n)
	}
	place := a.header.Get("Location")
	if want := "/v1/threads/" + string(secret.Thread(secret.Command(ana, "k"))); place != want {
		t.Errorf("got Location %s, want %s", place, want)
	}
	if got := h.want(200, "", "GET", place+"?at_least="+a.header.Get("Parley-Revision"), "", asAna); got.body != a.body {
		t.Errorf("got %s, want %s", got.body, a.body)
	}
	h.want(200, "", "POST", place+"/join", "", asAna, key("j"))
	h.want(204, "", "POST", place+"/leave", "", asAna, key("l"))
	h.want(200, "", "POST", place+"/restore", "", asAna, key("r"))
	h.want(204, "", "DELETE", place, "", asAna)
}

// TestCopyNotYetThere: without the copy there is no revision to wait for.
func TestCopyNotYetThere(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/threads/" + string(boat) + "/messages"
	h.want(201, "", "POST", path, `{"text":"a"}`, asAna, key("k"))
	id := secret.Command(ana, "k")
	posted := h.commands[id].value.(parley.Posted)
	posted.Revision, posted.Message.Revision = 0, 0
	h.commands[id] = remembered{h.commands[id].body, posted}
	a := h.want(201, "", "POST", path, `{"text":"a"}`, asAna, key("k"))
	if a.header.Get("Parley-Revision") != "" || a.header.Get("ETag") != "" {
		t.Errorf("got revision %q, ETag %q", a.header.Get("Parley-Revision"), a.header.Get("ETag"))
	}
	h.behind = true
	a = h.want(200, "", "PATCH", "/v1/threads/"+string(boat), `{"subject":"b"}`, asAna)
	if a.header.Get("Parley-Revision") != "" || a.header.Get("ETag") != "" {
		t.Errorf("got revision %q, ETag %q of a room that changed", a.header.Get("Parley-Revision"), a.header.Get("ETag"))
	}
}

func TestParticipants(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/threads/" + string(boat) + "/participants"
	h.want(201, "", "POST", path, `{"address":" dee@example.net "}`, asAna, key("k"))
	if got, want := h.last("AddParticipant"), (parley.Recipient{Address: "dee@example.net", Role: parley.RoleMember}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	h.want(200, "", "PATCH", path+"/"+string(boPart), `{"role":"moderator"}`, asAna)
	if got := h.last("ChangeParticipant"); got != parley.RoleModerator {
		t.Errorf("got %v", got)
	}
	h.want(204, "", "DELETE", path+"/"+string(boPart), "", asAna, key("d"))
	h.want(404, "not_found", "DELETE", path+"/"+string(anaPart), "", asAna)
}

func TestMessageChange(t *testing.T) {
	h := newHarness(t, nil)
	h.want(200, "", "PATCH", "/v1/messages/"+string(hello), `{"seen":false,"add_folders":["spam"],"remove_folders":["inbox"]}`, asAna)
	c := h.last("ChangeMessages").(parley.Change)
	if c.Seen == nil || *c.Seen || c.Flagged != nil || c.Folders != nil || c.Add[0] != parley.Spam || c.Remove[0] != parley.Inbox {
		t.Errorf("got %+v", c)
	}
	h.want(200, "", "PATCH", "/v1/threads/"+string(boat), `{"read":true,"archived":true,"folders":["fld_aaaaaaaaaaaaaaaaaaaaaaaaaa"]}`, asAna)
	tc := h.last("ChangeThread").(parley.ThreadChange)
	if tc.Seen == nil || !*tc.Seen || tc.Archived == nil || !*tc.Archived || len(tc.Folders) != 1 || tc.Muted != nil {
		t.Errorf("got %+v", tc)
	}
	h.want(200, "", "GET", "/v1/messages/"+string(bill)+"/explain", "", asAna)
}

func TestAccounts(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(201, "", "POST", "/v1/accounts", `{"name":"Dee","password":"correct horse","metadata":{"plan":"team"}}`, asApp, key("k"))
	if h.last("Create") != "correct horse" || strings.Contains(a.body, "horse") {
		t.Errorf("got password %v, answered %s", h.last("Create"), a.body)
	}
	h.want(200, "", "GET", a.header.Get("Location"), "", asApp)
	h.want(201, "", "PUT", "/v1/accounts/external/crm%2F17", `{"name":"Eve"}`, asApp)
	if got := h.last("PutExternal"); got != "crm/17" {
		t.Errorf("got %v, want crm/17", got)
	}
	h.want(200, "", "PUT", "/v1/accounts/external/crm%2F17", `{"name":"Eve L."}`, asApp)
	h.want(404, "not_found", "PUT", "/v1/accounts/external/crm/17", `{"name":"Eve"}`, asApp)
	h.want(204, "", "DELETE", "/v1/accounts/me", "", asAna)
	if h.last("Close") != ana {
		t.Errorf("closed %v, want Ana", h.last("Close"))
	}
}

func TestTokens(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(201, "", "POST", "/v1/tokens", `{"name":"phone","scopes":["read"],"expires_at":"2026-12-01T00:00:00+01:00"}`, asAna, key("k"))
	if !strings.Contains(a.body, `"expires_at":"2026-11-30T23:00:00Z"`) || !strings.Contains(a.body, `"secret":"parley_shown_once"`) {
		t.Errorf("got %s", a.body)
	}
	var made struct{ ID string }
	a.into(t, &made)
	if l := h.want(200, "", "GET", "/v1/tokens", "", asAna); !strings.Contains(l.body, made.ID) || strings.Contains(l.body, "shown_once") {
		t.Errorf("got %s", l.body)
	}
	h.want(204, "", "DELETE", "/v1/tokens/"+made.ID, "", asAna)
	h.want(404, "not_found", "DELETE", "/v1/tokens/"+made.ID, "", asAna)
}

// TestHead answers HEAD as GET, without the body.
func TestHead(t *testing.T) {
	h := newHarness(t, nil)
	for _, path := range []string{"/v1/mailbox", "/v1/openapi.json", "/v1/messages/" + string(bill) + "/raw", "/v1/messages/" + string(bill) + "/html", "/v1/status"} {
		get, head := h.want(200, "", "GET", path, "", asAna), h.want(200, "", "HEAD", path, "", asAna)
		if head.body != "" || head.header.Get("Content-Length") != get.header.Get("Content-Length") || get.header.Get("Content-Length") == "" {
			t.Errorf("%s: got %d bytes, Content-Length %s, want %s", path, len(head.body), head.header.Get("Content-Length"), get.header.Get("Content-Length"))
		}
	}
}

func TestConfig(t *testing.T) {
	_, err := New(Config{Secret: parley.Secret("short")})
	if err == nil {
		t.Fatal("an empty Config was taken")
	}
	for _, want := range []string{"Accounts", "Mailboxes", "Rooms", "Secret"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}
