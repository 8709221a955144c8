package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

// TestRefusals walks what Parse, Sanitize and the shapes refuse: each by its
// status, code and field, before anything is asked of a store but who it is.
func TestRefusals(t *testing.T) {
	long := strings.Repeat("a", 300)
	blob := string(photo)
	messages, message, thread := "/v1/threads/"+string(boat)+"/messages", "/v1/messages/"+string(hello), "/v1/threads/"+string(boat)
	mailed := "/v1/threads/" + string(invoice)
	for _, tc := range []struct {
		name         string
		status       int
		problem      string
		method, path string
		body         string
		lines        []string
	}{
		// parse: JSON
		{"no body", 400, "bad_json", "POST", messages, "", []string{"Content-Type: application/json"}},
		{"not JSON", 400, "bad_json", "POST", messages, "{", nil},
		{"trailing data", 400, "bad_json", "POST", messages, `{"text":"a"}x`, nil},
		{"twice", 400, "bad_json text", "POST", messages, `{"text":"a","text":"b"}`, nil},
		{"deep", 400, "bad_json " + strings.Repeat("mentions.0", 1) + strings.Repeat(".0", 31), "POST", messages, `{"mentions":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`, nil},
		{"null", 400, "bad_json text", "POST", messages, `{"text":null}`, nil},
		{"wrong type", 400, "bad_json text", "POST", messages, `{"text":5}`, nil},
		{"unknown field", 400, "unknown_field colour", "POST", messages, `{"text":"a","colour":"red"}`, nil},
		{"unknown field inside", 400, "unknown_field message.html", "POST", "/v1/threads", `{"to":[],"message":{"html":"a"}}`, nil},
		{"too large", 413, "too_large", "POST", messages, `{"text":"` + strings.Repeat("a", 5<<20) + `"}`, nil},
		{"text too large", 413, "too_large text", "POST", messages, `{"text":"` + strings.Repeat("a", 1<<20+1) + `"}`, nil},
		{"form", 415, "unsupported_media_type Content-Type", "POST", messages, "text=a", []string{"Content-Type: application/x-www-form-urlencoded"}},
		{"no type", 415, "unsupported_media_type Content-Type", "POST", messages, "{}", []string{"Content-Type: none"}},
		{"other charset", 415, "unsupported_media_type Content-Type", "POST", messages, "{}", []string{"Content-Type: application/json; charset=utf-16"}},
		{"compressed", 415, "unsupported_media_type Content-Encoding", "POST", messages, "{}", []string{"Content-Type: application/json", "Content-Encoding: gzip"}},
		{"body where none is", 400, "bad_json", "POST", thread + "/join", `{"text":"a"}`, nil},
		{"long body where none is", 400, "bad_json", "POST", thread + "/join", long, nil},
		// parse: query and headers
		{"unknown parameter", 400, "unknown_field colour", "GET", "/v1/threads?colour=red", "", nil},
		{"parameter twice", 400, "bad_request limit", "GET", "/v1/threads?limit=1&limit=2", "", nil},
		{"bad escape", 400, "bad_request", "GET", "/v1/threads?limit=%zz", "", nil},
		{"empty key", 400, "bad_request Idempotency-Key", "POST", thread + "/join", "", []string{"Idempotency-Key: "}},
		{"long key", 400, "bad_request Idempotency-Key", "POST", thread + "/join", "", []string{"Idempotency-Key: " + long}},
		{"key with a space", 400, "bad_request Idempotency-Key", "POST", thread + "/join", "", []string{"Idempotency-Key: a b"}},
		{"two keys", 400, "bad_request Idempotency-Key", "POST", thread + "/join", "", []string{key("a"), key("b")}},
		{"If-Match unquoted", 400, "bad_request If-Match", "PATCH", message, `{"seen":true}`, []string{"If-Match: 8"}},
		{"If-Match list", 400, "bad_request If-Match", "PATCH", message, `{"seen":true}`, []string{`If-Match: "8", "9"`}},
		{"If-Match weak", 412, "stale", "PATCH", message, `{"seen":true}`, []string{`If-Match: W/"8"`}},
		{"If-Match of another", 412, "stale", "PATCH", message, `{"seen":true}`, []string{`If-Match: "abc"`}},
		{"If-Match where none is", 400, "bad_request If-Match", "POST", thread + "/leave", "", []string{`If-Match: "8"`, "Idempotency-Key: leave"}},
		{"If-Match of another list", 412, "stale", "DELETE", thread + "/participants/" + string(boPart), "", []string{`If-Match: "8"`}},
		// parameters
		{"limit 0", 400, "bad_request limit", "GET", "/v1/threads?limit=0", "", nil},
		{"limit 201", 400, "bad_request limit", "GET", "/v1/threads?limit=201", "", nil},
		{"limit word", 400, "bad_request limit", "GET", "/v1/threads?limit=all", "", nil},
		{"after and before", 400, "bad_request before", "GET", "/v1/threads?after=a&before=b", "", nil},
		{"empty cursor", 400, "bad_cursor after", "GET", "/v1/threads?after=", "", nil},
		{"long cursor", 400, "bad_cursor before", "GET", "/v1/threads?before=" + strings.Repeat("a", 513), "", nil},
		{"longer parameter", 400, "bad_request participant", "GET", "/v1/threads?participant=" + strings.Repeat("a", 1025), "", nil},
		{"forged cursor", 400, "bad_cursor after", "GET", "/v1/threads?after=forged", "", nil},
		{"at_least 0", 400, "bad_request at_least", "GET", "/v1/mailbox?at_least=0", "", nil},
		{"at_least word", 400, "bad_request at_least", "GET", "/v1/mailbox?at_least=now", "", nil},
		{"behind", 503, "behind", "GET", "/v1/mailbox?at_least=99", "", nil},
		{"folder", 400, "bad_request folder", "GET", "/v1/threads?folder=attic", "", nil},
		{"unread", 400, "bad_request unread", "GET", "/v1/threads?unread=1", "", nil},
		{"kind", 400, "bad_request kind", "GET", "/v1/threads?kind=sms", "", nil},
		{"participant", 400, "bad_request participant", "GET", "/v1/threads?participant=a", "", nil},
		{"around and after", 400, "bad_request around", "GET", messages + "?after=a&around=" + string(hello), "", nil},
		{"around nothing", 404, "not_found around", "GET", messages + "?around=msg_x", "", nil},
		{"since", 400, "bad_request since", "GET", "/v1/events?since=yesterday", "", nil},
		{"Last-Event-ID", 400, "bad_request Last-Event-ID", "GET", "/v1/events", "", []string{"Last-Event-ID: 1.2.3"}},
		// ids: what is malformed names nothing
		{"account id", 404, "not_found", "GET", "/v1/accounts/acc_1", "", nil},
		{"thread id", 404, "not_found", "GET", "/v1/threads/" + string(hello), "", nil},
		{"thread id in capitals", 404, "not_found", "GET", "/v1/threads/" + strings.ToUpper(string(boat)), "", nil},
		{"message id", 404, "not_found", "GET", "/v1/messages/x", "", nil},
		{"participant id", 404, "not_found", "DELETE", thread + "/participants/x", "", nil},
		{"token id", 404, "not_found", "DELETE", "/v1/tokens/x", "", nil},
		{"blob id", 404, "not_found", "GET", "/v1/blobs/x", "", nil},
		{"slash at the end", 404, "not_found", "GET", "/v1/threads/", "", nil},
		{"no prefix", 404, "not_found", "GET", "/threads", "", nil},
		{"dots", 404, "not_found", "GET", "/v1/../v1/threads", "", nil},
		{"method", 405, "method_not_allowed", "DELETE", "/v1/threads", "", nil},
		{"head of a stream", 405, "", "HEAD", "/v1/events", "", nil},
		{"options", 405, "method_not_allowed", "OPTIONS", "/v1/threads", "", nil},
		// sanitize
		{"NUL", 400, "bad_request text", "POST", messages, `{"text":"a\u0000"}`, nil},
		{"escape sequence", 400, "bad_request text", "POST", messages, `{"text":"\u001b[2J"}`, nil},
		{"C1 control", 400, "bad_request text", "POST", messages, `{"text":"\u0085"}`, nil},
		{"line end in a subject", 400, "bad_request subject", "PATCH", thread, `{"subject":"a\nBcc: b"}`, nil},
		{"long subject", 400, "bad_request subject", "PATCH", thread, `{"subject":"` + strings.Repeat("é", 999) + `"}`, nil},
		{"control in a parameter", 400, "bad_request participant", "GET", "/v1/threads?participant=a%00b", "", nil},
		{"not UTF-8 in a parameter", 400, "bad_request participant", "GET", "/v1/threads?participant=a%ffb", "", nil},
		{"control in a path", 400, "bad_request", "PUT", "/v1/accounts/external/a%0Ab", `{"name":"a"}`, []string{asApp}},
		// posts
		{"empty post", 400, "bad_request text", "POST", messages, `{}`, nil},
		{"attachment id", 404, "not_found attachments.0", "POST", messages, `{"attachments":["blb_x"]}`, nil},
		{"attachment twice", 400, "bad_request attachments.1", "POST", messages, `{"attachments":["` + blob + `","` + blob + `"]}`, nil},
		{"attachments", 400, "bad_request attachments", "POST", messages, `{"attachments":[` + strings.Repeat(`"x",`, 100) + `"x"]}`, nil},
		{"mentions", 400, "bad_request mentions", "POST", messages, `{"text":"a","mentions":[` + strings.Repeat(`"x",`, 100) + `"x"]}`, nil},
		{"mention id", 404, "not_found mentions.0", "POST", messages, `{"text":"a","mentions":["ana"]}`, nil},
		{"reply id", 404, "not_found reply_to", "POST", messages, `{"text":"a","reply_to":"x"}`, nil},
		{"roster 0", 400, "bad_request roster_version", "POST", messages, `{"text":"a","roster_version":0}`, nil},
		{"roster changed", 409, "participants_changed roster_version", "POST", messages, `{"text":"a","roster_version":1}`, nil},
		{"post in a mail thread", 404, "not_found", "POST", "/v1/threads/" + string(invoice) + "/messages", `{"text":"a"}`, nil},
		// changes
		{"nothing to change", 400, "bad_request", "PATCH", message, `{}`, nil},
		{"nothing to change in a thread", 400, "bad_request", "PATCH", thread, `{}`, nil},
		{"nowhere", 400, "bad_request folders", "PATCH", message, `{"folders":[]}`, nil},
		{"folder twice", 400, "bad_request folders.1", "PATCH", message, `{"folders":["inbox","inbox"]}`, nil},
		{"no such folder", 400, "bad_request add_folders.0", "PATCH", thread, `{"muted":true,"add_folders":["attic"]}`, nil},
		{"move and add", 400, "bad_request folders", "PATCH", message, `{"folders":["inbox"],"add_folders":["spam"]}`, nil},
		{"history", 400, "bad_request history", "PATCH", thread, `{"history":"some"}`, nil},
		{"gone", 410, "gone", "GET", "/v1/messages/" + string(purged), "", nil},
		// rooms
		{"room of mail", 400, "bad_request kind", "POST", "/v1/threads", `{"kind":"mail","to":[{"address":"a@b.c"}]}`, nil},
		{"room with nobody", 400, "bad_request to", "POST", "/v1/threads", `{"to":[]}`, nil},
		{"both", 400, "bad_request to.0.account", "POST", "/v1/threads", `{"to":[{"address":"a@b.c","account":"` + string(bo) + `"}]}`, nil},
		{"neither", 400, "bad_request to.1.account", "POST", "/v1/threads", `{"to":[{"address":"a@b.c"},{}]}`, nil},
		{"account in a room", 404, "not_found to.0.account", "POST", "/v1/threads", `{"to":[{"account":"bo"}]}`, nil},
		{"crowd", 422, "too_many_recipients to", "POST", "/v1/threads", `{"to":[` + strings.Repeat(`{},`, 1000) + `{}]}`, nil},
		{"first post empty", 400, "bad_request message.text", "POST", "/v1/threads", `{"to":[{"address":"a@b.c"}],"message":{}}`, nil},
		{"message of a room twice", 400, "bad_request messages.1", "POST", mailed + "/make_room", `{"to":[{"address":"a@b.c"}],"messages":["` + string(bill) + `","` + string(bill) + `"]}`, nil},
		{"too many messages of a room", 413, "too_large messages", "POST", mailed + "/make_room", `{"to":[{"address":"a@b.c"}],"messages":[` + strings.Repeat(`"x",`, 100) + `"x"]}`, nil},
		{"message of a split twice", 400, "bad_request messages.1", "POST", mailed + "/split", `{"messages":["` + string(bill) + `","` + string(bill) + `"]}`, nil},
		{"messages of a split", 400, "bad_request messages", "POST", mailed + "/split", `{"messages":[` + strings.Repeat(`"x",`, 500) + `"x"]}`, nil},
		{"role", 400, "bad_request role", "POST", thread + "/participants", `{"address":"a@b.c","role":"owner"}`, nil},
		{"no role", 400, "bad_request role", "PATCH", thread + "/participants/" + string(boPart), `{}`, nil},
		// accounts and tokens
		{"no name", 400, "bad_request name", "POST", "/v1/accounts", `{}`, []string{asApp}},
		{"long name", 400, "bad_request name", "POST", "/v1/accounts", `{"name":"` + long + `"}`, []string{asApp}},
		{"zone", 400, "bad_request zone", "PATCH", "/v1/accounts/me", `{"zone":"Mars/Base"}`, nil},
		{"local zone", 400, "bad_request zone", "PATCH", "/v1/accounts/me", `{"zone":"Local"}`, nil},
		{"locale", 400, "bad_request locale", "PATCH", "/v1/accounts/me", `{"locale":"!"}`, nil},
		{"empty change", 400, "bad_request", "PATCH", "/v1/accounts/me", `{}`, nil},
		{"empty name", 400, "bad_request name", "PATCH", "/v1/accounts/me", `{"name":" "}`, nil},
		{"quota", 400, "bad_request quota", "PUT", "/v1/accounts/external/x", `{"name":"a","quota":-1}`, []string{asApp}},
		{"metadata", 400, "bad_request metadata", "PATCH", "/v1/accounts/me", `{"metadata":{"":"a"}}`, nil},
		{"metadata value", 400, "bad_request metadata.a", "PATCH", "/v1/accounts/me", `{"metadata":{"a":"` + strings.Repeat("a", 1025) + `"}}`, nil},
		{"password", 400, "bad_request password", "POST", "/v1/accounts", `{"name":"a","password":"short"}`, []string{asApp}},
		{"external id", 400, "bad_request", "PUT", "/v1/accounts/external/" + long, `{"name":"a"}`, []string{asApp}},
		{"no scope in a token", 400, "bad_request scopes", "POST", "/v1/tokens", `{"scopes":[]}`, nil},
		{"unknown scope", 400, "bad_request scopes.0", "POST", "/v1/tokens", `{"scopes":["root"]}`, nil},
		{"token of the past", 400, "bad_request expires_at", "POST", "/v1/tokens", `{"scopes":["read"],"expires_at":"2020-01-01T00:00:00Z"}`, nil},
		{"token of no time", 400, "bad_request expires_at", "POST", "/v1/tokens", `{"scopes":["read"],"expires_at":"never"}`, nil},
		// blobs
		{"blob name", 400, "bad_request name", "POST", "/v1/blobs?name=" + long, "x", []string{"Content-Type: text/plain"}},
		{"blob type", 400, "bad_request Content-Type", "POST", "/v1/blobs", "x", []string{"Content-Type: text"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHarness(t, nil)
			lines := tc.lines
			if !strings.Contains(strings.Join(lines, "\n"), "Authorization") {
				lines = append(lines, asAna)
			}
			if tc.method == "POST" && !strings.Contains(strings.Join(lines, "\n"), "Idempotency-Key") {
				lines = append(lines, key("k"))
			}
			h.want(tc.status, tc.problem, tc.method, tc.path, tc.body, lines...)
		})
	}
}

func TestKeyRequired(t *testing.T) {
	h := newHarness(t, nil)
	for _, r := range h.gateway.server.Router.Routes() {
		if r.Method != "POST" {
			continue
		}
		path := strings.NewReplacer("{thread}", string(boat)).Replace(r.Path)
		body := "{}"
		if r.Stream {
			body = ""
		}
		h.want(400, "bad_request Idempotency-Key", "POST", prefix+path, body, asAna)
	}
}

// TestSanitized sees what was made of texts.
func TestSanitized(t *testing.T) {
	h := newHarness(t, nil)
	h.want(201, "", "POST", "/v1/threads/"+string(boat)+"/messages", `{"text":"a\r\n\tb 😀"}`, asAna, key("1"))
	if got := h.last("Post").(parley.Post).Text; got != "a\n\tb 😀" {
		t.Errorf("got %q", got)
	}
	h.want(201, "", "POST", "/v1/threads", `{"to":[{"address":" a@b.c "}],"subject":"  Boat "}`, asAna, key("2"))
	n := h.last("CreateRoom").(parley.NewRoom)
	if n.Subject != "Boat" || n.To[0].Address != "a@b.c" || n.History != parley.HistoryJoined {
		t.Errorf("got %+v", n)
	}
}

// TestEmptyObject takes {} where no body is, which some clients always send.
func TestEmptyObject(t *testing.T) {
	h := newHarness(t, nil)
	h.want(200, "", "POST", "/v1/threads/"+string(boat)+"/join", " {} ", asAna, key("1"))
	h.want(204, "", "DELETE", "/v1/messages/"+string(hello), "{}", asAna)
}

// TestHeldBodies bounds what is read at once, before anybody is known.
func TestHeldBodies(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.MaxHeld = 100 })
	post := func(want int, problem, body string) {
		t.Helper()
		h.want(want, problem, "POST", "/v1/threads/"+string(boat)+"/messages", body, asAna, key(fmt.Sprint(len(body))))
	}
	post(201, "", `{"text":"a short text"}`)
	post(503, "unavailable", `{"text":"`+strings.Repeat("a", 100)+`"}`)
	post(201, "", `{"text":"a shorter text"}`)
}

// TestBrokenBodies: a body that ends early or comes too slowly is no fault of ours.
func TestBrokenBodies(t *testing.T) {
	for _, tc := range []struct {
		name, problem string
		status        int
		err           error
	}{
		{"cut", "bad_request", 400, io.ErrUnexpectedEOF},
		{"slow", "too_slow", 408, os.ErrDeadlineExceeded},
		{"odd", "bad_request", 400, errors.New("connection reset")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHarness(t, nil)
			for _, path := range []string{"/v1/threads", "/v1/blobs"} {
				r := request("POST", path, "xxxxxxxxxxxx", asAna, key("k"))
				r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"to":`), broken{tc.err}))
				a := h.send(r)
				if code, _ := a.problem(); a.status != tc.status || code != tc.problem {
					t.Errorf("%s: got %d %s", path, a.status, a.body)
				}
			}
		})
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// TestSlowBody is the same on a real connection, which has deadlines.
func TestSlowBody(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Timeout = 50 * time.Millisecond })
	server := httptest.NewServer(h.gateway)
	defer server.Close()
	body, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/threads", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "k")
	go writer.Write([]byte(`{`))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestTimeout {
		t.Errorf("got %d, want 408", resp.StatusCode)
	}
}
