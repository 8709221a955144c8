package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/mail"
	"github.com/parley-im/parley/service/future"
)

// complete is what a query's answer still lacks: bodies, read beside the loop.
func (m *mailboxMachine) complete(rep any) func(context.Context, any) (any, error) {
	switch r := rep.(type) {
	case messagePage:
		known := m.known(r.page.Items...)
		return func(ctx context.Context, _ any) (any, error) { return m.publishPage(ctx, r, known) }
	case oneMessage:
		known := m.known(r.m)
		return func(ctx context.Context, _ any) (any, error) {
			ms, err := m.publish(ctx, []*mailbox.Message{r.m}, known)
			if err != nil {
				return nil, err
			}
			return mailbox.OneMessage{Message: ms[0], Explanation: r.m.Explanation(), Revision: r.rev}, nil
		}
	case bodyOf:
		known := m.known(r.m)
		return func(ctx context.Context, _ any) (any, error) { return m.locate(ctx, r, known) }
	}
	return m.completeDraft(rep)
}

// maxPageText bounds the texts of one page; a page is shorter where they are long.
const maxPageText = 1 << 20

// publishPage reads the texts of a page from the side that it was asked for from,
// as many as fit.
func (m *mailboxMachine) publishPage(ctx context.Context, r messagePage, known map[*mailbox.Message][]byte) (any, error) {
	page, texts, err := m.pageTexts(ctx, r.page, known)
	if err != nil {
		return nil, err
	}
	out := parley.Listing[parley.Message]{Next: page.Next, Prev: page.Prev, Total: page.Total, Revision: r.rev}
	for i, e := range page.Items {
		msg := e.Public()
		msg.Text = texts[i]
		out.Items = append(out.Items, msg)
	}
	return out, nil
}

// pageTexts reads them, and cuts the page to those that were read.
func (m *mailboxMachine) pageTexts(ctx context.Context, page mailbox.MessagePage, known map[*mailbox.Message][]byte) (mailbox.MessagePage, []string, error) {
	items := slices.Clone(page.Items)
	if page.Back {
		slices.Reverse(items)
	}
	texts, err := m.texts.texts(ctx, items, known)
	if err != nil {
		return page, nil, err
	}
	page.Cut(len(texts))
	if page.Back {
		slices.Reverse(texts)
	}
	return page, texts, nil
}

// known collects, in the queue, the actions that hold texts and are in memory.
func (m *mailboxMachine) known(ms ...*mailbox.Message) map[*mailbox.Message][]byte {
	out := map[*mailbox.Message][]byte{}
	for _, e := range ms {
		if e.Body.InAction {
			if raw := m.recent(uint64(e.Filed)); raw != nil {
				out[e] = raw
			}
		}
	}
	return out
}

func (m *mailboxMachine) publish(ctx context.Context, ms []*mailbox.Message, known map[*mailbox.Message][]byte) ([]parley.Message, error) {
	texts, err := m.texts.texts(ctx, ms, known)
	if err != nil {
		return nil, err
	}
	out := make([]parley.Message, len(ms))
	for i, e := range ms {
		out[i] = e.Public()
		out[i].Text = texts[i]
	}
	return out, nil
}

// locate says where the bytes of a message or of its attachment are.
func (m *mailboxMachine) locate(ctx context.Context, r bodyOf, known map[*mailbox.Message][]byte) (any, error) {
	out := mailbox.Bytes{Mail: r.m.Body.Mail, Blob: r.m.Body.Blob, Path: r.at.Path, Attachment: r.at.Attachment, Revision: r.rev}
	switch {
	case r.m.Body.InLog:
		raw, err := m.texts.raw(ctx, r.m)
		out.Raw = raw
		return out, err
	case r.m.Body.InAction:
		texts, err := m.texts.texts(ctx, []*mailbox.Message{r.m}, known)
		if err != nil {
			return nil, err
		}
		out.Raw = []byte(texts[0])
	}
	return out, nil
}

// rowTexts reads bodies from the row's log family and from blobs.
type rowTexts struct {
	history *logReader
	blobs   Blobs
}

// lostText stands for a body that the disk lost; an audit names it.
const lostText = "(the content of this message is missing or damaged)"

// maxText bounds the text of a message that a list carries.
const maxText = 1 << 20

// texts reads all bodies of the page in one operation on the row, and one on each
// segment of its log that holds some of them. It stops, after
// one at least, where they come to more than maxPageText.
func (t *rowTexts) texts(ctx context.Context, ms []*mailbox.Message, known map[*mailbox.Message][]byte) ([]string, error) {
	var want []logCell
	for _, m := range ms {
		if at, in := inLog(m); in && known[m] == nil {
			want = append(want, at)
		}
	}
	got, err := t.history.cells(ctx, want)
	if err != nil {
		return nil, parley.Wrap(parley.Unavailable, "mailbox.text", err)
	}
	bodies := make([]storedBody, len(ms))
	for i, m := range ms {
		bodies[i] = storedBody{m, known[m]}
		if at, in := inLog(m); in && known[m] == nil {
			bodies[i].value = got[at]
		}
	}
	return t.decode(ctx, bodies)
}

// storedBody is a message and the cell of the log that holds its body, if one does.
type storedBody struct {
	m     *mailbox.Message
	value []byte
}

// textsAtOnce bounds the bodies of a page that are read and parsed beside each other.
const textsAtOnce = 8

// decode makes the texts of a page, a window at a time: bodies that are blobs cost
// a disk read each.
func (t *rowTexts) decode(ctx context.Context, bodies []storedBody) ([]string, error) {
	out := make([]string, 0, len(bodies))
	room := maxPageText
	for window := range slices.Chunk(bodies, textsAtOnce) {
		texts, err := future.Gather(ctx, textsAtOnce, window, t.textOrLost).Await(ctx)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			out = append(out, text)
			if room -= len(text); room < 0 {
				return out[:max(len(out)-1, 1)], nil // the one that went over is for the next page
			}
		}
	}
	return out, nil
}

// textOrLost lets one message that lost its body not hide the others.
func (t *rowTexts) textOrLost(ctx context.Context, b storedBody) (string, error) {
	text, err := t.text(ctx, b.m, b.value)
	switch {
	case errors.Is(err, blob.ErrDamaged) || parley.CodeOf(err) == parley.NotFound:
		return lostText, nil
	case err != nil:
		return "", fmt.Errorf("text of %s: %w", b.m.ID, err)
	}
	return text, nil
}

// inLog is the cell of the log that holds a message's body, if one does.
func inLog(m *mailbox.Message) (at logCell, is bool) {
	switch {
	case m.Body.InAction:
		return logCell{'a', uint64(m.Filed)}, true
	case m.Body.InLog:
		return logCell{'b', uint64(m.Filed)}, true
	}
	return logCell{}, false
}

// text decodes one body; value is its cell, if it is in the row.
func (t *rowTexts) text(ctx context.Context, m *mailbox.Message, value []byte) (string, error) {
	switch {
	case m.Body.InAction:
		a, err := codec.DecodeAction(value)
		switch {
		case err != nil:
			return "", err
		case a.Drafted != nil && a.Drafted.Blanked: // written anew since the page was looked up
			return "", parley.E(parley.Unavailable, "mailbox.text", "this has changed meanwhile; try again")
		case a.Drafted != nil:
			return a.Drafted.Text, nil
		case a.Filed != nil:
			return a.Filed.Text, nil
		}
		return "", nil
	case m.Body.InLog:
		return mail.Parse(value).Readable(), nil
	case m.Body.Blob.IsZero():
		return "", nil
	}
	b, err := t.blobs.Open(ctx, m.Body.Blob)
	if err != nil {
		return "", err
	}
	defer b.Close()
	if m.Body.Mail {
		m, err := mail.ParseAt(b, b.Size())
		if err != nil {
			return "", err
		}
		return m.Readable(), nil
	}
	raw, err := io.ReadAll(io.LimitReader(io.NewSectionReader(b, 0, b.Size()), maxText))
	return string(raw), err
}

func (t *rowTexts) raw(ctx context.Context, m *mailbox.Message) ([]byte, error) {
	if m.Size == 0 {
		return []byte{}, nil // an empty cell reads as none
	}
	at := logCell{'b', uint64(m.Filed)}
	got, err := t.history.cells(ctx, []logCell{at})
	if err != nil {
		return nil, parley.Wrap(parley.Unavailable, "mailbox.raw", err)
	}
	if len(got[at]) == 0 {
		return nil, parley.E(parley.Gone, "mailbox.raw", "this message was deleted for good")
	}
	return got[at], nil
}
