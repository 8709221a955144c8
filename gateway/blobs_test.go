package gateway

import (
	"io"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

func TestBlob(t *testing.T) {
	path := "/v1/blobs/" + string(photo)
	tag := `"` + string(photo) + `"`
	for _, tc := range []struct {
		name    string
		status  int
		problem string
		body    string
		lines   []string
	}{
		{"whole", 200, "", "0123456789", nil},
		{"range", 206, "", "234", []string{"Range: bytes=2-4"}},
		{"end", 206, "", "89", []string{"Range: bytes=-2"}},
		{"outside", 416, "range_not_satisfiable Range", "", []string{"Range: bytes=99-"}},
		{"if range", 206, "", "01", []string{"Range: bytes=0-1", "If-Range: " + tag}},
		{"if another range", 200, "", "0123456789", []string{"Range: bytes=0-1", `If-Range: "x"`}},
		{"unchanged", 304, "", "", []string{"If-None-Match: " + tag}},
		{"changed", 200, "", "0123456789", []string{`If-None-Match: "x"`}},
		{"another", 412, "stale", "", []string{`If-Match: "x"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHarness(t, nil)
			var a answer
			if tc.status == 412 { // of no use to clients, so not in the document; but RFC 9110 has it
				if a = serve(h, request("GET", path, "", append(tc.lines, asAna)...)); a.status != 412 || !strings.Contains(a.body, `"code":"stale"`) {
					t.Errorf("got %d %s", a.status, a.body)
				}
				return
			}
			if a = h.want(tc.status, tc.problem, "GET", path, "", append(tc.lines, asAna)...); tc.status < 400 && a.body != tc.body {
				t.Errorf("got %q, want %q", a.body, tc.body)
			}
			if tc.status == 206 && a.header.Get("Content-Range") == "" {
				t.Error("no Content-Range")
			}
			head := h.do("HEAD", path, "", append(tc.lines, asAna)...)
			if head.status != tc.status || head.body != "" || head.header.Get("Etag") != a.header.Get("Etag") {
				t.Errorf("HEAD: got %d %q", head.status, head.body)
			}
		})
	}
}

func TestBlobHeaders(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(200, "", "GET", "/v1/blobs/"+string(photo), "", asAna)
	for name, want := range map[string]string{
		"Content-Type": "image/svg+xml", "Content-Length": "10", "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache",
		"Content-Disposition": `attachment; filename="R__sum_.svg"; filename*=UTF-8''R%C3%A9_sum%C3%A9.svg`,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("got %s %q, want %q", name, got, want)
		}
	}
	h.blobs[photo] = fakeBlob{parley.Attachment{Blob: photo, Type: "text/html; x=\"\x01", Size: 1}, "<"}
	a = h.want(200, "", "GET", "/v1/blobs/"+string(photo), "", asAna)
	if got := a.header.Get("Content-Type"); got != anyBytes {
		t.Errorf("got %q for a type that is none", got)
	}
}

// TestBlobForbidden: what is unknown and what is forbidden look the same.
func TestBlobForbidden(t *testing.T) {
	h := newHarness(t, nil)
	unknown := h.want(404, "not_found", "GET", "/v1/blobs/"+string(idOf[parley.BlobID]("blb_", "none")), "", asAna)
	forbidden := h.want(404, "not_found", "GET", "/v1/blobs/"+string(photo), "", "Authorization: Bearer bo")
	if a, b := cutID(unknown.body), cutID(forbidden.body); a != b {
		t.Errorf("got %s for what is forbidden, %s for what is unknown", b, a)
	}
}

func cutID(body string) string {
	before, _, _ := strings.Cut(body, `,"request_id"`)
	return before
}

func TestUpload(t *testing.T) {
	h := newHarness(t, nil)
	lines := []string{"Content-Type: Image/PNG", asAna, key("k")}
	a := h.want(201, "", "POST", "/v1/blobs?name=R%C3%A9.png", "bytes", lines...)
	var made attachment
	a.into(t, &made)
	if made.Name != "Ré.png" || made.Type != "image/png" || made.Size != 5 || a.header.Get("Location") != "/v1/blobs/"+string(made.Blob) {
		t.Errorf("got %+v at %s", made, a.header.Get("Location"))
	}
	if got := h.want(200, "", "GET", a.header.Get("Location"), "", asAna); got.body != "bytes" {
		t.Errorf("got %q back", got.body)
	}
	if again := h.want(201, "", "POST", "/v1/blobs?name=R%C3%A9.png", "bytes", lines...); again.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the repeat was done again")
	}
	h.want(422, "key_mismatch", "POST", "/v1/blobs?name=other.png", "bytes", lines...)
	h.want(422, "key_mismatch", "POST", "/v1/blobs?name=R%C3%A9.png", "bytes", "Content-Type: image/gif", asAna, key("k"))
	none := h.want(201, "", "POST", "/v1/blobs", "", asAna, key("empty"))
	if none.into(t, &made); made.Type != anyBytes || made.Size != 0 {
		t.Errorf("got %+v", made)
	}
}

func TestUploadTooLarge(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.MaxUpload = 10 })
	h.want(201, "", "POST", "/v1/blobs", "0123456789", "Content-Type: text/plain", asAna, key("1"))
	h.want(413, "too_large", "POST", "/v1/blobs", "0123456789a", "Content-Type: text/plain", asAna, key("2"))
	r := request("POST", "/v1/blobs", "0123456789a", "Content-Type: text/plain", asAna, key("3"))
	r.ContentLength = -1 // chunked: it shows only while reading
	r.Body = io.NopCloser(strings.NewReader("0123456789a"))
	if a := h.send(r); a.status != 413 {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestRaw(t *testing.T) {
	h := newHarness(t, nil)
	a := h.want(200, "", "GET", "/v1/messages/"+string(bill)+"/raw", "", asAna)
	if a.body != h.raw[bill] || a.header.Get("Content-Type") != "message/rfc822" || !strings.HasPrefix(a.header.Get("Content-Disposition"), `attachment; filename="msg_`) {
		t.Errorf("got %v %q", a.header, a.body)
	}
	h.want(404, "not_found", "GET", "/v1/messages/"+string(hello)+"/raw", "", asAna)
}

func TestDisposition(t *testing.T) {
	for name, want := range map[string]string{
		"a b.txt":            `attachment; filename="a b.txt"`,
		"../../etc/passwd":   `attachment; filename=".._.._etc_passwd"`,
		"a\"; x=\"b\r\nSet:": `attachment; filename="a_; x=_b__Set_"`,
		"50%41.txt":          `attachment; filename="50_41.txt"; filename*=UTF-8''50%2541.txt`,
		"日本.pdf":             `attachment; filename="__.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf`,
	} {
		if got := disposition(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

// TestHTML: what a browser may do is said in the header, and in the document, which
// may be shown without its header.
func TestHTML(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/messages/" + string(bill) + "/html"
	for query, want := range map[string]struct{ shows, blocked, loads string }{
		"":            {"data-remote-src=", "1", htmlLoads},
		"?remote=no":  {"data-remote-src=", "1", htmlLoads},
		"?remote=yes": {` src="https://example.net/seen.png"`, "0", htmlLoadsRemote},
	} {
		a := h.want(200, "", "GET", path+query, "", asAna)
		if !strings.Contains(a.body, want.shows) || strings.Contains(a.body, "steal") || a.header.Get("Parley-Remote-Blocked") != want.blocked {
			t.Errorf("%s: %s blocked in %s", query, a.header.Get("Parley-Remote-Blocked"), a.body)
		}
		if policy := a.header.Get("Content-Security-Policy"); policy != htmlFrame+want.loads || !strings.Contains(a.body, `content="`+want.loads+`">`) {
			t.Errorf("%s: policy %q in %s", query, policy, a.body)
		}
	}
	h.want(400, "bad_request remote", "GET", path+"?remote=1", "", asAna)
	for subject, folds := range map[string]bool{"Re: Invoice": true, "Fwd: Invoice": false} {
		h.html[bill] = parley.HTMLBody{HTML: `Yes.<blockquote type="cite">No?</blockquote>`, Subject: subject}
		if a := h.want(200, "", "GET", path, "", asAna); strings.Contains(a.body, `<details data-fold="history">`) != folds {
			t.Errorf("%s: %s", subject, a.body)
		}
	}
	h.want(404, "not_found", "GET", "/v1/messages/"+string(hello)+"/html", "", asAna)
	if a := h.want(200, "", "GET", "/v1/messages/"+string(bill), "", asAna); !strings.Contains(a.body, `"html_url":"`+path+`"`) {
		t.Errorf("html_url is not in %s", a.body)
	}
}
