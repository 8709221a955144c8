package safehtml

import (
	"regexp"
	"strings"
)

// element is what may be said of one kind of element, and how it nests.
type element struct {
	attrs map[string]*regexp.Regexp
	void  bool // has no content: HTML 13.1.2
	block bool // ends an open paragraph: HTML 13.2.6.4.7
	table bool // stands in a table only
}

// elements are those that pass. All others lose their tags and keep their
// content, but for those in dropped.
var elements = func() map[string]element {
	m := map[string]element{}
	add := func(names string, e element) {
		for _, name := range strings.Fields(names) {
			m[name] = e
		}
	}
	add("a abbr b bdi bdo big cite code del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong sub sup tt u var", element{})
	add("address article aside blockquote center dd dl dt figcaption figure footer header main nav section", element{block: true})
	add("div h1 h2 h3 h4 h5 h6 p", element{block: true, attrs: forms("align")})
	add("pre", element{block: true, attrs: forms("width")})
	add("ol", element{block: true, attrs: forms("start type reversed")})
	add("ul", element{block: true, attrs: forms("type")})
	add("li", element{block: true, attrs: forms("type value")})
	add("details", element{block: true, attrs: forms("open data-fold")})
	add("summary", element{block: true})
	add("table", element{block: true, attrs: forms("align bgcolor border cellpadding cellspacing height width rules frame")})
	add("caption thead tbody tfoot tr", element{table: true, attrs: forms("align bgcolor height valign")})
	add("td th", element{table: true, attrs: forms("align bgcolor colspan height nowrap rowspan valign width")})
	add("colgroup", element{table: true, attrs: forms("align span valign width")})
	add("col", element{void: true, table: true, attrs: forms("align span valign width")})
	add("font", element{attrs: forms("color face size")})
	add("br", element{void: true, attrs: forms("clear")})
	add("hr", element{void: true, block: true, attrs: forms("align color noshade size width")})
	add("wbr", element{void: true})
	add("img", element{void: true, attrs: forms("align alt border height hspace vspace width")})
	return m
}()

// everywhere may stand on each of them. Ids, names and classes may not: they would
// meet those of the page around.
var everywhere = forms("dir lang title style")

// loads names the attribute by which an element loads a picture.
var loads = map[string]string{"img": "src", "table": "background", "td": "background", "th": "background", "tr": "background"}

// heldBack begins the name of the attribute that keeps a remote address.
const heldBack = "data-remote-"

// dropped go with all that is in them: nobody reads it, or it is not for reading.
var dropped = set("applet audio canvas datalist embed frameset iframe map math noembed noframes noscript object plaintext script select style svg template textarea title video xmp")

// raw are those whose content is no HTML: the tokenizer takes it as one text.
var raw = set("iframe noembed noframes noscript plaintext script style textarea title xmp")

// inline elements may stand in a paragraph and hold text.
func (e element) inline() bool { return !e.block && !e.void && !e.table }

// tables are the elements that only stand in a table, each in some of these.
var tables = map[string]map[string]bool{
	"caption": set("table"), "colgroup": set("table"), "col": set("colgroup table"),
	"thead": set("table"), "tbody": set("table"), "tfoot": set("table"),
	"tr": set("thead tbody tfoot table"), "td": set("tr thead tbody tfoot table"), "th": set("tr thead tbody tfoot table"),
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}
