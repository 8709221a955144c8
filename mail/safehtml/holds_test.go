package safehtml

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What must not come out, whatever the tables of the package say.
var (
	banned = strings.Fields(`script style link meta base iframe frame frameset object embed applet form input button select
		option textarea svg math template noscript noembed noframes plaintext xmp title video audio source track canvas
		picture portal marquee map area isindex keygen dialog slot param body html head`)
	bannedAttrs = strings.Fields(`srcset ping formaction action id class name xlink:href xmlns href-lang manifest poster
		data srcdoc longdesc usemap dynsrc lowsrc profile cite http-equiv content autofocus contenteditable tabindex is slot`)
	hostileStyle = regexp.MustCompile(`(?i)url|expression|import|position|behavior|binding|javascript|\\|/\*|-\d|z-index|transform|content|[{}<>@]`)
	goodHref     = regexp.MustCompile(`^(?i)(https?://|mailto:|tel:)\S+$`)
)

// holds reads the output as a browser would, with another parser than the
// package's, and asserts the policy.
func holds(t *testing.T, out string, o Options) {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(out), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	for _, n := range nodes {
		for d := range n.Descendants() {
			holdsNode(t, d, out, o)
		}
		holdsNode(t, n, out, o)
	}
}

func holdsNode(t *testing.T, n *html.Node, out string, o Options) {
	t.Helper()
	if n.Type == html.TextNode {
		return
	}
	if _, ok := elements[n.Data]; n.Type != html.ElementNode || n.Namespace != "" || !ok || slices.Contains(banned, n.Data) {
		t.Fatalf("%v %s:%s in %q", n.Type, n.Namespace, n.Data, out)
	}
	for _, a := range n.Attr {
		if strings.HasPrefix(a.Key, "on") || a.Namespace != "" || slices.Contains(bannedAttrs, a.Key) {
			t.Fatalf("attribute %s in %q", a.Key, out)
		}
		switch a.Key {
		case "href":
			if n.Data != "a" || !goodHref.MatchString(a.Val) {
				t.Fatalf("href %q in %q", a.Val, out)
			}
		case "src", "background":
			remote := strings.HasPrefix(strings.ToLower(a.Val), "https://") || strings.HasPrefix(strings.ToLower(a.Val), "http://")
			if !(remote && o.Remote) && !ofMessage(o, a.Val) {
				t.Fatalf("%s %q in %q", a.Key, a.Val, out)
			}
		case "style":
			if hostileStyle.MatchString(strings.ReplaceAll(a.Val, "list-style-position", "")) {
				t.Fatalf("style %q in %q", a.Val, out)
			}
		}
	}
	if n.Data == "a" {
		holdsLink(t, n, out)
	}
}

func holdsLink(t *testing.T, n *html.Node, out string) {
	t.Helper()
	got := map[string]string{}
	for _, a := range n.Attr {
		got[a.Key] = a.Val
	}
	if got["href"] == "" || got["rel"] != linkRel || got["target"] != linkTarget {
		t.Fatalf("link %v in %q", got, out)
	}
}

func ofMessage(o Options, address string) bool {
	for _, p := range o.CID {
		if p == address {
			return true
		}
	}
	return false
}

var policy = New()

// sane asserts what holds of every input: the policy, that a second time changes
// nothing, and that the second gate had nothing to do.
func sane(t *testing.T, src string, o Options) Result {
	t.Helper()
	r := policy.Sanitize(src, o)
	holds(t, r.HTML, o)
	text, _ := bounded(src)
	if first := first(text, o).html(); first != r.HTML && strings.TrimSpace(first) != "" {
		t.Fatalf("of %q\nfirst gate  %q\nsecond gate %q", src, first, r.HTML)
	}
	again := policy.Sanitize(r.HTML, o)
	if again.HTML != r.HTML || again.Blocked != r.Blocked {
		t.Fatalf("of %q\nonce  %d %q\ntwice %d %q", src, r.Blocked, r.HTML, again.Blocked, again.HTML)
	}
	return r
}
