package mailbox

import "github.com/parley-im/parley"

// draftEvents are what the stream tells of drafts. A thread has changed too where
// the draft is new or gone, or is what the thread is told from.
func (a *Action) draftEvents(add func(parley.Event)) {
	switch {
	case a.Drafted != nil:
		m := &a.Drafted.Message
		e := parley.Event{Type: parley.DraftUpdated, Thread: m.Thread, Message: m.ID}
		if a.Drafted.New {
			e.Type = parley.DraftCreated
		}
		add(e)
		if a.Drafted.Told {
			add(parley.Event{Type: parley.ThreadUpdated, Thread: m.Thread})
		}
	case a.Sending != nil:
		add(parley.Event{Type: parley.DraftUpdated, Thread: a.Sending.Thread, Message: a.Sending.Draft})
	default:
		add(parley.Event{Type: parley.DraftRemoved, Thread: a.Discarded.Thread, Message: a.Discarded.Draft})
		e := parley.Event{Type: parley.ThreadUpdated, Thread: a.Discarded.Thread}
		if a.Discarded.Gone {
			e.Type = parley.ThreadRemoved
		}
		add(e)
	}
}
