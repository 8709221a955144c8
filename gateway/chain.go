package gateway

import (
	"slices"
	"time"

	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/internal/limit"
	"github.com/parley-im/parley/service"
)

// chain is the order in which a request is handled, stated here and nowhere
// else. What costs nothing comes first; nothing is done for an address that asks
// too fast; nothing reaches a store before the request is well formed. What a
// batch holds goes the same way, but for what its batch has passed already.
func (g *Gateway) chain() (outer, inner service.Service[*edge.Call, *edge.Reply]) {
	user := edge.Auth(g.Accounts).AndThen(edge.Stack( // from here on there is a user: the types change
		edge.Dispatch,
		edge.Account(edge.AccountConfig{Rates: g.rates("gateway.account", g.AccountEvery, g.AccountBurst), InFlight: g.AccountInFlight, Now: g.Now}),
		edge.Keys(edge.KeysConfig{Secret: g.Secret, Running: g.MaxRunning, Waiting: g.MaxWaiting, Now: g.Now}),
	))
	kept := []edge.Filter{
		service.Recover[*edge.Call, *edge.Reply](service.RecoverConfig{Op: "gateway", Log: g.Log, Panics: g.metrics.panics}),
		edge.RequestID(g.NewID),
		edge.HandleTime(g.metrics.seconds),
		edge.Tracing(),
		edge.Deadline(g.Timeout, g.TransferTimeout),
		edge.Stats(edge.StatsConfig{Requests: g.metrics.requests, InFlight: g.metrics.inFlight}),
		edge.Log(g.Log),
	}
	door := []edge.Filter{
		edge.Health(edge.HealthConfig{Version: g.Version, Checks: g.Checks, Timeout: time.Second, Fresh: time.Second, Draining: g.streams.isDraining, Now: g.Now}),
		edge.Hosts(g.Hosts),
	}
	read := []edge.Filter{
		edge.Traffic(edge.TrafficConfig{Rates: g.rates("gateway.address", g.AddressEvery, g.AddressBurst), Proxies: g.Proxies, Now: g.Now}),
		edge.Parse(edge.ParseConfig{MaxBody: g.MaxBody, MaxUpload: g.MaxUpload, MaxHeld: g.MaxHeld, Timeout: g.Timeout, Hurry: &g.hurry}),
		edge.Sanitize(),
		edge.Public(),
	}
	within := []edge.Filter{edge.OneByOne(batchRoute)}
	return edge.Stack(user, slices.Concat(kept, door, read)...), edge.Stack(user, slices.Concat(kept, within, read)...)
}

func (g *Gateway) rates(op string, every time.Duration, burst int) *limit.Rates {
	return limit.NewRates(limit.RatesConfig{Op: op, Every: every, Burst: burst, Keys: g.LimitedKeys})
}
