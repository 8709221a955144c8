package blob

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// The form of a checkpoint, beside its volume: blocks one after the other, each
//
//	 0  "parleyix"    8  nonce of the volume (8)   16  from (8)   24  to (8)
//	32  count (4)    36  1 if the volume is sealed at to (4)   40  zero   44  CRC32C of the block without these 4
//	then count records of 64 bytes:
//	 0  digest (32)  32  offset (8)  40  serial (8)  48  date (8)  56  size (4)  60  kind (1)  61  zero
//
// A block lists the needles of the volume from one offset to the next, where the
// next block goes on. It is written only after the volume was synced up to
// there, and not synced itself: a block that is whole is true, one that is lost costs a scan.
const (
	blockMagic  = "parleyix"
	blockHeader = 48
	recordBytes = 64
	blockMost   = 1 << 16 // records in one block
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

func (c *checkpoint) close() error { return c.file.Close() }

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

// block is one block, decoded.
type block struct {
	from, to int64
	sealed   bool
	records  []record
}

func appendBlock(out []byte, n nonce, b block) []byte {
	start := len(out)
	out = append(out, make([]byte, blockHeader)...)
	for _, r := range b.records {
		out = appendRecord(out, r)
	}
	raw := out[start:]
	copy(raw, blockMagic)
	copy(raw[8:], n[:])
	binary.LittleEndian.PutUint64(raw[16:], uint64(b.from))
	binary.LittleEndian.PutUint64(raw[24:], uint64(b.to))
	binary.LittleEndian.PutUint32(raw[32:], uint32(len(b.records)))
	if b.sealed {
		raw[36] = 1
	}
	binary.LittleEndian.PutUint32(raw[44:], blockSum(raw))
	return out
}

func blockSum(raw []byte) uint32 {
	return crc32.Update(crc32.Checksum(raw[:44], castagnoli), castagnoli, raw[blockHeader:])
}

func appendRecord(out []byte, r record) []byte {
	var raw [recordBytes]byte
	copy(raw[:], r.digest[:])
	binary.LittleEndian.PutUint64(raw[32:], uint64(r.offset))
	binary.LittleEndian.PutUint64(raw[40:], r.serial)
	binary.LittleEndian.PutUint64(raw[48:], uint64(r.date))
	binary.LittleEndian.PutUint32(raw[56:], uint32(r.size))
	raw[60] = byte(r.kind)
	return append(out, raw[:]...)
}

func decodeRecord(raw []byte, volume uint32) record {
	return record{
		digest: parley.Digest(raw[:32]), volume: volume,
		offset: int64(binary.LittleEndian.Uint64(raw[32:])),
		serial: binary.LittleEndian.Uint64(raw[40:]),
		date:   int64(binary.LittleEndian.Uint64(raw[48:])),
		size:   int64(binary.LittleEndian.Uint32(raw[56:])),
		kind:   kind(raw[60]),
	}
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
	b = block{
		from:   int64(binary.LittleEndian.Uint64(raw[16:])),
		to:     int64(binary.LittleEndian.Uint64(raw[24:])),
		sealed: raw[36] == 1,
	}
	for at := blockHeader; at < len(raw); at += recordBytes {
		b.records = append(b.records, decodeRecord(raw[at:], c.number))
	}
	return b, length, binary.LittleEndian.Uint32(raw[44:]) == blockSum(raw) && b.follows(c.to), nil
}

// follows says that the block goes on from an offset and lists needles within it.
func (b block) follows(to int64) bool {
	ok := b.from == to && b.to >= b.from && b.to%alignment == 0
	for _, r := range b.records {
		ok = ok && r.offset >= b.from && r.offset < b.to && r.offset%alignment == 0 && r.kind.known()
	}
	return ok
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
