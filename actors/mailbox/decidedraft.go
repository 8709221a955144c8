package mailbox

import (
	"fmt"
	"unicode/utf8"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

func refuseDraft(code parley.Code, field, public string) error {
	return &parley.Error{Code: code, Op: "mailbox.draft", Public: public, Field: field}
}

// isDraft refuses what is done to messages where it is a draft.
func isDraft() error {
	return refuseDraft(parley.BadRequest, "", "This is a draft, which is changed as one.")
}

// writeDraft makes or changes a draft.
func (d *decider) writeDraft(c WriteDraft) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if err := d.open(); err != nil {
		return err
	}
	was := d.message(c.ID)
	m, err := d.drafting(c, was)
	if err != nil {
		return err
	}
	th := d.thread(m.Thread)
	a := &Drafted{Message: m, New: c.New, Told: c.New || th != nil && th.onlyDrafts(), Kept: c.Text == nil && !c.New}
	if err := d.edit(c, a); err != nil {
		return err
	}
	if !c.New {
		a.Was = was.Logged
		if !a.Kept {
			a.Was = was.held()
		}
	}
	if err := d.fits(c, was, &a.Message); err != nil {
		return err
	}
	d.out.Blank = append(d.out.Blank, a.Was...)
	d.add(Action{Drafted: a, Key: d.memory(c.Cmd, parley.KeyLife, Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread})})
	return nil
}

// drafting is the draft before the change.
func (d *decider) drafting(c WriteDraft, was *Message) (Message, error) {
	switch {
	case c.New && was != nil:
		return Message{}, refuseDraft(parley.Conflict, "", "This draft was made before.")
	case c.New:
		return d.newDraft(c)
	}
	if err := d.editable(was, c.IfMatch); err != nil {
		return Message{}, err
	}
	m := *was.clone()
	m.Received, m.Logged, m.Filed, m.Excerpt = d.now.UnixMicro(), nil, 0, ""
	return m, nil
}

// editable refuses what is no draft, what changed since, and what is on its way.
func (d *decider) editable(m *Message, ifMatch parley.Revision) error {
	switch {
	case m == nil || m.Notice != "":
		return notFound("mailbox.draft")
	case !m.draft() && m.Own:
		return refuseDraft(parley.AlreadySent, "", "This has been sent.")
	case !m.draft():
		return notFound("mailbox.draft")
	case m.Draft.Sending != 0:
		return refuseDraft(parley.AlreadySent, "", "This is being sent.")
	case ifMatch != 0 && m.Revision != ifMatch:
		return refuseDraft(parley.Stale, "", "The draft has changed since.")
	}
	return nil
}

func (d *decider) newDraft(c WriteDraft) (Message, error) {
	if !c.ID.Valid() || c.Thread == "" && !c.NewThread.Valid() {
		return Message{}, errID
	}
	if d.tree(draftTree("")).Len() >= parley.MaxDrafts {
		return Message{}, refuseDraft(parley.OverQuota, "", fmt.Sprintf("An account has at most %d drafts.", parley.MaxDrafts))
	}
	now := d.now.UnixMicro()
	m := Message{
		ID: c.ID, Thread: c.NewThread, Own: true, Author: parley.Author{Account: d.s.owner}, Channel: parley.ChannelChat, At: now, Received: now,
		Folders: []parley.FolderID{parley.Drafts}, Keywords: sorted([]parley.Keyword{parley.Draft, parley.Seen}),
		Draft: Draft{Kind: c.Kind, Alone: c.Thread == ""},
	}
	if c.Thread != "" {
		th := d.resolve(c.Thread)
		if th == nil {
			return m, refuseDraft(parley.NotFound, "thread", "There is no such thread.")
		}
		if d.unmade(th) {
			return m, refuseDraft(parley.BadRequest, "thread", "This thread is made when the draft in it is sent.")
		}
		m.Thread, m.Draft.Kind = th.ID, th.Kind
	}
	if m.Draft.Kind == parley.KindMail {
		m.Channel = parley.ChannelMail
	}
	if m.Draft.Alone && d.thread(c.NewThread) != nil {
		return m, refuseDraft(parley.Conflict, "", "This draft was made before.")
	}
	return m, nil
}

// unmade reports a thread that is there for the draft in it. What it will be is not
// known before that is sent, so it has no other.
func (d *decider) unmade(th *Thread) bool {
	if !th.onlyDrafts() {
		return false
	}
	for _, key := range d.tree(draftTree(th.ID)).Ascend(nil, false, 1) {
		if m := d.message(messageIDOf(key)); m != nil && m.Draft.Alone {
			return true
		}
	}
	return false
}

// edit makes the change in what the action says.
func (d *decider) edit(c WriteDraft, a *Drafted) error {
	m := &a.Message
	if m.Draft.Kind != parley.KindRoom && m.Draft.Kind != parley.KindMail {
		return refuseDraft(parley.BadRequest, "kind", "A draft is for a room or for mail.")
	}
	if err := d.editHead(c, m); err != nil {
		return err
	}
	text := m.Size - charged(m.Attachments)
	if c.New || c.Text != nil {
		if c.Text == nil {
			c.Text = &DraftText{}
		}
		if len(c.Text.Text) > thread.MaxInlineText || !utf8.ValidString(c.Text.Text) || len(c.Text.Excerpt) > maxExcerpt {
			return refuseDraft(parley.TooLarge, "text", "The text is too long or not UTF-8.")
		}
		a.Text, m.Excerpt = c.Text.Text, c.Text.Excerpt
		m.Body = Body{InAction: c.Text.Blob.IsZero(), Blob: c.Text.Blob}
		text = max(int64(len(c.Text.Text)), c.Text.Size)
	}
	if c.Attachments != nil {
		if m.Attachments = *c.Attachments; len(m.Attachments) > thread.MaxAttachments {
			return refuseDraft(parley.BadRequest, "attachments", fmt.Sprintf("A message has at most %d attachments.", thread.MaxAttachments))
		}
	}
	m.Size = text + charged(m.Attachments)
	return nil
}

// charged is what attachments count of the author's quota.
func charged(list []Attachment) (sum int64) {
	for _, at := range list {
		sum += at.Size
	}
	return sum
}

// editHead changes all but text and attachments.
func (d *decider) editHead(c WriteDraft, m *Message) error {
	if !m.Draft.Alone && (c.To != nil || c.Subject != nil) {
		return refuseDraft(parley.BadRequest, "to", "This draft is for a thread, which has its recipients and subject.")
	}
	if c.To != nil {
		if m.Draft.To = *c.To; len(m.Draft.To) > thread.MaxParticipants {
			return refuseDraft(parley.TooManyRecipients, "to", fmt.Sprintf("At most %d recipients.", thread.MaxParticipants))
		}
	}
	if c.Subject != nil {
		if m.Subject = *c.Subject; len(m.Subject) > thread.MaxSubject {
			return refuseDraft(parley.BadRequest, "subject", fmt.Sprintf("A subject has at most %d bytes.", thread.MaxSubject))
		}
	}
	if c.Mentions != nil {
		if m.Mentions = *c.Mentions; len(m.Mentions) > thread.MaxMentions {
			return refuseDraft(parley.BadRequest, "mentions", fmt.Sprintf("A message has at most %d mentions.", thread.MaxMentions))
		}
	}
	if c.Roster != nil {
		m.Draft.Roster = *c.Roster
	}
	if c.ReplyTo != nil && *c.ReplyTo != "" {
		to := d.message(*c.ReplyTo)
		if to == nil || to.Notice != "" || to.draft() || to.Thread != m.Thread {
			return refuseDraft(parley.BadContent, "reply_to", "There is no such message in this thread.")
		}
	}
	if c.ReplyTo != nil {
		m.ReplyTo = *c.ReplyTo
	}
	return nil
}

// fits holds the draft to the quota, unless it got smaller.
func (d *decider) fits(c WriteDraft, was, m *Message) error {
	more := m.Size
	if was != nil {
		more -= was.Size
	}
	if c.Quota > 0 && more > 0 && d.header().Bytes+more > c.Quota {
		return parley.E(parley.OverQuota, "mailbox.draft", "the mailbox is full")
	}
	return nil
}

// discardDraft removes a draft, and blanks the actions that hold it.
func (d *decider) discardDraft(c DiscardDraft) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	m := d.message(c.ID)
	if err := d.editable(m, c.IfMatch); err != nil {
		return err
	}
	a := d.discarded(m)
	a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread})
	d.add(a)
	return nil
}

func (d *decider) discarded(m *Message) Action {
	th := d.thread(m.Thread)
	out := &Discarded{Draft: m.ID, Thread: m.Thread, Gone: th != nil && th.onlyDrafts() && th.Drafts == 1, Was: m.held()}
	d.out.Blank = append(d.out.Blank, out.Was...)
	return Action{Discarded: out}
}

// discardAll is the deletion of a thread that has only drafts: they have no Trash.
func (d *decider) discardAll(c ChangeThread, th *Thread) error {
	if c.IfMatch != 0 && th.Revision != c.IfMatch {
		return parley.E(parley.Stale, "mailbox.thread", "the thread has changed since")
	}
	var all []*Message
	for _, key := range d.tree(draftTree(th.ID)).Ascend(nil, false, parley.MaxDrafts) {
		m := d.message(messageIDOf(key))
		if m == nil {
			continue // not loaded yet: asked again
		}
		if m.Draft.Sending != 0 {
			return refuseDraft(parley.AlreadySent, "", "This is being sent.")
		}
		all = append(all, m)
	}
	for i, m := range all {
		a := d.discarded(m)
		if i == len(all)-1 {
			a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Thread: th.ID})
		}
		d.add(a)
	}
	return nil
}
