package embedded

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

const (
	defaultCache   = 64 << 20
	defaultReserve = 64 << 20

	// Four memtables are also the most that a restart replays.
	defaultMemTable = 8 << 20
)

// options are set for a server that shares 1 to 2 GB with everything else.
func (cfg Config) options(m *medium, log pebbleLog) *pebble.Options {
	o := &pebble.Options{
		FS:                 m,
		Comparer:           comparer,
		CacheSize:          cfg.CacheBytes,
		FormatMajorVersion: pebble.FormatValueSeparation,
		Logger:             log,
		EventListener:      log.events(),

		MemTableSize:                cfg.memTable,
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       24,
		LBaseMaxBytes:               32 << 20,
		MaxOpenFiles:                500,
		BytesPerSync:                1 << 20,
		WALMinSyncInterval:          m.gather.lag,
	}
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		o.Levels[i].FilterType = pebble.TableFilter
		o.Levels[i].BlockSize = 16 << 10
	}
	// The part behind the row is no version: the cells of a row are equals, and
	// their values stay beside their keys.
	o.Experimental.SpanPolicyFunc = func([]byte) (pebble.SpanPolicy, []byte, error) {
		return pebble.SpanPolicy{DisableValueSeparationBySuffix: true}, nil, nil
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionBalanced })
	o.EnsureDefaults()
	return o
}
