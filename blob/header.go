package blob

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/parley-im/parley"
)

// The form of a volume, all integers little-endian, everything at multiples of 8:
//
//	volume header, 64 bytes
//	  0  "parleyvl"   8  version 1 (4)   12  number (4)   16  nonce (8)
//	 24  zero        60  CRC32C of what is before
//	needle header, 96 bytes
//	  0  nonce of the volume (8)      8  kind (1)     9  zero
//	 16  size (8)    24  own offset (8)   32  offset below which the volume was durable (8)
//	 40  serial (8)  48  date, Unix seconds (8)   56  digest (32)   88  zero
//	 92  CRC32C of what is before
//	a put goes on with its chunks of 64 KiB, the last shorter, each followed by its
//	checksum, and zeros up to the multiple of 8
//
// The nonce is random and never leaves the folder, so that nobody can send a blob
// in which a scan would find a needle. The serial orders all needles of a
// store: of two puts of one digest the later counts, and a delete ends the puts
// and renewals before it, whatever volume they are in.
const (
	volumeMagic       = "parleyvl"
	volumeVersion     = 1
	volumeHeaderBytes = 64
	headerBytes       = 96
	alignment         = 8
)

// nonce marks the needles of one volume.
type nonce [8]byte

// kind says what a needle is.
type kind uint8

const (
	kindPut    kind = 1 // a blob follows
	kindRenew  kind = 2 // a new date for a blob; size 0
	kindCut    kind = 3 // size bytes without meaning follow
	kindDelete kind = 4 // ends a blob; size 0
)

// known reports whether this version can replay the kind.
func (k kind) known() bool { return k >= kindPut && k <= kindDelete }

// header is what stands before each needle.
type header struct {
	kind    kind
	size    int64
	offset  int64
	durable int64
	serial  uint64
	date    int64
	digest  parley.Digest
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func padded(n int64) int64 { return (n + alignment - 1) &^ (alignment - 1) }

// length is the whole needle on disk.
func (h header) length() int64 {
	if h.kind == kindPut {
		return headerBytes + padded(sealedBytes(h.size))
	}
	return headerBytes + padded(h.size)
}

func (h header) end() int64 { return h.offset + h.length() }

// appendTo writes the header behind b.
func (h header) appendTo(b []byte, n nonce) []byte {
	var raw [headerBytes]byte
	copy(raw[0:], n[:])
	raw[8] = byte(h.kind)
	binary.LittleEndian.PutUint64(raw[16:], uint64(h.size))
	binary.LittleEndian.PutUint64(raw[24:], uint64(h.offset))
	binary.LittleEndian.PutUint64(raw[32:], uint64(h.durable))
	binary.LittleEndian.PutUint64(raw[40:], h.serial)
	binary.LittleEndian.PutUint64(raw[48:], uint64(h.date))
	copy(raw[56:], h.digest[:])
	binary.LittleEndian.PutUint32(raw[92:], crc32.Checksum(raw[:92], castagnoli))
	return append(b, raw[:]...)
}

// decodeHeader reads a header that stands at an offset; false if none does. The
// offset within keeps a copy of a needle elsewhere from being taken for one.
func decodeHeader(raw []byte, n nonce, at int64) (header, bool) {
	if len(raw) < headerBytes || nonce(raw[:8]) != n {
		return header{}, false
	}
	if binary.LittleEndian.Uint32(raw[92:]) != crc32.Checksum(raw[:92], castagnoli) {
		return header{}, false
	}
	h := header{
		kind:    kind(raw[8]),
		size:    int64(binary.LittleEndian.Uint64(raw[16:])),
		offset:  int64(binary.LittleEndian.Uint64(raw[24:])),
		durable: int64(binary.LittleEndian.Uint64(raw[32:])),
		serial:  binary.LittleEndian.Uint64(raw[40:]),
		date:    int64(binary.LittleEndian.Uint64(raw[48:])),
		digest:  parley.Digest(raw[56:88]),
	}
	if h.offset != at || h.size < 0 || h.size >= 1<<40 {
		return header{}, false
	}
	return h, true
}

// encodeVolumeHeader writes what stands first in a volume.
func encodeVolumeHeader(number uint32, n nonce) []byte {
	raw := make([]byte, volumeHeaderBytes)
	copy(raw, volumeMagic)
	binary.LittleEndian.PutUint32(raw[8:], volumeVersion)
	binary.LittleEndian.PutUint32(raw[12:], number)
	copy(raw[16:], n[:])
	binary.LittleEndian.PutUint32(raw[60:], crc32.Checksum(raw[:60], castagnoli))
	return raw
}

// decodeVolumeHeader reads it back; false if it is not whole or another's.
func decodeVolumeHeader(raw []byte, number uint32) (n nonce, version uint32, ok bool) {
	if len(raw) < volumeHeaderBytes || string(raw[:8]) != volumeMagic {
		return n, 0, false
	}
	if binary.LittleEndian.Uint32(raw[60:]) != crc32.Checksum(raw[:60], castagnoli) {
		return n, 0, false
	}
	return nonce(raw[16:24]), binary.LittleEndian.Uint32(raw[8:]), binary.LittleEndian.Uint32(raw[12:]) == number
}
