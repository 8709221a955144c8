package mbox

// stream: a header of 12 bytes, or padding of 4 between two streams.
func (g *xzGuard) stream() int {
	if len(g.buf) == 4 {
		if string(g.buf) == "\x00\x00\x00\x00" {
			return g.to((*xzGuard).stream, 4)
		}
		g.ended = false
		return 8
	}
	g.check = 0
	if kind := g.buf[7] & 15; kind > 0 {
		g.check = 4 << ((kind - 1) / 3)
	}
	return g.to((*xzGuard).block, 1)
}

// block: the size of its header, or 0 for the index.
func (g *xzGuard) block() int {
	size := (int(g.buf[0]) + 1) * 4
	switch {
	case g.buf[0] == 0:
		g.body, g.index = 1, 0
		return g.to((*xzGuard).records, 1)
	case len(g.buf) < size:
		return size - len(g.buf)
	}
	g.filters(g.buf[2:], g.buf[1])
	g.body = 0
	return g.to((*xzGuard).chunk, 1)
}

// filters finds the dictionary of LZMA2 (5.3.1): bits, and bits + 1, of one kind.
func (g *xzGuard) filters(b []byte, flags byte) {
	for _, sized := range [...]byte{0x40, 0x80} {
		if flags&sized != 0 {
			_, b = varint(b)
		}
	}
	for range flags&3 + 1 {
		var id, size uint64
		id, b = varint(b)
		size, b = varint(b)
		if size > uint64(len(b)) {
			return
		}
		if id == 0x21 && size == 1 {
			if bits := b[0]; bits > 40 || (2|uint64(bits&1))<<(bits/2+11) > maxDict {
				g.err = errDict
			}
		}
		b = b[size:]
	}
}

// chunk: 0 ends the block; 1 and 2 are stored; from 0x80 on they are LZMA.
func (g *xzGuard) chunk() int {
	control := g.buf[0]
	size := int64(0)
	switch {
	case control == 0:
		g.body++
		g.skip = -g.body&3 + g.check
		return g.to((*xzGuard).block, 1)
	case control < 0x80:
		if len(g.buf) < 3 {
			return 2
		}
		size = int64(g.buf[1])<<8 + int64(g.buf[2]) + 1
	default:
		if len(g.buf) < 5 {
			return 4
		}
		size = int64(g.buf[3])<<8 + int64(g.buf[4]) + 1
		if control >= 0xc0 { // properties
			size++
		}
	}
	g.skip = size
	g.body += size + int64(len(g.buf))
	return g.to((*xzGuard).chunk, 1)
}

// records: the index, numbers of 7 bits to a byte: how many records, then two
// numbers for each; padding, its check, and the footer end the stream.
func (g *xzGuard) records() int {
	if g.buf[len(g.buf)-1]&0x80 != 0 && len(g.buf) < 9 {
		return 1
	}
	g.body += int64(len(g.buf))
	n, _ := varint(g.buf)
	if g.index == 0 {
		g.index = 2*n + 1
	}
	if g.index--; g.index > 0 {
		return g.to((*xzGuard).records, 1)
	}
	g.skip = -g.body&3 + 4 + 12
	g.ended = true
	return g.to((*xzGuard).stream, 4)
}

// varint is a number of the container (1.2).
func varint(b []byte) (n uint64, rest []byte) {
	for i, c := range b {
		if n |= uint64(c&0x7f) << (7 * i); c&0x80 == 0 || i == 8 {
			return n, b[i+1:]
		}
	}
	return n, nil
}
