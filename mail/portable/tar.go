package portable

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
)

// tarTree is a tar, which is read from its beginning each time.
type tarTree struct {
	open func() (io.Reader, error)
	o    *origin
	b    *budget
}

func isTar(head []byte) bool { return len(head) > 262 && bytes.Equal(head[257:262], []byte("ustar")) }

// Each implements Tree.
func (t tarTree) Each(f func(File) error) error {
	in, err := t.open()
	if err != nil {
		return err
	}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = t.b.entry()
		}
		if err != nil {
			return t.o.judge(err)
		}
		name, ok := clean(h.Name)
		if name == "" && ok {
			continue
		}
		dir := h.Typeflag == tar.TypeDir
		file := File{Path: name, Dir: dir, Special: !ok || !dir && h.Typeflag != tar.TypeReg, At: h.ModTime}
		// A sparse file gives more than the tar has.
		file.Open = func() (io.ReadCloser, error) { return io.NopCloser(counted{judged{r, t.o}, t.b}), nil }
		if err := f(file); err != nil {
			return err
		}
	}
}
