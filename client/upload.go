package client

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// upload is a caller's reader on its way out, once per attempt if it can go back.
type upload struct {
	content io.Reader
	size    int64 // 0: not known, or nothing
	start   int64 // where content began
	rewinds bool  // content can go back there
	sending *sending
}

// uploadOf finds out how much comes, so that a server can refuse what is too
// large before it is sent.
func uploadOf(content io.Reader, size int64) *upload {
	u := &upload{content: content, size: size}
	if sized, ok := content.(interface{ Len() int }); ok {
		u.size = int64(sized.Len())
	}
	s, ok := content.(io.Seeker)
	if !ok {
		return u
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return u // a pipe that is a file, say
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return u
	}
	u.start, u.size = at, end-at
	_, err = s.Seek(at, io.SeekStart)
	u.rewinds = err == nil
	return u
}

// again gives the body of an attempt and its length. net/http may still read the
// body of an earlier one, so that is ended first.
func (u *upload) again() (io.ReadCloser, int64, error) {
	if u.sending != nil {
		u.stop()
		if _, err := u.content.(io.Seeker).Seek(u.start, io.SeekStart); err != nil {
			return nil, 0, fmt.Errorf("client: send it again: %w", err)
		}
	}
	u.sending = &sending{content: u.content}
	switch {
	case u.size > 0:
		return u.sending, u.size, nil
	case u.rewinds:
		return http.NoBody, 0, nil // known to be empty
	}
	return u.sending, -1, nil
}

// stop ends the last attempt: afterwards nobody begins to read the content, and
// nobody reads one that can be sent again. A read that waits, on a pipe say, is
// not waited for.
func (u *upload) stop() {
	if u.sending == nil {
		return
	}
	u.sending.over.Store(true)
	if u.rewinds {
		u.sending.mu.Lock()
		defer u.sending.mu.Unlock()
	}
}

// sending is the content during one attempt.
type sending struct {
	over    atomic.Bool
	mu      sync.Mutex // held while content is read
	content io.Reader
}

func (s *sending) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over.Load() {
		return 0, io.ErrClosedPipe
	}
	return s.content.Read(b)
}

// Close is called when the attempt is over.
func (s *sending) Close() error {
	s.over.Store(true)
	return nil
}
