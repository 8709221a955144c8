package torture

import (
	"bytes"
	"io"
	"strings"

	"github.com/parley-im/parley"
)

// mailOf holds somebody's mail threads to what the postman brought.
func (c *check) mailOf(who int, shelves []*shelf) {
	found := map[*Op]*parley.Message{}
	for _, s := range shelves {
		for i := range s.messages {
			m := &s.messages[i]
			o := c.says[strings.TrimPrefix(m.Subject, "about ")]
			switch {
			case o == nil || o.Kind != Mail || place(o.To, who) < 0:
				c.problem("%s has mail that nobody sent: %q", c.People[who].Name, m.Subject)
				continue
			case found[o] != nil:
				c.problem("%s has %v twice", c.People[who].Name, o)
			}
			found[o] = m
			c.sameMail(who, m, o)
		}
	}
	for _, o := range c.H.Ops() {
		if o.Kind == Mail && place(o.To, who) >= 0 {
			c.mailOutcome(who, o, found[o])
		}
	}
	c.conversations(who, found)
}

func place(all []int, one int) int {
	for i, have := range all {
		if have == one {
			return i
		}
	}
	return -1
}

func (c *check) mailOutcome(who int, o *Op, m *parley.Message) {
	switch outcome := o.Each[place(o.To, who)]; {
	case m == nil && outcome == Done && !c.mayLackMail(who, o):
		c.problem("%s lacks the mail %v", c.People[who].Name, o)
	case m != nil && outcome == Refused:
		c.problem("%s has the mail %v, which was refused", c.People[who].Name, o)
	}
}

// mayLackMail goes by the word, since the sender does not know a message's id.
func (c *check) mayLackMail(who int, o *Op) bool {
	if s := c.players[who].standOf(o); s != nil {
		return s.fates.mayBeGone()
	}
	return c.players[who].touchedMail()
}

// standOf is how a mail stood when it was read; nil if it never was.
func (y *player) standOf(o *Op) *stand {
	for _, s := range y.stands {
		if s.mail && s.subject == "about "+o.Word {
			return &s
		}
	}
	return nil
}

// sameMail holds a message to its bytes: those that were sent, perhaps behind the
// trace header of a repeat.
func (c *check) sameMail(who int, m *parley.Message, o *Op) {
	me := c.People[who]
	r, size, err := c.door.Raw(c.ctx, me.Account, m.ID)
	if err != nil {
		c.problem("%s cannot read the mail %v: %v", me.Name, o, err)
		return
	}
	defer r.Close()
	raw, err := io.ReadAll(r)
	head, whole := bytes.CutSuffix(raw, o.Raw)
	if err != nil || !whole || len(head) > 0 && !bytes.HasPrefix(head, []byte("Received: ")) || size != int64(len(raw)) || m.Size != size {
		c.problem("%s's mail %v has other bytes: %d, said to be %d and %d, want %d: %v", me.Name, o, len(raw), size, m.Size, len(o.Raw), err)
	}
	if m.MessageID != o.ID {
		c.problem("%s's mail %v has the Message-ID %q", me.Name, o, m.MessageID)
	}
	if (len(m.Attachments) == 1) != (o.File != nil) {
		c.problem("%s's mail %v has %d attachments", me.Name, o, len(m.Attachments))
	} else if o.File != nil {
		c.sameBytes(who, m.Attachments[0], o.File)
	}
	c.stands(who, m)
}

// conversations holds the mail threads to the references: messages that name one
// another, straight or over others in this copy, are one thread, and no others
// are. Where something may have been deleted for good the chain may be broken.
func (c *check) conversations(who int, found map[*Op]*parley.Message) {
	root := map[string]string{}
	var find func(string) string
	find = func(id string) string {
		if up, ok := root[id]; ok && up != id {
			root[id] = find(up)
			return root[id]
		}
		root[id] = id
		return id
	}
	broken := map[string]bool{}
	for _, o := range c.H.Ops() {
		if o.Kind != Mail || place(o.To, who) < 0 {
			continue
		}
		if found[o] == nil && o.Each[place(o.To, who)] != Done && c.players[who].standOf(o) == nil {
			continue // it never came
		}
		for _, ref := range o.Refs {
			root[find(ref)] = find(o.name())
		}
		if found[o] == nil {
			broken[o.name()] = true
		}
	}
	for id := range broken {
		broken[find(id)] = true
	}
	thread, reason := map[string]parley.ThreadID{}, map[parley.ThreadID]string{}
	for o, m := range found {
		at := find(o.name())
		if broken[at] {
			continue
		}
		if have, ok := thread[at]; ok && have != m.Thread {
			c.problem("%s has %v in the thread %s, and what it belongs to in %s", c.People[who].Name, o, m.Thread, have)
		}
		if have, ok := reason[m.Thread]; ok && have != at {
			c.problem("%s has in the thread %s what does not belong together: %v", c.People[who].Name, m.Thread, o)
		}
		thread[at], reason[m.Thread] = m.Thread, at
	}
}

// name is what others refer to the mail by.
func (o *Op) name() string {
	if o.ID != "" {
		return o.ID
	}
	return o.Word
}
