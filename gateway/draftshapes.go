package gateway

import (
	"fmt"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// maxDraftTo is how many a room can be made with.
const maxDraftTo = 500

type draft struct {
	ID            parley.MessageID `json:"id"`
	Thread        parley.ThreadID  `json:"thread"`
	NewThread     bool             `json:"new_thread"`
	Kind          parley.Kind      `json:"kind"`
	To            []draftTo        `json:"to"`
	Subject       string           `json:"subject"`
	Text          string           `json:"text"`
	Excerpt       string           `json:"excerpt"`
	Attachments   []attachment     `json:"attachments"`
	ReplyTo       parley.MessageID `json:"reply_to,omitempty"`
	Mentions      []parley.PartID  `json:"mentions"`
	RosterVersion parley.Seq       `json:"roster_version,omitempty"`
	State         string           `json:"state"` // open or sending
	Size          int64            `json:"size"`
	CreatedAt     time.Time        `json:"created_at"`
	UpdatedAt     time.Time        `json:"updated_at"`
	Revision      parley.Revision  `json:"revision"`
}

type draftTo struct {
	Account parley.AccountID `json:"account,omitempty"`
	Address string           `json:"address,omitempty"`
}

func draftShape(d parley.DraftMessage) draft {
	state := "open"
	if !d.Sending.IsZero() {
		state = "sending"
	}
	return draft{
		ID: d.ID, Thread: d.Thread, NewThread: d.Alone, Kind: d.Kind, Subject: d.Subject, Text: d.Text, Excerpt: d.Excerpt,
		To:          each(d.To, func(r parley.Recipient) draftTo { return draftTo{r.Account, r.Address} }),
		Attachments: each(d.Attachments, attachmentShape), ReplyTo: d.ReplyTo, Mentions: each(d.Mentions, same),
		RosterVersion: d.RosterVersion, State: state, Size: d.Size, CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(), Revision: d.Revision,
	}
}

// draftFields are what a draft says; what is absent stays.
type draftFields struct {
	To            *[]recipient      `json:"to"`
	Subject       *string           `json:"subject"`
	Text          *string           `json:"text"`
	Attachments   *[]parley.BlobID  `json:"attachments"`
	ReplyTo       *parley.MessageID `json:"reply_to"`
	Mentions      *[]parley.PartID  `json:"mentions"`
	RosterVersion *parley.Seq       `json:"roster_version"`
}

// newDraft begins a draft: for a thread, or for one to be made.
type newDraft struct {
	Thread parley.ThreadID `json:"thread"`
	Kind   parley.Kind     `json:"kind"`
	draftFields
}

type draftChange struct{ draftFields }

// Sanitize holds a draft to a thread, or to a kind of one.
func (b *newDraft) Sanitize(t *edge.Texts) {
	switch {
	case b.Thread != "" && !b.Thread.Valid():
		t.Fail(noSuch("thread", "thread"))
	case b.Thread != "" && (b.Kind != "" || b.To != nil || b.Subject != nil):
		t.Fail(edge.Bad("thread", "Either a thread, or kind, to and subject of a new one."))
	case b.Kind != "" && b.Kind != parley.KindRoom && b.Kind != parley.KindMail:
		t.Fail(edge.Bad("kind", "room or mail."))
	}
	b.sanitize(t)
}

// Sanitize wants something to change.
func (b *draftChange) Sanitize(t *edge.Texts) {
	if b.draftFields == (draftFields{}) {
		t.Fail(edge.Bad("", "There is nothing to change."))
	}
	b.sanitize(t)
}

func (b *draftFields) sanitize(t *edge.Texts) {
	if b.Text != nil {
		t.Text("text", b.Text, maxText)
	}
	if b.Subject != nil {
		t.Line("subject", b.Subject, maxSubject)
	}
	if b.Attachments != nil {
		attachmentNames(t, "", *b.Attachments)
	}
	if b.ReplyTo != nil && *b.ReplyTo != "" && !b.ReplyTo.Valid() {
		t.Fail(noSuch("reply_to", "message"))
	}
	if b.Mentions != nil {
		mentions(t, *b.Mentions)
	}
	if b.RosterVersion != nil && *b.RosterVersion == 0 {
		t.Fail(badRoster())
	}
	if b.To != nil {
		b.sanitizeTo(t)
	}
}

func (b *draftFields) sanitizeTo(t *edge.Texts) {
	if len(*b.To) > maxDraftTo {
		t.Fail(&parley.Error{Code: parley.TooManyRecipients, Op: "gateway.drafts", Public: fmt.Sprintf("At most %d recipients.", maxDraftTo), Field: "to"})
		return
	}
	for i := range *b.To {
		(*b.To)[i].sanitize(t, place("to", i)+".")
	}
}

func (b *newDraft) draft() parley.NewDraft {
	return parley.NewDraft{Thread: b.Thread, Kind: b.Kind, DraftChange: b.change()}
}

func (b *draftFields) change() parley.DraftChange {
	c := parley.DraftChange{
		Subject: b.Subject, Text: b.Text, Attachments: b.Attachments, ReplyTo: b.ReplyTo, Mentions: b.Mentions, RosterVersion: b.RosterVersion,
	}
	if b.To != nil {
		c.To = new(each(*b.To, func(r recipient) parley.Recipient { return r.member() }))
	}
	return c
}
