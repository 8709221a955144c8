package blob

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

const (
	chunkBytes  = 64 << 10 // payload under one checksum
	sumBytes    = 4
	sealedChunk = chunkBytes + sumBytes
)

// sealedBytes is what size bytes of payload take with the checksums of their chunks.
func sealedBytes(size int64) int64 {
	return size + sumBytes*((size+chunkBytes-1)/chunkBytes)
}

// sums makes the checksums of one needle's chunks. They cover the volume, the
// needle's place and the number of the chunk too: bytes that the disk
// returns from elsewhere do not pass.
type sums uint32

func newSums(n nonce, offset int64) sums {
	var b [16]byte
	copy(b[:], n[:])
	binary.LittleEndian.PutUint64(b[8:], uint64(offset))
	return sums(crc32.Checksum(b[:], castagnoli))
}

func (s sums) of(number int64, chunk []byte) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number))
	return crc32.Update(crc32.Update(uint32(s), castagnoli, b[:]), castagnoli, chunk)
}

// seal appends payload to dst in chunks, each with its checksum; first is the
// number of the first one.
func (s sums) seal(dst, payload []byte, first int64) []byte {
	for n := first; len(payload) > 0; n++ {
		chunk := payload[:min(len(payload), chunkBytes)]
		dst = append(dst, chunk...)
		dst = binary.LittleEndian.AppendUint32(dst, s.of(n, chunk))
		payload = payload[len(chunk):]
	}
	return dst
}

// open checks sealed chunks and hands out the payload of each, in order.
func (s sums) open(sealed []byte, first int64, each func(chunk []byte)) error {
	for n := first; len(sealed) > 0; n++ {
		l := min(len(sealed), sealedChunk) - sumBytes
		if l <= 0 {
			return fmt.Errorf("%w: chunk %d has no payload", ErrDamaged, n)
		}
		chunk := sealed[:l]
		if binary.LittleEndian.Uint32(sealed[l:]) != s.of(n, chunk) {
			return fmt.Errorf("%w: chunk %d fails its checksum", ErrDamaged, n)
		}
		each(chunk)
		sealed = sealed[l+sumBytes:]
	}
	return nil
}
