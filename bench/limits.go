package bench

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Limits are what the machine can do at all, for the ratios of one run.
type Limits struct {
	SyncMicros      float64 `json:"syncMicros"`      // median of one write and fsync, appended to one file
	SyncsPerSecond  float64 `json:"syncsPerSecond"`  // of a loop of them
	RoundTripMicros float64 `json:"roundTripMicros"` // median over a TCP connection of the loopback
}

const (
	syncBytes  = 4 << 10 // about what a commit of one mail adds to the log
	tripBytes  = 128
	tripRounds = 2000
)

// MeasureLimits looks at the disk that dir is on and at the loopback, for about d.
func MeasureLimits(ctx context.Context, dir string, d time.Duration) (l Limits, err error) {
	if l.SyncMicros, l.SyncsPerSecond, err = syncLoop(ctx, filepath.Join(dir, "syncs"), d); err != nil {
		return l, err
	}
	l.RoundTripMicros, err = roundTrip()
	return l, err
}

func syncLoop(ctx context.Context, path string, d time.Duration) (median, perSecond float64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, 0, err
	}
	defer os.Remove(path)
	defer f.Close()
	block := make([]byte, syncBytes)
	var took []float64
	start := time.Now()
	for time.Since(start) < d && ctx.Err() == nil {
		at := time.Now()
		if _, err := f.Write(block); err != nil {
			return 0, 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, 0, err
		}
		took = append(took, micros(time.Since(at)))
	}
	return quantile(took, 0.5), float64(len(took)) / time.Since(start).Seconds(), ctx.Err()
}

func roundTrip() (median float64, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = io.Copy(c, c)
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return 0, err
	}
	defer c.Close()
	buf := make([]byte, tripBytes)
	var took []float64
	for range tripRounds {
		at := time.Now()
		if _, err := c.Write(buf); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(c, buf); err != nil {
			return 0, err
		}
		took = append(took, micros(time.Since(at)))
	}
	return quantile(took, 0.5), nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// quantile sorts what it is given.
func quantile(of []float64, q float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[min(int(q*float64(len(of))), len(of)-1)]
}
