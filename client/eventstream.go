package client

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
	"time"
)

// EventStream is an open stream of server-sent events, on one connection. Events
// follows many. Who got it closes it.
type EventStream struct {
	Revision Revision // from which on a stream without a beginning tells

	body  io.Closer
	lines *bufio.Scanner
	quiet time.Duration
	alarm *time.Timer   // ends the connection when nothing comes
	retry time.Duration // what the server last asked for; 0: nothing
}

// Sent is one server-sent event.
type Sent struct {
	ID, Type string
	Data     []byte
}

// maxLine is more than any event; a longer line is no event of this server.
const maxLine = 1 << 20

func (c *Client) follow(ctx context.Context, r *request, opts []Option) (*EventStream, error) {
	r.stream = true
	ctx, cancel := context.WithCancel(ctx)
	rep, err := c.do(ctx, r, opts)
	if err != nil {
		cancel()
		return nil, err
	}
	s := &EventStream{body: closing{rep.rest, cancel}, lines: bufio.NewScanner(rep.rest), quiet: c.cfg.Quiet, alarm: time.AfterFunc(c.cfg.Quiet, cancel)}
	s.Revision = answerOf(rep.status, rep.header, r.attempts).Revision
	s.lines.Buffer(nil, maxLine)
	return s, nil
}

// Next waits for an event (HTML 9.2.6). io.EOF is the end of the connection; an
// event that it cut is not told.
func (s *EventStream) Next() (Sent, error) {
	var e Sent
	data := false
	for s.lines.Scan() {
		s.alarm.Reset(s.quiet)
		line := strings.TrimSuffix(s.lines.Text(), "\r")
		if line == "" {
			if data {
				return e, nil
			}
			e = Sent{}
			continue
		}
		data = s.field(&e, line) || data
	}
	if err := s.lines.Err(); err != nil {
		return Sent{}, err
	}
	return Sent{}, io.EOF
}

// field takes one line, and reports whether it was data.
func (s *EventStream) field(e *Sent, line string) bool {
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "id":
		e.ID = value
	case "event":
		e.Type = value
	case "data":
		if e.Data != nil {
			e.Data = append(e.Data, '\n')
		}
		e.Data = append(e.Data, value...)
		return true
	case "retry":
		if ms, err := strconv.ParseUint(value, 10, 31); err == nil {
			s.retry = time.Duration(ms) * time.Millisecond
		}
	}
	return false
}

// Close ends the connection.
func (s *EventStream) Close() error {
	s.alarm.Stop()
	return s.body.Close()
}
