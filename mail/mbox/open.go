package mbox

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
)

// Open reads a mailbox that may be compressed.
func Open(r io.Reader) (*Reader, error) {
	in, err := Unpack(r)
	if err != nil {
		return nil, err
	}
	return NewReader(in), nil
}

// Unpack reads what may be compressed with gzip, xz or bzip2, told by its first
// bytes. What comes out is not bounded here: a caller that imports for others
// counts.
func Unpack(r io.Reader) (io.Reader, error) {
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
		return z, nil
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		z, err := newXZ(in)
		if err != nil {
			return nil, err
		}
		return z, nil
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzip2.NewReader(in), nil
	}
	return in, nil
}
