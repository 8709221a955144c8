package edge

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Router finds the route of a path. http.ServeMux would redirect, answer in
// plain text, and join what %2F keeps apart in an external id.
type Router struct {
	prefix       string
	root         node
	whole        map[string]*node // beside the prefix
	path, method *Route           // for what is unknown
	all          []*Route
}

type node struct {
	fixed  map[string]*node
	param  *node
	routes map[string]*Route
	allow  string
}

// NewRouter makes a router of routes below a prefix such as /v1.
func NewRouter(prefix string, routes ...Route) (*Router, error) {
	r := &Router{prefix: prefix, path: unknownPath(), method: unknownMethod(), whole: map[string]*node{}}
	for i := range routes {
		if err := r.add(&routes[i]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Routes lists what is served.
func (r *Router) Routes() []*Route { return r.all }

func (r *Router) add(route *Route) error {
	n := &r.root
	if route.Whole {
		n = orNew(r.whole[route.Path])
		r.whole[route.Path] = n
		return r.put(n, route)
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(route.Path, "/"), "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			route.names = append(route.names, strings.TrimSuffix(name, "}"))
			n.param = orNew(n.param)
			n = n.param
			continue
		}
		if n.fixed == nil {
			n.fixed = map[string]*node{}
		}
		n.fixed[part] = orNew(n.fixed[part])
		n = n.fixed[part]
	}
	return r.put(n, route)
}

// put gives a node one more method.
func (r *Router) put(n *node, route *Route) error {
	if n.routes[route.Method] != nil {
		return fmt.Errorf("gateway: %s %s is there twice", route.Method, route.Path)
	}
	if n.routes == nil {
		n.routes = map[string]*Route{}
	}
	n.routes[route.Method] = route
	n.allow = allowed(n.routes)
	r.all = append(r.all, route)
	return nil
}

func orNew(n *node) *node {
	if n == nil {
		return &node{}
	}
	return n
}

// allowed is what Allow says: HEAD is answered where GET is, but not by a stream
// without end.
func allowed(routes map[string]*Route) string {
	var have []string
	for m := range routes {
		have = append(have, m)
	}
	if get := routes[http.MethodGet]; get != nil && get.Timing != Endless && routes[http.MethodHead] == nil {
		have = append(have, http.MethodHead)
	}
	slices.Sort(have)
	return strings.Join(have, ", ")
}

// match sets route, parameters and, for a wrong method, what is allowed.
func (r *Router) match(c *Call) {
	n, params := r.find(c.HTTP.URL.EscapedPath())
	if n == nil || n.routes == nil {
		c.Route = r.path
		return
	}
	c.params = params
	if c.Route = n.routes[c.HTTP.Method]; c.Route != nil {
		return
	}
	if get := n.routes[http.MethodGet]; get != nil && c.HTTP.Method == http.MethodHead && get.Timing != Endless {
		c.Route = get
		return
	}
	c.Route, c.allow = r.method, n.allow
}

// find walks the escaped path, so that an escaped slash stays inside its part.
func (r *Router) find(path string) (*node, []string) {
	if n := r.whole[path]; n != nil {
		return n, nil
	}
	rest, ok := strings.CutPrefix(path, r.prefix+"/")
	if !ok {
		return nil, nil
	}
	n, params := &r.root, []string(nil)
	for part := range strings.SplitSeq(rest, "/") {
		if next := n.fixed[part]; next != nil {
			n = next
			continue
		}
		value, err := url.PathUnescape(part)
		if n.param == nil || err != nil || value == "" {
			return nil, nil
		}
		n, params = n.param, append(params, value)
	}
	return n, params
}
