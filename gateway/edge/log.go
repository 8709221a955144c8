package edge

import (
	"context"
	"encoding/hex"
	"log/slog"

	"github.com/parley-im/parley/service"
)

// Log writes one line a request. It names the route, not the URL, whose query
// can hold addresses; never a header or a body.
func Log(log *slog.Logger) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		if log.Enabled(ctx, slog.LevelError) {
			c.OnDone(func(d Done) { line(ctx, log, c, d) })
		}
		return next(ctx, c)
	}
}

// line is an Error only when someone should look: a fault that nobody foresaw.
func line(ctx context.Context, log *slog.Logger, c *Call, d Done) {
	level := slog.LevelInfo
	switch {
	case d.HungUp:
	case d.Status == 500:
		level = slog.LevelError
	case d.Status > 500:
		level = slog.LevelWarn
	}
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request", c.ID), slog.String("route", c.Route.Name), slog.String("method", methodLabel(c.HTTP.Method)),
		slog.Int("status", d.Status), slog.Int64("bytes", d.Bytes), slog.Duration("took", d.Took), slog.String("trace", hex.EncodeToString(c.traced.ID[:])),
	}
	if c.Account != "" {
		attrs = append(attrs, slog.String("mailbox", string(c.Account)))
	}
	if d.Code != "" {
		attrs = append(attrs, slog.String("code", d.Code))
	}
	if d.Err != nil && (level > slog.LevelInfo || d.Code == "") { // a stream that broke has no code
		attrs = append(attrs, slog.String("err", d.Err.Error()))
	}
	log.LogAttrs(ctx, level, "request", attrs...)
}
