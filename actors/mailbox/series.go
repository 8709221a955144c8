package mailbox

import "github.com/parley-im/parley"

// What a deletion came to when its series began. Later parts must not judge
// again: what was just moved to Trash would be purged from there.
const (
	opTrash ThreadOp = 128 + iota
	opPurge
)

// begin settles what the series does. A repeat of one that was cut off, by a
// crash between two of its parts, goes on with what that one began.
func (d *decider) begin(c *ChangeThread, th *Thread) error {
	if c.Op != OpDelete {
		return d.match(*c, th)
	}
	for _, op := range []ThreadOp{opTrash, opPurge} {
		c.Op = op
		if going, err := d.going(*c); going || err != nil {
			return err
		}
	}
	if !th.onlyIn(parley.Trash) {
		c.Op = opTrash
	}
	return d.match(*c, th)
}

// match holds the thread to If-Match, unless the change that is in its way is
// the first part of the same series.
func (d *decider) match(c ChangeThread, th *Thread) error {
	if c.IfMatch == 0 || th.Revision == c.IfMatch {
		return nil
	}
	if going, err := d.going(c); going || err != nil {
		return err
	}
	return parley.E(parley.Stale, "mailbox.thread", "the thread has changed since")
}

// before is the last action of a series so far: of this command, or of one with
// the same key that was cut off.
func (d *decider) before(c ChangeThread) parley.Revision {
	if c.Cmd = c.mark(); c.After != nil || c.Cmd.ID.IsZero() {
		return c.Prior
	}
	if r := d.remembered(c.Cmd.ID); r != nil && r.Body == c.Cmd.Body {
		return r.Revision
	}
	return 0
}

// mark is the key under which the parts of a series are remembered: of the
// command and of what it does.
func (c ChangeThread) mark() parley.Command {
	if c.Cmd.ID.IsZero() {
		return parley.Command{}
	}
	c.Cmd.ID = parley.CommandID(hash("series", string(c.Cmd.ID[:])+string(rune(c.Op))))
	return c.Cmd
}

// going reports whether a series of this command has begun and did not end.
func (d *decider) going(c ChangeThread) (bool, error) {
	cmd := c.mark()
	if cmd.ID.IsZero() {
		return false, nil
	}
	r := d.remembered(cmd.ID)
	if r != nil && r.Body != cmd.Body {
		return false, mismatch()
	}
	return r != nil, nil
}

// part lists the next messages of a series, and whether more are left.
func (d *decider) part(id parley.ThreadID, after []byte) (ids []parley.MessageID, rest bool) {
	ids = d.messageIDs(id, after, MaxTouched+1)
	if rest = len(ids) > MaxTouched; rest {
		ids = ids[:MaxTouched]
	}
	return ids, rest
}

// onwards is the rest of a series, after message m and action prior.
func (c ChangeThread) onwards(m *Message, prior parley.Revision) any {
	c.IfMatch, c.After, c.Prior = 0, []byte{}, prior
	if m != nil {
		c.After = m.order()
	}
	return c
}
