package control

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// kind of a frame.
type kind byte

const (
	requestFrame kind = 'R'
	cancelFrame  kind = 'C'
	outFrame     kind = 'O'
	diagFrame    kind = 'E'
	resultFrame  kind = 'X'
)

const (
	headerBytes = 5
	maxFrame    = 1 << 20  // of a request or result
	chunk       = 32 << 10 // of output
)

// frames writes whole frames, also for several goroutines.
type frames struct {
	mu sync.Mutex
	w  io.Writer
}

func (f *frames) send(k kind, payload []byte) error {
	if len(payload) > maxFrame {
		return fmt.Errorf("control: a frame of %d bytes", len(payload))
	}
	frame := make([]byte, headerBytes, headerBytes+len(payload))
	frame[0] = byte(k)
	binary.BigEndian.PutUint32(frame[1:], uint32(len(payload)))
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.w.Write(append(frame, payload...))
	return err
}

func (f *frames) sendJSON(k kind, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.send(k, text)
}

func receive(r io.Reader) (kind, []byte, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(header[1:])
	if n > maxFrame {
		return 0, nil, fmt.Errorf("control: a frame of %d bytes", n)
	}
	payload := make([]byte, n)
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, nil, err
	}
	return kind(header[0]), payload, nil
}

// stream is a writer whose bytes travel in frames of one kind.
type stream struct {
	frames *frames
	kind   kind
}

func (s stream) Write(p []byte) (written int, err error) {
	for len(p) > 0 {
		n := min(len(p), chunk)
		if err := s.frames.send(s.kind, p[:n]); err != nil {
			return written, err
		}
		written += n
		p = p[n:]
	}
	return written, nil
}
