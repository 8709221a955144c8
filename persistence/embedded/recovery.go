package embedded

import (
	"encoding/binary"
	"errors"
	"io"
	"log/slog"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/wal"
)

// Recovery is what Open found in the newest write-ahead log. A record is cut
// short when power or process ended in the middle of a write; it was never
// acknowledged, and Pebble leaves it out.
type Recovery struct {
	Records int   // whole records that were read again
	Torn    int   // records cut short: 0 or 1
	At      int64 // where the log was cut, if Torn
}

func (r Recovery) report(log *slog.Logger, dir string) {
	if r.Torn > 0 {
		log.Warn("log ended inside a record that was never acknowledged, cut it", "folder", dir, "at", r.At, "records", r.Records)
	}
}

// inspectLog reads the newest log as Pebble will. Older logs were closed whole.
func inspectLog(fs vfs.FS, dir string) (Recovery, error) {
	logs, err := wal.Scan(wal.Dir{FS: fs, Dirname: dir})
	if err != nil || len(logs) == 0 {
		return Recovery{}, err
	}
	last := logs[len(logs)-1]
	var r Recovery
	reader := last.OpenForRead()
	for {
		_, at, err := reader.NextRecord()
		if err == nil {
			r.Records++
			continue
		}
		if record.IsInvalidRecord(err) && isTorn(fs, at, uint32(last.Num)) {
			r.Torn, r.At = 1, at.Physical
		} else if !errors.Is(err, io.EOF) && !record.IsInvalidRecord(err) {
			return r, errors.Join(err, reader.Close())
		}
		return r, reader.Close()
	}
}

// isTorn tells a record cut short from the zeros behind the end and from the
// rest of an older log in a file used again: a chunk carries the low 32 bits of
// its log's number behind checksum (4), length (2) and kind (1).
func isTorn(fs vfs.FS, at wal.Offset, num uint32) bool {
	f, err := fs.Open(at.PhysicalFile)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [11]byte
	if _, err := f.ReadAt(head[:], at.Physical); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	return binary.LittleEndian.Uint32(head[7:]) == num
}
