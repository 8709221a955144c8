package actors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// EachMessage gives every message of an account in the order in which they were
// filed, with its bytes: raw mail as it came, a post as a mail of its own. What
// was deleted for good is passed over.
func (c *Client) EachMessage(ctx context.Context, acc parley.AccountID, f func(m parley.Message, raw io.Reader) error) error {
	st, err := c.Stats(ctx, acc, 0)
	if err != nil {
		return err
	}
	for n := uint64(0); n < uint64(st.Revision); {
		r := persistence.Range{Family: persistence.Log, From: actionQualifier(n + 1), To: actionQualifier(uint64(st.Revision) + 1), Limit: replayChunk}
		got, err := c.n.cfg.Store.Read(ctx, persistence.Mailbox, parley.RowKey(string(acc)), r)
		if err != nil {
			return err
		}
		if len(got[0]) == 0 {
			return nil
		}
		for _, cell := range got[0] {
			a, err := codec.DecodeAction(cell.Value)
			if err != nil {
				return err
			}
			n = uint64(a.N)
			if a.Filed == nil || a.Filed.Blanked || a.Filed.Message.Notice != "" {
				continue
			}
			if err := c.exportOne(ctx, acc, a.Filed.Message.ID, f); err != nil {
				return fmt.Errorf("export %s: %w", a.Filed.Message.ID, err)
			}
		}
	}
	return nil
}

func (c *Client) exportOne(ctx context.Context, acc parley.AccountID, id parley.MessageID, f func(parley.Message, io.Reader) error) error {
	m, _, err := c.Message(ctx, acc, id, 0)
	switch {
	case parley.CodeOf(err) == parley.NotFound && errors.As(err, new(*parley.Error)):
		return nil // deleted for good meanwhile
	case err != nil:
		return err
	case m.Channel != parley.ChannelMail:
		return f(m, strings.NewReader(asMail(m)))
	}
	raw, size, err := c.Raw(ctx, acc, id)
	if err != nil {
		return err
	}
	defer raw.Close()
	var whole bytes.Buffer
	if n, err := io.Copy(&whole, raw); err != nil || n != size {
		return fmt.Errorf("read %d of %d bytes: %w", n, size, err)
	}
	return f(m, &whole)
}

// asMail writes a post as a mail message of its own (RFC 5322).
func asMail(m parley.Message) string {
	var b strings.Builder
	from := m.Author.Address
	if from == "" {
		from = string(m.Author.Account) + "@parley.invalid"
	}
	fmt.Fprintf(&b, "From: %s <%s>\n", mime.QEncoding.Encode("utf-8", m.Author.Name), from)
	fmt.Fprintf(&b, "Date: %s\n", m.At.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	fmt.Fprintf(&b, "Message-ID: <%s@parley.invalid>\n", m.ID)
	fmt.Fprintf(&b, "References: <%s@parley.invalid>\n", m.Thread) // one thread again where it is imported
	b.WriteString("MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n")
	b.WriteString(m.Text)
	b.WriteString("\n")
	return b.String()
}
