package actors

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/persistence"
)

// EachMessage gives every message of an account in the order in which they were
// filed, with its bytes: raw mail as it came, which m has no Text of, a post as a
// mail of its own, with its attachments. What was deleted for good is passed over. A message whose bytes
// are missing or damaged is told to lost, and the next one comes; without lost it is
// the end.
func (c *Client) EachMessage(ctx context.Context, acc parley.AccountID, f func(m parley.Message, raw io.Reader) error, lost func(parley.MessageID, error)) error {
	return c.eachAction(ctx, acc, 0, func(a mailbox.Action, _ parley.Revision) error {
		if a.Filed == nil || a.Filed.Blanked || a.Filed.Message.Notice != "" {
			return nil
		}
		err := c.exportOne(ctx, acc, &a.Filed.Message, f)
		if why := (*lostError)(nil); lost != nil && errors.As(err, &why) {
			lost(a.Filed.Message.ID, why.err)
		} else if err != nil {
			return fmt.Errorf("export %s: %w", a.Filed.Message.ID, err)
		}
		return nil
	})
}

// eachAction gives the actions of an account after one, up to the last that there is
// now, which f is told, too.
func (c *Client) eachAction(ctx context.Context, acc parley.AccountID, after parley.Revision, f func(a mailbox.Action, last parley.Revision) error) error {
	st, err := c.Stats(ctx, acc, 0)
	if err != nil {
		return err
	}
	history, _, err := openLog(ctx, c.n.cfg.Store, persistence.Mailbox, parley.RowKey(string(acc)))
	if err != nil {
		return err
	}
	for raw, err := range history.actions(ctx, uint64(after), uint64(st.Revision)) {
		if err != nil {
			return err
		}
		a, err := codec.DecodeAction(raw)
		if err != nil {
			return err
		}
		if err := f(a, st.Revision); err != nil {
			return err
		}
	}
	return nil
}

// lostError says that the bytes of a message are missing or damaged.
type lostError struct{ err error }

func (e *lostError) Error() string { return e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

func (c *Client) exportOne(ctx context.Context, acc parley.AccountID, filed *mailbox.Message, f func(parley.Message, io.Reader) error) error {
	m, err := c.toExport(ctx, acc, filed)
	switch {
	case parley.CodeOf(err) == parley.NotFound && errors.As(err, new(*parley.Error)):
		return nil // deleted for good meanwhile
	case err != nil:
		return err
	case filed.Body.Mail:
		return c.exportMail(ctx, acc, m, filed, f)
	case m.Text == lostText && !filed.Body.Blob.IsZero():
		return &lostError{errors.New(lostText)}
	}
	return c.exportPost(ctx, acc, m, filed, f)
}

// toExport reads a message as it now is: mail without its text, since its bytes
// follow. The channel does not tell mail from posts: a room may have taken mail along.
func (c *Client) toExport(ctx context.Context, acc parley.AccountID, filed *mailbox.Message) (parley.Message, error) {
	var ask any = mailbox.AskMessage{ID: filed.ID}
	if filed.Body.Mail {
		ask = mailbox.AskPlace{ID: filed.ID}
	}
	m, err := askMailbox[mailbox.OneMessage](ctx, c, acc, ask, 0)
	return m.Message, err
}

func (c *Client) exportMail(ctx context.Context, acc parley.AccountID, m parley.Message, filed *mailbox.Message, f func(parley.Message, io.Reader) error) error {
	whole, err := c.rawWhole(ctx, acc, m.ID)
	if err != nil {
		if _, now := c.toExport(ctx, acc, filed); now != nil && parley.CodeOf(now) == parley.NotFound {
			return nil
		}
		return err
	}
	return f(m, whole)
}

// rawWhole reads a raw mail to its end before anybody writes of it.
func (c *Client) rawWhole(ctx context.Context, acc parley.AccountID, id parley.MessageID) (*bytes.Buffer, error) {
	raw, size, err := c.Raw(ctx, acc, id)
	if err != nil && parley.CodeOf(err) == parley.NotFound {
		return nil, &lostError{err}
	}
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	whole := new(bytes.Buffer)
	n, err := io.Copy(whole, raw)
	switch {
	case errors.Is(err, blob.ErrDamaged):
		return nil, &lostError{err}
	case err != nil || n != size:
		return nil, fmt.Errorf("read %d of %d bytes: %w", n, size, err)
	}
	return whole, nil
}

// EnvelopeFrom is the envelope sender of a message's first arrival. A post has none
// and goes under its author.
func (c *Client) EnvelopeFrom(ctx context.Context, acc parley.AccountID, m parley.Message) (string, error) {
	if m.Seq > 0 {
		return m.Author.Address, nil
	}
	x, err := c.Explain(ctx, acc, m.ID)
	if err != nil || len(x.Arrivals) == 0 {
		return m.Author.Address, err
	}
	return x.Arrivals[0].From, nil
}
