package mailbox

import "github.com/parley-im/parley"

// Events are what the stream tells of an action. They depend on the action
// alone, so that a stream resumed from the log says the same as the live one.
func (a *Action) Events() []parley.Event {
	var out []parley.Event
	add := func(e parley.Event) {
		e.Revision, e.Index, e.At, e.Cause = a.N, len(out), a.At, parley.CommandID{}
		if a.Key != nil {
			e.Cause = a.Key.ID
		}
		out = append(out, e)
	}
	each := func(gs []Group, t parley.EventType) {
		for _, g := range gs {
			for _, id := range g.Messages {
				add(parley.Event{Type: t, Thread: g.Thread, Message: id})
			}
			add(parley.Event{Type: parley.ThreadUpdated, Thread: g.Thread})
		}
	}
	switch {
	case a.Filed != nil:
		a.filedEvents(add)
	case a.Arrived != nil:
		add(parley.Event{Type: parley.MessageUpdated, Thread: a.Arrived.Thread, Message: a.Arrived.Message})
		if a.Arrived.Thread != "" { // its revision is another, and so may be its folders
			add(parley.Event{Type: parley.ThreadUpdated, Thread: a.Arrived.Thread})
		}
	case a.Reparsed != nil:
		each([]Group{{a.Reparsed.Message.Thread, []parley.MessageID{a.Reparsed.Message.ID}}}, parley.MessageUpdated)
	case a.Merged != nil:
		each([]Group{{a.Merged.Into, a.Merged.Messages}}, parley.MessageUpdated)
		for _, id := range a.Merged.Drafts {
			add(parley.Event{Type: parley.DraftUpdated, Thread: a.Merged.Into, Message: id})
		}
		if a.Merged.Last {
			add(parley.Event{Type: parley.ThreadRemoved, Thread: a.Merged.From})
		}
	case a.Split != nil:
		each([]Group{{a.Split.Into, a.Split.Messages}}, parley.MessageUpdated)
		add(parley.Event{Type: parley.ThreadUpdated, Thread: a.Split.From})
	case a.Changed != nil:
		each(a.Changed.Groups, parley.MessageUpdated)
	case a.Purged != nil:
		each(a.Purged.Groups, parley.MessageRemoved)
	case a.Drafted != nil, a.Sending != nil, a.Discarded != nil:
		a.draftEvents(add)
	case a.Folder != nil && a.Folder.Created:
		add(parley.Event{Type: parley.FolderCreated, Folder: a.Folder.Folder.ID})
	case a.Folder != nil:
		add(parley.Event{Type: parley.FolderUpdated, Folder: a.Folder.Folder.ID})
	case a.FolderGone != nil:
		add(parley.Event{Type: parley.FolderRemoved, Folder: a.FolderGone.ID})
	case a.Thread != nil:
		add(parley.Event{Type: parley.ThreadUpdated, Thread: a.Thread.Thread})
	}
	if e := a.jobEvent(); e.Job != nil {
		add(e)
	}
	add(parley.Event{Type: parley.CountsChanged, Badge: a.Badge, Other: a.Other})
	return out
}

func (a *Action) filedEvents(add func(parley.Event)) {
	m := &a.Filed.Message
	if len(a.Filed.Sent) > 0 {
		add(parley.Event{Type: parley.DraftRemoved, Thread: m.Thread, Message: m.ID})
	}
	e := parley.Event{Thread: m.Thread, Message: m.ID, Parts: m.About}
	switch m.Notice {
	case "":
		e.Type = parley.MessageCreated
		add(e)
		if m.Mentioned {
			add(parley.Event{Type: parley.MentionMade, Thread: m.Thread, Message: m.ID})
		}
	case parley.NoticeCreated, parley.NoticeJoined:
		e.Type = parley.ParticipantJoined
		add(e)
	case parley.NoticeLeft, parley.NoticeRemoved:
		e.Type = parley.ParticipantLeft
		add(e)
	default:
		e.Type = parley.ParticipantUpdate
		add(e)
	}
	add(parley.Event{Type: parley.ThreadUpdated, Thread: m.Thread})
	if r := a.Filed.Room; r != nil && r.Linked != "" {
		add(parley.Event{Type: parley.ThreadUpdated, Thread: r.Linked})
	}
	if r := a.Filed.Room; r != nil && r.Offshoot != nil {
		for _, p := range r.Offshoot.Posts {
			add(parley.Event{Type: parley.MessageUpdated, Thread: r.Offshoot.Room, Message: p.Message})
		}
		add(parley.Event{Type: parley.ThreadUpdated, Thread: r.Offshoot.Room})
	}
}
