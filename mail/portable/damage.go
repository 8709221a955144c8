package portable

import (
	"errors"
	"io"

	"github.com/parley-im/parley"
)

// origin is the bytes of an archive. It knows whether they could be read: if so,
// whatever else is wrong is in them.
type origin struct {
	io.ReaderAt
	failed error
	left   int64 // bytes that may be read yet
}

// ReadAt implements io.ReaderAt.
func (o *origin) ReadAt(p []byte, off int64) (int, error) {
	if o.left -= int64(len(p)); o.left < 0 {
		return 0, tooMuch("it has too many files; part it, or use a tar")
	}
	if off < 0 { // as a zip may say of its own files
		return 0, io.ErrUnexpectedEOF
	}
	n, err := o.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		o.failed = err
	}
	return n, err
}

// judge says in plain words that an archive is damaged, if that is what an error
// means.
func (o *origin) judge(err error) error {
	if err == nil || o.failed != nil || errors.As(err, new(*parley.Error)) {
		return err
	}
	return &parley.Error{Code: parley.BadContent, Op: "portable.read", Public: "the archive is damaged, or of a kind that cannot be read", Err: err}
}

// judged reads what is unpacked.
type judged struct {
	r io.Reader
	o *origin
}

func (j judged) Read(p []byte) (int, error) {
	n, err := j.r.Read(p)
	if err == io.EOF {
		return n, err
	}
	return n, j.o.judge(err)
}
