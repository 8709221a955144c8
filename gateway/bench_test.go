package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
)

// still answers at once, so that what is measured is the gateway.
type still struct {
	*fake
	who parley.Identity
}

func (s still) Authenticate(context.Context, string) (parley.Identity, error) { return s.who, nil }

func (s still) Message(context.Context, parley.AccountID, parley.MessageID, parley.Revision) (parley.Message, parley.Revision, error) {
	return s.messages[0], 9, nil
}

func (s still) Post(context.Context, parley.AccountID, parley.Command, parley.ThreadID, parley.Post) (parley.Posted, error) {
	return parley.Posted{Message: s.messages[0], Revision: 9}, nil
}

func benchGateway(b *testing.B) *Gateway {
	b.Helper()
	f := newFake()
	s := still{f, f.bearers["ana"]}
	g, err := New(Config{Accounts: s, Mailboxes: s, Rooms: s, Secret: secret, Metrics: prometheus.NewRegistry(), AddressBurst: 1 << 40, AccountBurst: 1 << 40, AddressEvery: 1, AccountEvery: 1})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// BenchmarkHandler is the whole chain, without a connection. The recorder and
// the request of httptest are part of each figure; /recorder shows them alone.
func BenchmarkHandler(b *testing.B) {
	g := benchGateway(b)
	for _, bc := range []struct{ name, method, path, body string }{
		{"recorder", "", "", ""},
		{"GET=message", "GET", "/v1/messages/" + string(hello), ""},
		{"GET=unknown", "GET", "/v1/nothing", ""},
		{"GET=status", "GET", "/v1/status", ""},
		{"POST=message", "POST", "/v1/threads/" + string(boat) + "/messages", `{"text":"Saturday at nine?","roster_version":2}`},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				if bc.method == "" {
					request("GET", "/v1/messages/"+string(hello), "", asAna)
					continue
				}
				r := request(bc.method, bc.path, bc.body, asAna, "Idempotency-Key: k")
				if g.ServeHTTP(w, r); w.Code >= http.StatusInternalServerError {
					b.Fatal(w.Body.String())
				}
			}
		})
	}
}
