package edge

import (
	"net/http"
	"time"
)

// output counts what is written, and gives a client that reads nothing only so
// long per write.
type output struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	status  int
	bytes   int64
}

func (o *output) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *output) Write(b []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	// Not every writer has deadlines; httptest's has none.
	_ = o.control.SetWriteDeadline(time.Now().Add(o.timeout))
	n, err := o.ResponseWriter.Write(b)
	o.bytes += int64(n)
	return n, err
}

// FlushError sends what is buffered; http.ResponseController finds it. Between
// writes there is no deadline: HTTP/2 would end a quiet stream at it.
func (o *output) FlushError() error {
	err := o.control.Flush()
	_ = o.control.SetWriteDeadline(time.Time{})
	return err
}
