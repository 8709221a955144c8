package smtp

import (
	"io"
	"time"
)

// timed is the network under a wire. Every wait has an end, and replies are
// written out before one begins: for a client that sends commands in groups (RFC
// 2920 3.2), that makes one packet of their replies.
type timed struct{ w *wire }

func (t timed) Read(p []byte) (int, error) {
	if err := t.w.out.Flush(); err != nil {
		return 0, err
	}
	t.w.arm()
	return t.w.Conn.Read(p)
}

func (t timed) Write(p []byte) (int, error) {
	if err := t.w.Conn.SetWriteDeadline(time.Now().Add(t.w.server.cfg.Timeouts.Write)); err != nil {
		return 0, err
	}
	return t.w.Conn.Write(p)
}

// expect says what is waited for from now on, and until when.
func (w *wire) expect(inMessage bool, within time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inMessage = inMessage
	w.due = time.Now().Add(within)
}

// arm sets the end of one wait for the client. Drain and arm exclude each other,
// so that neither undoes what the other did.
func (w *wire) arm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Conn.SetReadDeadline(w.end())
}

// end is when the wait for the client ends; w.mu is held. Once the server drains, no
// command is waited for, and of a message only what keeps coming.
func (w *wire) end() time.Time {
	content := w.server.cfg.Timeouts.Content
	switch {
	case w.draining && !w.inMessage:
		return time.Unix(1, 0)
	case !w.inMessage:
		return w.due
	case w.draining:
		content = min(content, w.server.cfg.Timeouts.Drain)
	}
	if soon := time.Now().Add(content); soon.Before(w.due) {
		return soon
	}
	return w.due
}

// drain wakes a session that waits for a command, and soon one that waits for the
// rest of a message.
func (w *wire) drain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.draining = true
	w.Conn.SetReadDeadline(w.end())
}

func (w *wire) isDraining() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.draining
}

// A client that has sent more than was read would get a reset, which may destroy
// the last reply on its way. It is given a moment to read it.
const (
	lingerTime  = time.Second
	lingerBytes = 1 << 20
)

// hangUp writes what is left to say and ends the connection.
func (w *wire) hangUp() error {
	flushed := w.out.Flush()
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok && flushed == nil && w.in.Buffered() > 0 {
		half.CloseWrite()
		w.Conn.SetReadDeadline(time.Now().Add(lingerTime))
		io.CopyN(io.Discard, w.Conn, lingerBytes)
	}
	return w.Conn.Close()
}
