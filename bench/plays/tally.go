package plays

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Tally counts by name.
type Tally map[string]int

// Add counts what another has.
func (t Tally) Add(o Tally) {
	for name, n := range o {
		t[name] += n
	}
}

func (t Tally) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		all = append(all, fmt.Sprint(name, " ", t[name]))
	}
	return strings.Join(all, ", ")
}

// unplayed are the operations that no play asks for.
var unplayed = []string{
	"listAccounts", "createAccount", "getAccount", "updateAccount", "putExternalAccount", // the directory, which has plays of its own
	"listTokens", "createToken", "deleteToken",
	"getMessageHTML",             // mail/safehtml has its own judges; the mail of a play has no HTML
	"explainMessage",             // which signal decided is for actors/mailbox.TestPlay
	"startImport", "startExport", // they go on beside the mailbox, in as many actions as it comes to; actors has their tests
	"getDocs", "getOpenAPI", "getStatus", // without a token
}

// operations names what a request asks for as the document does.
type operations struct {
	names map[string]string // by method and path
	mux   *http.ServeMux
}

// operationsOf reads the document.
func operationsOf(document []byte) (o operations, err error) {
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return o, err
	}
	o = operations{names: map[string]string{}, mux: http.NewServeMux()}
	for path, methods := range doc.Paths {
		for method, of := range methods {
			var op struct{ OperationID string }
			if err := json.Unmarshal(of, &op); err != nil || op.OperationID == "" {
				continue // what all methods of a path share
			}
			pattern := strings.ToUpper(method) + " /v1" + path
			o.names[pattern] = op.OperationID
			o.mux.Handle(pattern, http.NotFoundHandler())
		}
	}
	return o, nil
}

func (o operations) of(r *http.Request) string {
	_, pattern := o.mux.Handler(r)
	return o.names[pattern]
}

// lacks lists the operations that were never carried out.
func (o operations) lacks(t Tally) (out []string) {
	for _, name := range o.names {
		if t[name] == 0 && !slices.Contains(unplayed, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
