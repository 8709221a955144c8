package portable

import (
	"archive/zip"
	"io"
	"time"

	"github.com/parley-im/parley"
)

// MaxZipped are the files that a written zip may have: its directory is held in
// memory until the end.
const MaxZipped = 250_000

// Zip is a Target that writes a zip. Close it at the end.
type Zip struct {
	w     *zip.Writer
	files int
}

// NewZip writes to w as it goes.
func NewZip(w io.Writer) *Zip { return &Zip{w: zip.NewWriter(w)} }

// Close writes the directory.
func (z *Zip) Close() error { return z.w.Close() }

// Dir implements Target.
func (z *Zip) Dir(name string) error {
	_, err := z.create(&zip.FileHeader{Name: name + "/"})
	return err
}

// Message implements Target.
func (z *Zip) Message(name string, text []byte, at time.Time) error {
	return z.file(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}, text)
}

// Tell implements Target.
func (z *Zip) Tell(name string, text []byte) error {
	return z.file(&zip.FileHeader{Name: name, Method: zip.Deflate}, text)
}

func (z *Zip) file(h *zip.FileHeader, text []byte) error {
	w, err := z.create(h)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

func (z *Zip) create(h *zip.FileHeader) (io.Writer, error) {
	if z.files++; z.files > MaxZipped {
		return nil, parley.E(parley.TooLarge, "portable.zip", "there are too many messages for one zip; export an mbox, or one folder after the other")
	}
	return z.w.CreateHeader(h)
}
