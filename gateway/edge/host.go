package edge

import (
	"context"
	"net"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// Hosts serves the named virtual hosts alone; none means any. A page of another
// name that was pointed at this address (DNS rebinding) gets nothing.
func Hosts(names []string) Filter {
	served := make(map[string]bool, len(names))
	for _, n := range names {
		served[hostName(n)] = true
	}
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		if len(served) > 0 && !served[hostName(c.HTTP.Host)] {
			return nil, parley.E(parley.NotFound, "gateway.host", "This host is not served here.")
		}
		return next(ctx, c)
	}
}

// hostName drops port, case and the final dot.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}
