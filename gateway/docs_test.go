package gateway

import (
	"net/http"
	"strings"
	"testing"
)

// TestDocs: the page and the root that leads to it are there for anybody, under
// a policy that lets nothing run.
func TestDocs(t *testing.T) {
	h := newHarness(t, nil)
	for path, want := range map[string]string{"/v1/docs": "Make a room", "/": `href="/v1/docs"`} {
		a := serve(h, request("GET", path, ""))
		if a.status != http.StatusOK || !strings.Contains(a.body, want) || a.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: got %d %v, no %q", path, a.status, a.header, want)
		}
		if policy := a.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
		head := serve(h, request("HEAD", path, ""))
		if head.status != http.StatusOK || head.body != "" || head.header.Get("Content-Length") != a.header.Get("Content-Length") {
			t.Errorf("%s: HEAD got %d %q %v", path, head.status, head.body, head.header)
		}
	}
	h.want(200, "", "GET", "/v1/docs", "")
	for path, status := range map[string]int{"/docs": 404, "//": 404, "/v1": 404, "/v1/": 404} {
		if a := serve(h, request("GET", path, "")); a.status != status {
			t.Errorf("%s: got %d, want %d", path, a.status, status)
		}
	}
	if a := serve(h, request("POST", "/", "{}")); a.status != 405 || a.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST /: got %d, %v", a.status, a.header)
	}
}
