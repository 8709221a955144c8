package blob

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// checkpoint appends to the file that saves a start from scanning a volume.
type checkpoint struct {
	number  uint32
	nonce   nonce
	file    vfs.File
	at      int64    // where the next block goes
	to      int64    // what the blocks cover
	pending []record // of needles past to, in order
	broken  bool     // a write failed; the next start scans, and writes it anew
}

func newCheckpoint(number uint32, n nonce, f vfs.File) *checkpoint {
	return &checkpoint{number: number, nonce: n, file: f, to: volumeHeaderBytes}
}

// close closes the file, which a volume that takes no more needs no longer.
func (c *checkpoint) close() error {
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	return f.Close()
}

// finish makes all blocks durable and closes the file.
func (c *checkpoint) finish(sync func(func() error) error) error {
	return errors.Join(sync(c.file.Sync), c.close())
}

// due says that enough has been appended to be worth a block.
func (c *checkpoint) due(end int64) bool {
	return len(c.pending) >= checkpointNext || end-c.to >= checkpointStep
}

// write saves what is pending; everything before end must be durable in the volume.
func (c *checkpoint) write(end int64, sealed bool) error {
	if c.broken {
		c.pending = nil
		return fmt.Errorf("checkpoint %d: an earlier write failed", c.number)
	}
	if end == c.to && !sealed {
		return nil
	}
	b := c.encode(end, sealed)
	if _, err := c.file.WriteAt(b, c.at); err != nil {
		c.broken, c.pending = true, nil
		return fmt.Errorf("write checkpoint %d: %w", c.number, err)
	}
	c.at += int64(len(b))
	c.to, c.pending = end, c.pending[:0]
	return nil
}

// encode makes one block, or several if there are many records.
func (c *checkpoint) encode(end int64, sealed bool) []byte {
	var out []byte
	from, rest := c.to, c.pending
	for len(rest) > blockMost {
		to := rest[blockMost].offset
		out = appendBlock(out, c.nonce, block{from: from, to: to, records: rest[:blockMost]})
		from, rest = to, rest[blockMost:]
	}
	return appendBlock(out, c.nonce, block{from: from, to: end, sealed: sealed, records: rest})
}

// load reads the blocks that are whole and go on from each other, as far as the
// volume reaches, and leaves the checkpoint ready to append behind them.
func (c *checkpoint) load(volumeSize int64, visit func(block)) error {
	info, err := c.file.Stat()
	if err != nil {
		return fmt.Errorf("checkpoint %d: %w", c.number, err)
	}
	size := info.Size()
	for size-c.at >= blockHeader {
		b, length, ok, err := c.next(size - c.at)
		if err != nil {
			return err
		}
		if !ok || b.to > volumeSize {
			return nil
		}
		visit(b)
		c.at, c.to = c.at+length, b.to
		if b.sealed {
			return nil
		}
	}
	return nil
}

// next reads the block at c.at; false if none stands there.
func (c *checkpoint) next(most int64) (b block, length int64, ok bool, err error) {
	raw := make([]byte, blockHeader)
	if err := readCheckpoint(c, raw, c.at); err != nil {
		return b, 0, false, err
	}
	count := binary.LittleEndian.Uint32(raw[32:])
	length = blockHeader + int64(count)*recordBytes
	if string(raw[:8]) != blockMagic || nonce(raw[8:16]) != c.nonce || count > blockMost || length > most {
		return b, 0, false, nil
	}
	raw = make([]byte, length)
	if err := readCheckpoint(c, raw, c.at); err != nil {
		return b, 0, false, err
	}
	b, ok = decodeBlock(raw, c.number)
	return b, length, ok && b.follows(c.to), nil
}

// readNonce reads whose checkpoint this is off its first block; zero if it has none.
func (c *checkpoint) readNonce() (n nonce, err error) {
	info, err := c.file.Stat()
	if err != nil || info.Size() < blockHeader {
		return n, err
	}
	raw := make([]byte, blockHeader)
	if err := readCheckpoint(c, raw, 0); err != nil || string(raw[:8]) != blockMagic {
		return n, err
	}
	return nonce(raw[8:16]), nil
}

func readCheckpoint(c *checkpoint, b []byte, at int64) error {
	if n, err := c.file.ReadAt(b, at); n < len(b) {
		return fmt.Errorf("read checkpoint %d: %w", c.number, err)
	}
	return nil
}
