package actors

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"slices"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
)

// exportPost gives a post as a mail of its own, with all of its attachments or not
// at all: they are read to their ends before anybody writes of it.
func (c *Client) exportPost(ctx context.Context, acc parley.AccountID, m parley.Message, filed *mailbox.Message, f func(parley.Message, io.Reader) error) error {
	var parts []Content
	defer func() {
		for _, p := range parts {
			_ = p.Close()
		}
	}()
	for _, at := range m.Attachments {
		p, err := c.OpenBlob(ctx, acc, at.Blob)
		if parley.CodeOf(err) == parley.NotFound {
			if _, now := c.toExport(ctx, acc, filed); now != nil && parley.CodeOf(now) == parley.NotFound {
				return nil
			}
			return &lostError{err}
		}
		if err != nil {
			return err
		}
		parts = append(parts, p)
		if _, err := io.Copy(io.Discard, p.all()); errors.Is(err, blob.ErrDamaged) {
			return &lostError{err}
		} else if err != nil {
			return fmt.Errorf("read %s: %w", at.Blob, err)
		}
	}
	return f(m, asMail(m, parts))
}

func (c Content) all() io.Reader { return io.NewSectionReader(c, 0, c.Attachment.Size) }

// asMail writes a post as a mail message (RFC 5322), with attachments as one of
// several parts (RFC 2046 5.1).
func asMail(m parley.Message, parts []Content) io.Reader {
	var b strings.Builder
	from := m.Author.Address
	if from == "" {
		from = string(m.Author.Account) + "@parley.invalid"
	}
	fmt.Fprintf(&b, "From: %s <%s>\n", mime.QEncoding.Encode("utf-8", m.Author.Name), from)
	fmt.Fprintf(&b, "Date: %s\n", m.At.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	fmt.Fprintf(&b, "Message-ID: <%s@parley.invalid>\n", m.ID)
	fmt.Fprintf(&b, "References: <%s@parley.invalid>\n", m.Thread) // one thread again where it is imported
	b.WriteString("MIME-Version: 1.0\n")
	const text = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
	if len(parts) == 0 {
		return strings.NewReader(b.String() + text + m.Text + "\n")
	}
	boundary := "parley-" + string(m.ID)
	for strings.Contains(m.Text, boundary) {
		boundary += "-"
	}
	fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%q\n\n--%s\n%s%s", boundary, boundary, text, m.Text)
	pieces := []io.Reader{strings.NewReader(b.String())}
	for _, p := range parts {
		pieces = append(pieces, strings.NewReader("\n--"+boundary+"\n"+partHeader(p.Attachment)), &base64Lines{from: p.all()})
	}
	return io.MultiReader(append(pieces, strings.NewReader("\n--"+boundary+"--\n"))...)
}

// partHeader is the header of an attachment. A message or several parts may not be
// base64 (RFC 2046 5.2.1), so that these go as plain bytes under their name.
func partHeader(at parley.Attachment) string {
	typ, _, _ := mime.ParseMediaType(at.Type)
	if strings.HasPrefix(typ, "message/") || strings.HasPrefix(typ, "multipart/") || mime.FormatMediaType(typ, nil) == "" {
		typ = "application/octet-stream"
	}
	disposition := "attachment"
	if at.Inline {
		disposition = "inline"
	}
	named := map[string]string{}
	if at.Name != "" {
		named["filename"] = at.Name
	}
	head := fmt.Sprintf("Content-Type: %s\nContent-Transfer-Encoding: base64\nContent-Disposition: %s\n", typ, mime.FormatMediaType(disposition, named))
	if at.CID != "" && !strings.ContainsFunc(at.CID, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' }) {
		head += "Content-ID: <" + at.CID + ">\n"
	}
	return head + "\n"
}

// base64Lines reads bytes as RFC 2045 6.8 writes them: in lines of 76.
type base64Lines struct {
	from io.Reader
	out  bytes.Buffer
	err  error // once out is read
}

const lineBytes = 57 // that a line of 76 stands for

func (r *base64Lines) Read(p []byte) (int, error) {
	for r.out.Len() == 0 {
		if r.err != nil {
			return 0, r.err
		}
		var raw [lineBytes * 64]byte
		n, err := io.ReadFull(r.from, raw[:])
		for line := range slices.Chunk(raw[:n], lineBytes) {
			r.out.WriteString(base64.StdEncoding.EncodeToString(line))
			r.out.WriteByte('\n')
		}
		if r.err = err; errors.Is(err, io.ErrUnexpectedEOF) {
			r.err = io.EOF
		}
	}
	return r.out.Read(p)
}
