package blob

import (
	"encoding/binary"
	"hash/crc32"

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

// decodeBlock reads a whole block; false if its checksum says otherwise.
func decodeBlock(raw []byte, volume uint32) (block, bool) {
	b := block{
		from:   int64(binary.LittleEndian.Uint64(raw[16:])),
		to:     int64(binary.LittleEndian.Uint64(raw[24:])),
		sealed: raw[36] == 1,
	}
	for at := blockHeader; at < len(raw); at += recordBytes {
		b.records = append(b.records, decodeRecord(raw[at:], volume))
	}
	return b, binary.LittleEndian.Uint32(raw[44:]) == blockSum(raw)
}

// follows says that the block goes on from an offset and lists needles within it.
func (b block) follows(to int64) bool {
	ok := b.from == to && b.to >= b.from && b.to%alignment == 0
	for _, r := range b.records {
		ok = ok && r.offset >= b.from && r.offset < b.to && r.offset%alignment == 0 && r.kind.known()
	}
	return ok
}
