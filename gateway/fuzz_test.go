package gateway

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parley-im/parley"
)

// FuzzBody sends any bytes through the whole chain: they are taken or refused as
// the client's fault, and what is taken is text.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a"}`, `{"text":"a","mentions":[]}`, `{"text":"\u0000"}`, `{"text":"a\r\n"}`, `{"text":"a","text":"b"}`, `{"text":"\ud800"}`,
		`{`, `[]`, `null`, `{"text":5}`, `{"roster_version":-1,"text":"a"}`, "{\"text\":\"\xff\"}", `{"text":"a"} {}`, `{"a":{"b":[[[]]]}}`,
	} {
		f.Add([]byte(seed))
	}
	fake := newFake()
	g, err := New(Config{Accounts: fake, Mailboxes: fake, Rooms: fake, Secret: secret, Now: func() time.Time { return noon }, AddressBurst: 1 << 40, AccountBurst: 1 << 40})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		clear(fake.commands)
		fake.messages = fake.messages[:3]
		r := httptest.NewRequest("POST", "/v1/threads/"+string(boat)+"/messages", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer ana")
		r.Header.Set("Idempotency-Key", "k")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if !json.Valid(w.Body.Bytes()) || w.Code >= 500 || w.Code < 201 {
			t.Fatalf("got %d %s for %q", w.Code, w.Body, body)
		}
		if w.Code != 201 {
			return
		}
		p := fake.last("Post").(parley.Post)
		if !utf8.ValidString(p.Text) || bytes.ContainsAny([]byte(p.Text), "\x00\r\x1b") || !json.Valid(body) {
			t.Fatalf("took %q from %q", p.Text, body)
		}
	})
}
