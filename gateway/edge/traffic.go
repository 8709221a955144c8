package edge

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/parley-im/parley/internal/limit"
	"github.com/parley-im/parley/service"
)

// TrafficConfig is how fast one address may ask.
type TrafficConfig struct {
	Rates   *limit.Rates
	Proxies []netip.Prefix // whose X-Forwarded-For is believed
	Now     func() time.Time
}

// Traffic slows an address down before anything costly is done for it.
func Traffic(cfg TrafficConfig) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		if err := cfg.Rates.Take(cfg.key(c.HTTP), 1, cfg.Now()); err != nil {
			return nil, err
		}
		return next(ctx, c)
	}
}

// key is the client's address. IPv6 hands whole /64 networks to one client.
func (cfg TrafficConfig) key(r *http.Request) string {
	addr, err := netip.ParseAddr(remote(r))
	if err != nil {
		return "local" // a Unix socket
	}
	addr = cfg.behind(addr.Unmap(), r.Header.Values("X-Forwarded-For"))
	if addr.Is6() {
		if p, err := addr.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return addr.String()
}

// behind looks through proxies of ours: each put the address that it saw at the
// end, so the last that is no proxy is the client. What stands before it is
// whatever the client liked to write.
func (cfg TrafficConfig) behind(addr netip.Addr, forwarded []string) netip.Addr {
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for i := len(hops) - 1; i >= 0 && cfg.trusted(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
	}
	return addr
}

func (cfg TrafficConfig) trusted(addr netip.Addr) bool {
	for _, p := range cfg.Proxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

func remote(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}
