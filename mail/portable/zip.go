package portable

import (
	"archive/zip"
	"io"
	"math"
)

// zipTree is a zip. Its directory is held in memory.
type zipTree struct {
	r *zip.Reader
	o *origin
	b *budget
}

func newZip(o *origin, size int64, b *budget) (zipTree, error) {
	o.left = maxDirectory
	in, err := zip.NewReader(o, size)
	o.left = math.MaxInt64
	return zipTree{in, o, b}, o.judge(err)
}

// Each implements Tree.
func (t zipTree) Each(f func(File) error) error {
	t.b.begin()
	for _, z := range t.r.File {
		if err := t.b.entry(); err != nil {
			return err
		}
		name, ok := clean(z.Name)
		if name == "" && ok {
			continue
		}
		mode := z.Mode()
		file := File{Path: name, Dir: mode.IsDir(), Special: !ok || !mode.IsDir() && !mode.IsRegular(), At: z.Modified}
		file.Open = func() (io.ReadCloser, error) {
			in, err := z.Open()
			if err != nil {
				return nil, t.o.judge(err)
			}
			return zipped{counted{judged{in, t.o}, t.b}, in, t.o}, nil
		}
		if err := f(file); err != nil {
			return err
		}
	}
	return nil
}

// zipped is an open file of a zip.
type zipped struct {
	counted
	in io.Closer
	o  *origin
}

// Close tells of damage, too.
func (z zipped) Close() error { return z.o.judge(z.in.Close()) }
