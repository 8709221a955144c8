package torture

import "github.com/parley-im/parley"

// streamStep is how many events one read of a stream brings.
const streamStep = 200

// stream reads somebody's events from the first to the last: every revision up to
// the mailbox's own is there, none is passed over, and within each they are
// numbered from 0.
func (c *check) stream(l *Life, who int) {
	me := c.People[who]
	at, index := parley.Revision(0), -1
	for {
		events, head, err := l.Node.Client().Events(c.ctx, me.Account, at, index, 0, streamStep)
		if err != nil {
			c.problem("%s's events after %d.%d: %v", me.Name, at, index, err)
			return
		}
		for _, e := range events {
			next := e.Revision == at && e.Index == index+1 && at > 0 || e.Revision == at+1 && e.Index == 0
			if !next {
				c.problem("%s's event %d.%d comes after %d.%d", me.Name, e.Revision, e.Index, at, index)
				return
			}
			at, index = e.Revision, e.Index
		}
		if len(events) == 0 {
			if at != head {
				c.problem("%s's events end at %d, the mailbox at %d", me.Name, at, head)
			}
			return
		}
	}
}
