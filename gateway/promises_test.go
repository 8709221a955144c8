package gateway

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The promises of semantics that an operation does not make, and why. One that is
// here and makes its promise fails, too.
var excused = map[string]string{
	"listAccounts at_least": "the directory has no revision", "getAccount at_least": "the directory has no revision",
	"listTokens at_least": "the directory has no revision", "streamEvents at_least": "since says where it begins",
	"deleteToken If-Match": "a token never changes",
	"updateAccount key":    "it sets what it names, and a repeat sets it again", "closeAccount key": "closed once is closed",
	"putExternalAccount key": "its path is its key", "deleteToken key": "a token is deleted once",
}

// TestDocumentPromises walks the document: reads take at_least, changes of what
// has an ETag take If-Match, and writes a key, which POST requires.
func TestDocumentPromises(t *testing.T) {
	d := loadDocument(t)
	used := map[string]bool{}
	want := func(name string, holds bool) {
		t.Helper()
		reason, excuse := excused[name]
		used[name] = true
		if holds == excuse {
			t.Errorf("%s: holds=%t, excused=%q", name, holds, reason)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(d.at("paths"))) {
		for method, v := range d.at("paths", path) {
			op, _ := v.(tree)
			if who, _ := op["security"].([]any); len(who) == 0 {
				continue // what anybody may ask for, and the parameters of a path
			}
			query, headers := parameters(d, op)
			id := op["operationId"].(string)
			required, keyed := headers["Idempotency-Key"]
			_, match := headers["If-Match"]
			switch strings.ToUpper(method) {
			case "GET", "HEAD":
				want(id+" at_least", slices.Contains(query, "at_least"))
			case "POST":
				want(id+" key", required)
			case "PUT":
				want(id+" key", keyed)
			case "PATCH", "DELETE":
				want(id+" key", keyed)
				want(id+" If-Match", match)
			}
		}
	}
	for name := range excused {
		if !used[name] {
			t.Errorf("%s is excused and is not there", name)
		}
	}
}

// TestAtLeast: a read of a revision that has not come is behind, whatever it reads.
func TestAtLeast(t *testing.T) {
	h := newHarness(t, nil)
	for _, path := range []string{"/messages/" + string(bill) + "/raw", "/messages/" + string(bill) + "/html", "/messages/" + string(bill) + "/explain", "/blobs/" + string(photo), "/jobs", "/mailbox"} {
		h.want(200, "", "GET", prefix+path+"?at_least=9", "", asAna)
		h.want(503, "behind", "GET", prefix+path+"?at_least=99", "", asAna)
		h.want(400, "bad_request at_least", "GET", prefix+path+"?at_least=0", "", asAna)
	}
}
