package portable

import "io"

// counted takes what is read from a budget.
type counted struct {
	r io.Reader
	b *budget
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if over := c.b.take(n); over != nil {
		return n, over
	}
	return n, err
}
