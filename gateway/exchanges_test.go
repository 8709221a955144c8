package gateway

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/parley-im/parley"
)

// TestExchanges plays whole exchanges as they go over the wire; -rewrite renews
// the answers, and the difference is reviewed as code.
func TestExchanges(t *testing.T) {
	datadriven.Walk(t, "testdata/exchanges", func(t *testing.T, path string) {
		n := 0
		h := newHarness(t, func(c *Config) {
			c.NewID = func() string {
				n++
				return parley.FormatID("req_", secret.Derive("request", fmt.Sprint(n)))
			}
		})
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "http" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			r, err := parseRequest(d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			h.T = t
			return wire(h, r)
		})
	})
}

// ids stand for themselves in requests.
var ids = strings.NewReplacer("$ana", string(ana), "$boats", string(boats), "$boat", string(boat), "$bo.part", string(boPart), "$bo", string(bo),
	"$invoice", string(invoice), "$hello", string(hello), "$bill", string(bill), "$photo", string(photo), "$made", string(secret.Thread(secret.Command(ana, "make"))),
	"$urgent", string(urgent), "$ships", string(secret.Folder(secret.Command(ana, "make"), string(ana), false)),
	"$slip", string(slip), "$begun", string(secret.Message(secret.Command(ana, "begin"), "draft")), "$long", string(long.ID))

// parseRequest reads a request as a person writes it: a blank line before the
// body, no Content-Length.
func parseRequest(input string) (*http.Request, error) {
	input = ids.Replace(input)
	head, body, _ := strings.Cut(input, "\n\n")
	lines := strings.Split(head, "\n")
	first := strings.Fields(lines[0])
	if len(first) != 2 {
		return nil, fmt.Errorf("no request line in %q", lines[0])
	}
	return request(first[0], first[1], strings.TrimSpace(body), lines[1:]...), nil
}

// wire is the answer as a client reads it; headers that all answers share are
// left to TestSecurityHeaders.
func wire(h *harness, r *http.Request) string {
	w := httptest.NewRecorder()
	h.gateway.ServeHTTP(w, r)
	h.doc.hold(h.T, r, answer{w.Code, w.Result().Header, w.Body.String()})
	var out strings.Builder
	fmt.Fprintf(&out, "%d %s\n", w.Code, http.StatusText(w.Code))
	var lines []string
	for name, values := range w.Result().Header {
		if !unsaid[name] || name == "Content-Type" {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(lines)
	fmt.Fprintln(&out, strings.Join(lines, "\n"))
	if w.Body.Len() > 0 {
		fmt.Fprintf(&out, "\n%s\n", strings.TrimRight(w.Body.String(), "\n"))
	}
	scanner := bufio.NewScanner(strings.NewReader(out.String()))
	var clean []string
	for scanner.Scan() {
		clean = append(clean, strings.TrimRight(scanner.Text(), " \r"))
	}
	return strings.Join(clean, "\n") + "\n"
}
