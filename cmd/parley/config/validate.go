package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// Validate reports every problem, each with the path of its key.
func (c Config) Validate() error {
	var p problems
	p.address("http.listen", c.HTTP.Listen)
	p.optionalAddress("lmtp.listen", c.LMTP.Listen)
	p.optionalAddress("admin.listen", c.Admin.Listen)
	for i, host := range c.HTTP.Hosts {
		p.require(host != "", fmt.Sprintf("http.hosts[%d]", i), "a host name is empty")
	}
	for i, network := range c.HTTP.Proxies {
		_, err := netip.ParsePrefix(network)
		p.require(err == nil, fmt.Sprintf("http.proxies[%d]", i), "%q is no network such as \"10.0.0.0/8\"", network)
	}
	// A blob has at most 1 GiB.
	p.bytes("http.max_upload", c.HTTP.MaxUpload, 1<<10, 1<<30)
	p.bytes("lmtp.max_message", c.LMTP.MaxMessage, 64<<10, 1<<30)
	p.bytes("mailbox.quota", c.Mailbox.Quota, 1<<20, 1<<50)
	p.span("mailbox.idle", c.Mailbox.Idle, time.Second, 24*time.Hour)
	p.bytes("mailbox.segment", c.Mailbox.Segment, 1<<10, 32<<20)
	p.bytes("store.cache", c.Store.Cache, 1<<20, 1<<40)
	p.bytes("store.reserve", c.Store.Reserve, 1<<20, 1<<40)
	if c.Blobs.Sweep != 0 {
		p.span("blobs.sweep", c.Blobs.Sweep, time.Hour, 30*24*time.Hour)
	}
	p.require(1 <= c.Blobs.DeadPercent && c.Blobs.DeadPercent <= 99, "blobs.dead_percent", "%d is not between 1 and 99", c.Blobs.DeadPercent)
	p.bytes("blobs.rate", c.Blobs.Rate, 64<<10, 1<<40)
	p.span("drain.timeout", c.Drain.Timeout, time.Second, time.Hour)
	p.require(c.Log.Format == "text" || c.Log.Format == "json", "log.format", "%q is neither text nor json", c.Log.Format)
	return errors.Join(p...)
}

type problems []error

func (p *problems) require(ok bool, path, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...)))
	}
}

func (p *problems) address(path, address string) {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	p.require(err == nil, path, "%q is no address such as \"127.0.0.1:8080\"", address)
}

func (p *problems) optionalAddress(path, address string) {
	if address != "" {
		p.address(path, address)
	}
}

func (p *problems) bytes(path string, b, least, most Bytes) {
	p.require(least <= b && b <= most, path, "%v is not between %v and %v", b, least, most)
}

func (p *problems) span(path string, d Duration, least, most time.Duration) {
	p.require(least <= time.Duration(d) && time.Duration(d) <= most, path, "%v is not between %v and %v", d, Duration(least), Duration(most))
}
