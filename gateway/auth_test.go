package gateway

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

func TestAuth(t *testing.T) {
	for _, tc := range []struct {
		name    string
		status  int
		problem string
		lines   []string
	}{
		{"bearer", 200, "", []string{asAna}},
		{"any case", 200, "", []string{"Authorization: bEARER ana"}},
		{"none", 401, "unauthenticated", nil},
		{"unknown", 401, "unauthenticated", []string{"Authorization: Bearer eve"}},
		{"empty", 401, "unauthenticated", []string{"Authorization: Bearer "}},
		{"basic", 401, "unauthenticated", []string{"Authorization: Basic YW5hOmE="}},
		{"two", 401, "unauthenticated", []string{asAna, asApp}},
		{"long", 401, "unauthenticated", []string{"Authorization: Bearer " + strings.Repeat("a", 600)}},
		{"own account", 200, "", []string{asAna, "Parley-Account: " + string(ana)}},
		{"another's account", 403, "not_permitted Parley-Account", []string{asAna, "Parley-Account: " + string(bo)}},
		{"application", 200, "", []string{asApp, "Parley-Account: " + string(ana)}},
		{"unknown account", 404, "not_found Parley-Account", []string{asApp, "Parley-Account: " + string(idOf[parley.AccountID]("acc_", "dee"))}},
		{"malformed account", 404, "not_found Parley-Account", []string{asApp, "Parley-Account: ana"}},
		{"closed account", 404, "not_found Parley-Account", []string{asApp, "Parley-Account: " + string(cy)}},
		{"two accounts", 404, "not_found Parley-Account", []string{asApp, "Parley-Account: " + string(ana), "Parley-Account: " + string(bo)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHarness(t, nil)
			a := h.want(tc.status, tc.problem, "GET", "/v1/mailbox", "", tc.lines...)
			if got := a.header.Get("WWW-Authenticate"); (got == `Bearer realm="parley"`) != (tc.status == 401) {
				t.Errorf("got WWW-Authenticate %q", got)
			}
		})
	}
}

func TestActingAccount(t *testing.T) {
	h := newHarness(t, nil)
	h.want(200, "", "GET", "/v1/mailbox", "", asApp, "Parley-Account: "+string(ana))
	if got := h.last("Stats"); got != ana {
		t.Errorf("asked for %v, want Ana", got)
	}
	h.hook = failing("Get", errors.New("store away"))
	h.want(500, "internal", "GET", "/v1/mailbox", "", asApp, "Parley-Account: "+string(ana))
}

// TestScopes asks each route with each scope: those that the route names pass
// Auth, and admin passes everywhere.
func TestScopes(t *testing.T) {
	ids := strings.NewReplacer("{account}", "me", "{external}", "x", "{thread}", string(boat), "{message}", string(hello),
		"{participant}", string(boPart), "{blob}", string(photo), "{folder}", string(boats), "{job}", string(long.ID), "{token}", string(idOf[parley.TokenID]("tok_", "ana")))
	h := newHarness(t, func(c *Config) { c.AccountInFlight = 1 << 20 })
	// Whoever passes Auth meets this.
	h.hook = func(_ context.Context, m string) error {
		if m == "Authenticate" {
			return nil
		}
		return parley.E(parley.DiskFull, "test", "")
	}
	bodies := map[string]string{
		"createAccount": `{"name":"a"}`, "updateAccount": `{"name":"a"}`, "putExternalAccount": `{"name":"a"}`, "createToken": `{"scopes":["read"]}`,
		"createRoom": `{"to":[{"address":"a@b.c"}]}`, "createFolder": `{"name":"a"}`, "updateFolder": `{"name":"a"}`, "updateThread": `{"muted":true}`, "postMessage": `{"text":"a"}`, "updateMessage": `{"seen":true}`,
		"runBatch": `{"requests":[{"method":"GET","path":"/v1/mailbox"}]}`, "addParticipant": `{"address":"a@b.c"}`, "updateParticipant": `{"role":"member"}`, "uploadBlob": `x`,
		"startImport": `{"blob":"blb_wrme4i7dgsvtjpmx7mzyjtevye"}`, "startExport": `{}`,
		"undo": `{"revision":1}`, "makeRoom": `{"to":[{"address":"a@b.c"}]}`, "createDraft": `{"text":"a"}`, "updateDraft": `{"text":"a"}`,
		"updateMessages": `{"ids":["` + string(hello) + `"],"seen":true}`,
		"splitThread":    `{"from":"msg_7lu3okbdbtasc4n636cip7qfve"}`, "mergeThreads": `{"thread":"thr_zawgz4iqoydvacmbimhsnla2oa"}`,
	}
	for _, r := range h.gateway.server.Router.Routes() {
		if len(r.Scopes) == 0 {
			continue
		}
		for _, scope := range parley.Scopes {
			allowed := scope == parley.ScopeAdmin
			for _, s := range r.Scopes {
				allowed = allowed || s == scope
			}
			w := request(r.Method, prefix+ids.Replace(r.Path), bodies[r.Name], "Authorization: Bearer only-"+string(scope), key("k"))
			a := serve(h, w)
			// A token that may make tokens, but has no scope that it asks for, is
			// let in and refused further on.
			if code, field := a.problem(); (code == "not_permitted" && field == "") == allowed && r.Method != "HEAD" {
				t.Errorf("%s with the scope %s: got %d %s", r.Name, scope, a.status, a.body)
			}
		}
	}
}

// TestRoomFields need the scope send beside write, for all see them.
func TestRoomFields(t *testing.T) {
	h := newHarness(t, nil)
	h.bearers["both"] = parley.Identity{Account: ana, Scopes: []parley.Scope{parley.ScopeWrite, parley.ScopeSend}}
	path := "/v1/threads/" + string(boat)
	h.want(200, "", "PATCH", path, `{"muted":true}`, "Authorization: Bearer only-write")
	h.want(403, "not_permitted subject", "PATCH", path, `{"muted":true,"subject":"a"}`, "Authorization: Bearer only-write")
	h.want(403, "not_permitted open", "PATCH", path, `{"open":true}`, "Authorization: Bearer only-write")
	h.want(403, "not_permitted history", "PATCH", path, `{"history":"all"}`, "Authorization: Bearer only-write")
	h.want(200, "", "PATCH", path, `{"subject":"The boat"}`, "Authorization: Bearer both")
}

func TestAccountsOfOthers(t *testing.T) {
	h := newHarness(t, nil)
	h.want(200, "", "GET", "/v1/accounts/"+string(ana), "", asAna)
	h.want(403, "not_permitted", "GET", "/v1/accounts/"+string(bo), "", asAna)
	h.want(403, "not_permitted", "PATCH", "/v1/accounts/"+string(bo), `{"name":"a"}`, asAna)
	h.want(403, "not_permitted", "DELETE", "/v1/accounts/"+string(bo), "", asAna)
	h.want(200, "", "GET", "/v1/accounts/"+string(ana), "", asApp)
	h.want(403, "not_permitted quota", "PATCH", "/v1/accounts/me", `{"quota":0}`, asAna)
	h.want(403, "not_permitted addresses", "PATCH", "/v1/accounts/me", `{"addresses":[]}`, asAna)
	h.want(403, "not_permitted external_id", "PATCH", "/v1/accounts/me", `{"external_id":"a"}`, asAna)
	h.want(200, "", "PATCH", "/v1/accounts/"+string(ana), `{"quota":5}`, asApp)
	h.want(403, "not_permitted scopes", "POST", "/v1/tokens", `{"scopes":["read","admin"]}`, asAna, key("k"))
}
