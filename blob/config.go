package blob

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Config says where the volumes are and how large things may become.
type Config struct {
	Dir         string           // required; created if absent
	FS          vfs.FS           // nil is the disk
	VolumeBytes int64            // a volume that holds this takes no more; 0 means 1 GiB, at most 16 GiB
	MaxBytes    int64            // of one blob; 0 means 100 MiB, at most 1 GiB
	Reserve     uint64           // a blob that is new is refused with DiskFull when less would be free; 0 takes all there is
	Now         func() time.Time // nil is time.Now
	Log         *slog.Logger     // nil discards
	NoSync      bool             // give up durability: for tests and throw-away servers

	small int64 // a blob below this is one buffer, one write, one read; larger ones stream in steps of it. 0 means 1 MiB; tests take less
}

const (
	windowChunks   = 16        // chunks in one disk read of a large blob: 1 MiB
	readerBytes    = 256 << 10 // what Reader holds for a slow receiver, and reads at once of a large blob
	batchBytes     = 8 << 20   // payload that one commit takes
	queueLength    = 256       // requests that wait for the committer; more wait in Put
	freshFor       = time.Hour // a date younger than this is not renewed
	checkpointStep = 16 << 20  // bytes of a volume that a crash may leave to be scanned
	checkpointNext = 1024      // and needles
)

// withDefaults fills in what was left open and rejects what cannot be.
func (c Config) withDefaults() (Config, error) {
	if c.FS == nil {
		c.FS = vfs.Default
	}
	if c.VolumeBytes == 0 {
		c.VolumeBytes = 1 << 30
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 100 << 20
	}
	if c.small == 0 {
		c.small = 16 * chunkBytes
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c, c.validate()
}

func (c Config) validate() error {
	switch {
	case c.Dir == "":
		return errors.New("blob: Dir is required")
	case c.VolumeBytes < 0 || c.VolumeBytes > 16<<30:
		return fmt.Errorf("blob: VolumeBytes %d is not within 1 and 16 GiB", c.VolumeBytes)
	case c.MaxBytes < 0 || c.MaxBytes > 1<<30:
		return fmt.Errorf("blob: MaxBytes %d is not within 1 and 1 GiB", c.MaxBytes)
	}
	return nil
}
