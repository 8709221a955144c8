package mailbox

import "github.com/parley-im/parley"

// sendDraft decides that a draft is being sent. A repeat under the same key goes
// on with it; of a draft that was sent it is the replay.
func (d *decider) sendDraft(c SendDraft) error {
	m := d.message(c.ID)
	mine, err := d.repeated(c.Cmd, parley.KeyLife)
	switch {
	case err != nil:
		return err
	case mine && !m.draft():
		return nil
	case mine:
		d.replay, d.out.Reply.Replayed = 0, false
		if m.Draft.Sending != 0 {
			return nil
		} // else it was refused, which is not remembered
	}
	if err := d.editable(m, c.IfMatch); err != nil {
		return err
	}
	if err := d.sendable(m); err != nil {
		return err
	}
	a := Action{Sending: &Sending{Draft: m.ID, Thread: m.Thread, On: true}}
	a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread})
	d.add(a)
	return nil
}

// sendable refuses what there is no way out for.
func (d *decider) sendable(m *Message) error {
	th := d.thread(m.Thread)
	switch {
	case m.Draft.Alone && m.Draft.Kind == parley.KindMail:
		return refuseDraft(parley.BadAddress, "kind", "No way out for mail is set up.")
	case m.Draft.Alone && len(m.Draft.To) == 0:
		return refuseDraft(parley.BadAddress, "to", "A room is made with somebody.")
	case !m.Draft.Alone && (th == nil || th.Kind != parley.KindRoom):
		return refuseDraft(parley.BadAddress, "thread", "This is a mail thread, and no way out for mail is set up.")
	case m.Excerpt == "" && len(m.Attachments) == 0:
		return refuseDraft(parley.BadContent, "text", "A message has text or attachments.")
	}
	return nil
}

// adopt lets a post take the place of the draft that it was.
func (d *decider) adopt(f *Filed) {
	if was := d.message(f.Message.ID); was.draft() {
		f.Sent = was.held()
		d.out.Blank = append(d.out.Blank, f.Sent...)
	}
}

// keepDraft ends a sending that was refused.
func (d *decider) keepDraft(c KeepDraft) error {
	m := d.message(c.ID)
	if !m.draft() || m.Draft.Sending == 0 {
		return nil
	}
	d.add(Action{Sending: &Sending{Draft: m.ID, Thread: m.Thread}})
	return nil
}
