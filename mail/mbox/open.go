package mbox

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
)

// Open reads a mailbox that may be compressed with gzip, xz or bzip2, told by
// its first bytes. What comes out is not bounded here: a caller that imports
// for others counts.
func Open(r io.Reader) (*Reader, error) {
	in := bufio.NewReader(r)
	head, err := in.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("open mailbox: %w", err)
		}
		return NewReader(z), nil
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		z, err := newXZ(in)
		if err != nil {
			return nil, err
		}
		return NewReader(z), nil
	case bytes.HasPrefix(head, []byte("BZh")):
		return NewReader(bzip2.NewReader(in)), nil
	}
	return NewReader(in), nil
}
