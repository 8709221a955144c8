package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-im/parley/service"
)

// Config says whom to ask, and as whom.
type Config struct {
	BaseURL string       // required; of the interface, "https://parley.example.org/v1"
	Token   string       // bearer token; "" can ask only what is open to all
	HTTP    *http.Client // nil: one of its own, with connections of http.DefaultTransport
	Account AccountID    // whom to act for; "": the token's own account

	Attempts int           // of one call in all; 0 means 6, 1 never repeats
	MaxWait  time.Duration // longest pause between two of them; a server that asks for more is not asked again; 0 means 10 s
	Timeout  time.Duration // of one attempt, unless it carries bytes or events; 0 means 40 s
	Quiet    time.Duration // without a sign of life, an event stream counts as broken; 0 means 80 s
	MaxBody  int64         // bytes of an answer in JSON; 0 means 64 MiB
}

// Client makes calls. It may be used by many goroutines.
type Client struct {
	cfg   Config
	base  string
	retry service.SimpleFilter[*request, *reply]
}

// New makes a client; it asks nothing yet.
func New(c Config) (*Client, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("client: BaseURL: %w", err)
	}
	if base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("client: BaseURL is no URL such as https://parley.example.org/v1")
	}
	if strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("client: Token has characters that no token has")
	}
	if c.HTTP == nil {
		c.HTTP = &http.Client{}
	}
	c.Attempts = cmp.Or(c.Attempts, 6)
	c.MaxWait = cmp.Or(c.MaxWait, 10*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 40*time.Second)
	c.Quiet = cmp.Or(c.Quiet, 80*time.Second)
	c.MaxBody = cmp.Or(c.MaxBody, 64<<20)
	return &Client{cfg: c, base: strings.TrimSuffix(base.String(), "/"), retry: repeats(c)}, nil
}
