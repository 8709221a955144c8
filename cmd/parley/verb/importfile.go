package verb

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parley-im/parley/mail/mbox"
)

// path imports what is there, which its content tells.
func (r *imported) path(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return r.folder(ctx, path)
	}
	if isEML(path) {
		return r.eml(ctx, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	read := &counter{r: f}
	in := bufio.NewReader(read)
	if begun, err := beginsBox(in); err != nil || begun {
		return errors.Join(err, r.box(ctx, path, in, func() int64 { return 100 * read.n / max(1, info.Size()) }))
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxImported+1))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if alone(raw) {
		return r.one(ctx, plain(r, path, raw))
	}
	rest := io.MultiReader(bytes.NewReader(raw), in)
	return r.box(ctx, path, rest, func() int64 { return 100 * read.n / max(1, info.Size()) })
}

// compressions begin files that mbox unpacks.
var compressions = [...]string{"\x1f\x8b", "\xfd7zXZ\x00", "BZh"}

// beginsBox looks whether an mbox begins here, blank lines apart.
func beginsBox(in *bufio.Reader) (bool, error) {
	head, err := in.Peek(in.Size())
	if err != nil && err != io.EOF {
		return false, err
	}
	for _, magic := range compressions {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true, nil
		}
	}
	return bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("From ")), nil
}

// alone reports whether the file is one message: it has no line in it that parts
// messages. Then none of its lines is quoted, and it is taken as it is.
func alone(raw []byte) bool {
	box := mbox.NewReader(bytes.NewReader(raw))
	if _, err := box.Next(); err != nil {
		return false
	}
	_, err := box.Next()
	return errors.Is(err, io.EOF)
}

// plain is a file that holds one message and says nothing else.
func plain(r *imported, path string, raw []byte) letter {
	keywords, stated := statusKeywords(raw)
	return letter{where: path, raw: bytes.NewReader(raw), folders: r.unsaid(), keywords: keywords, stated: stated}
}

// box imports an mbox.
func (r *imported) box(ctx context.Context, path string, in io.Reader, percent func() int64) error {
	box, err := mbox.Open(in)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for n := 1; ; n++ {
		entry, err := box.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		where := fmt.Sprintf("%s: message %d", path, n)
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		raw, err := io.ReadAll(io.LimitReader(entry, maxImported+1))
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		l := plain(r, where, raw)
		l.at, l.from = entry.Date, entry.EnvelopeFrom
		if err := r.one(ctx, l); err != nil {
			return err
		}
		r.line.Sayf("import: %d messages of %s, %d%%", n, filepath.Base(path), percent())
	}
}

// counter knows how much was read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
