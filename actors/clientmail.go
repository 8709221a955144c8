package actors

import (
	"bytes"
	"context"
	"io"

	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/mail"
)

// maxRawInRow is the largest mail whose raw bytes stay in the row.
const maxRawInRow = 32 << 10

// recipientsAtOnce bounds the rows that one mail is brought to at a time.
const recipientsAtOnce = 32

// Recipient finds the account that takes mail for an address, and whether it has room.
func (c *Client) Recipient(ctx context.Context, address string) (parley.AccountID, error) {
	id, err := c.n.cfg.Accounts.Resolve(ctx, address)
	if err != nil {
		return "", err
	}
	a, err := c.n.cfg.Accounts.Get(ctx, id)
	if err != nil {
		return "", err
	}
	if a.Closed {
		return "", parley.E(parley.NoRecipient, "actors.recipient", "there is no such mailbox here")
	}
	quota := c.quota(a)
	if quota == 0 {
		return id, nil
	}
	st, err := c.Stats(ctx, id, 0)
	if err == nil && st.Bytes >= quota {
		err = parley.E(parley.OverQuota, "actors.recipient", "the mailbox is full")
	}
	return id, err
}

// arrival is a mail that was read and parsed once, for all its recipients.
type arrival struct {
	raw     []byte        // small: kept in each row
	blob    parley.Digest // else here
	size    int64
	door    parley.Digest // without the trace headers in front
	content parley.Digest
	m       *mail.Message
}

// receive streams a mail to where it will stay, while hashing, and parses it.
// Any bytes give an arrival.
func (c *Client) receive(ctx context.Context, body io.Reader) (arrival, error) {
	digest := mail.NewDigester()
	body = io.TeeReader(body, digest)
	head, err := io.ReadAll(io.LimitReader(body, maxRawInRow+1))
	if err != nil {
		return arrival{}, err
	}
	a := arrival{raw: head, size: int64(len(head))}
	var src io.ReaderAt = bytes.NewReader(head)
	if len(head) > maxRawInRow {
		ref, err := c.n.blobs.Put(ctx, io.MultiReader(bytes.NewReader(head), body))
		if err != nil {
			return arrival{}, err
		}
		b, err := c.n.blobs.Open(ctx, ref.Digest)
		if err != nil {
			return arrival{}, err
		}
		defer b.Close()
		a.raw, a.blob, a.size, src = nil, ref.Digest, ref.Size, b
	}
	a.door = parley.Digest(digest.Sum())
	if a.m, err = mail.ParseAt(src, a.size); err != nil {
		return arrival{}, err
	}
	content, err := a.m.ContentDigest(src)
	a.content = parley.Digest(content)
	return a, err
}

// DeliverMail brings a mail to its recipients: one error for each, in order, nil
// where it is durable. Recipients are reduced to distinct rows first.
func (c *Client) DeliverMail(ctx context.Context, env parley.Envelope, body io.Reader) []error {
	errs := make([]error, len(env.To))
	all := func(err error) []error {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	a, err := c.receive(ctx, body)
	if err != nil {
		return all(err)
	}
	first := map[parley.AccountID]int{}
	var eg errgroup.Group
	eg.SetLimit(recipientsAtOnce)
	for i, to := range env.To {
		if _, twice := first[to.Account]; twice {
			continue
		}
		first[to.Account] = i
		eg.Go(func() error {
			_, errs[i] = c.deliverMail(ctx, to.Account, c.command(to.Account, a, parley.Arrival{At: env.At, Channel: parley.ChannelMail, From: env.From, To: to.Address}))
			return nil
		})
	}
	_ = eg.Wait()
	for i, to := range env.To {
		errs[i] = errs[first[to.Account]]
	}
	return errs
}

func (c *Client) deliverMail(ctx context.Context, acc parley.AccountID, cmd mailbox.DeliverMail) (mailbox.Reply, error) {
	return askMailbox[mailbox.Reply](ctx, c, acc, cmd, 0)
}
