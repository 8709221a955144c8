package plays

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley/bench/torture"
)

// patience is how long a test waits for an answer of the program; it is a bound for hangs.
const patience = 30 * time.Second

// desk is one client of the real program, by a token of its own.
type desk struct {
	*testing.T
	server *torture.Server
	token  string
	keys   int
}

// told is an event as it was sent.
type told struct{ id, data string }

func (d *desk) request(method, path string, body any) *http.Request {
	d.Helper()
	var content io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			d.Fatal(err)
		}
		content = bytes.NewReader(data)
	}
	at, _ := d.server.Where()
	r, err := http.NewRequestWithContext(d.Context(), method, "http://"+at+"/v1"+path, content)
	if err != nil {
		d.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/json")
	d.keys++
	r.Header.Set("Idempotency-Key", fmt.Sprint(d.token[len(d.token)-8:], d.keys))
	return r
}

// ask makes a request that is carried out, and reads its answer.
func (d *desk) ask(method, path string, body any) (out struct {
	ID   string
	Last struct{ ID string } `json:"last_message"`
}) {
	d.Helper()
	resp, err := http.DefaultClient.Do(d.request(method, path, body))
	if err != nil {
		d.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		d.Fatalf("%s %s: %d, %v: %s", method, path, resp.StatusCode, err, data)
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &out); err != nil {
			d.Fatal(err)
		}
	}
	return out
}

// follow opens the stream after an event and reads n events.
func (d *desk) follow(after string, n int) (out []told) {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), patience)
	defer cancel()
	r := d.request("GET", "/events", nil).WithContext(ctx)
	r.Header.Set("Last-Event-ID", after)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	var e told
	for len(out) < n && lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			e.id = id
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			e.data = data
			out = append(out, e)
		}
	}
	if len(out) < n {
		d.Fatalf("after %s: %d events, want %d: %v", after, len(out), n, lines.Err())
	}
	return out
}

// tend does what a first reader does: each is seen by the second one as it happens.
func (d *desk) tend(second *desk, all []told) []told {
	d.Helper()
	see := func(what, id string, do func()) {
		d.Helper()
		after := "0"
		if len(all) > 0 {
			after = all[len(all)-1].id
		}
		do()
		for {
			e := second.follow(after, 1)[0]
			all, after = append(all, e), e.id
			if strings.Contains(e.data, what) && strings.Contains(e.data, id) {
				break
			}
		}
		for !strings.Contains(all[len(all)-1].data, `"counts"`) { // what an action ends with
			all = append(all, second.follow(all[len(all)-1].id, 1)...)
		}
	}
	var room, message string
	see("message.created", "", func() {
		got := d.ask("POST", "/threads", object{"to": []object{{"address": "bo@example.org"}}, "message": object{"text": "to be read"}})
		room, message = got.ID, got.Last.ID
	})
	label := d.ask("POST", "/folders", object{"name": "keep " + room[4:10], "kind": "label"}).ID
	patch := func(path string, body object) func() { return func() { d.ask("PATCH", path, body) } }
	see("message.updated", message, patch("/messages/"+message, object{"seen": false}))
	see("message.updated", message, patch("/messages/"+message, object{"seen": true}))
	see("message.updated", message, patch("/messages/"+message, object{"add_labels": []string{label}}))
	see("thread.updated", room, patch("/threads/"+room, object{"archived": true}))
	see("thread.updated", room, patch("/threads/"+room, object{"muted": true}))
	see("message.updated", message, func() { d.ask("DELETE", "/messages/"+message, nil) })
	see("message.updated", message, func() { d.ask("POST", "/threads/"+room+"/restore", object{}) })
	see("message.updated", message, func() { d.ask("DELETE", "/messages/"+message, nil) })
	see("message.removed", message, func() { d.ask("DELETE", "/messages/"+message, nil) })
	return all
}

// TestSecondReader has two clients on one account of the real program: the second
// is told by its stream of everything that the first one does, and the same again
// from any event on: in this life of the server, after a restart, after kill -9.
func TestSecondReader(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "parley")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/parley-im/parley/cmd/parley").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := &torture.Server{Program: bin, Dir: filepath.Join(t.TempDir(), "data"), Log: filepath.Join(t.TempDir(), "log")}
	t.Cleanup(s.Kill)
	start := func() {
		t.Helper()
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	start()
	var tokens []string
	for _, verb := range []string{"account add ana@example.org", "account add bo@example.org", "token ana@example.org --scopes read,write,send", "token ana@example.org --scopes read"} {
		out, err := s.Verb(t.Context(), "", strings.Fields(verb)...)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, out)
	}
	first, second := &desk{T: t, server: s, token: tokens[2]}, &desk{T: t, server: s, token: tokens[3]}
	all := first.tend(second, nil)
	fromAnywhere(second, all)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	start()
	fromAnywhere(second, all)
	all = first.tend(second, all)
	s.Kill()
	start()
	fromAnywhere(second, all)
	t.Logf("%d events, resumed from each", len(all))
}

// fromAnywhere cuts the stream at every event and goes on after it.
func fromAnywhere(d *desk, all []told) {
	d.Helper()
	for i := range all {
		after := "0"
		if i > 0 {
			after = all[i-1].id
		}
		for j, e := range d.follow(after, len(all)-i) {
			if e != all[i+j] {
				d.Fatalf("after %s: got %v, want %v", after, e, all[i+j])
			}
		}
	}
}
