package embedded

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// pebbleLog hands Pebble's words to slog. Fatalf stops the medium instead of the process.
type pebbleLog struct {
	log    *slog.Logger
	medium *medium
}

func (l pebbleLog) Infof(format string, args ...any) {
	l.log.Debug("pebble", "text", fmt.Sprintf(format, args...))
}

func (l pebbleLog) Errorf(format string, args ...any) {
	l.log.Warn("pebble", "text", fmt.Sprintf(format, args...))
}

func (l pebbleLog) Fatalf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	l.log.Error("pebble gave up", "text", text, "stack", string(debug.Stack()))
	l.medium.fail(fmt.Errorf("pebble: %s", text))
}

// events reports what an operator can act upon.
func (l pebbleLog) events() *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: func(err error) {
			if !l.medium.hasFailed() && !vfs.IsNoSpaceError(err) { // those are reported once, by medium
				l.log.Error("pebble background work failed", "err", err)
			}
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			l.log.Error("damaged data on disk", "detail", info.String())
		},
		WriteStallBegin: func(info pebble.WriteStallBeginInfo) {
			l.log.Warn("writes wait for compaction", "reason", info.Reason)
		},
	}
}
