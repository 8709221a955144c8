package gateway

import (
	"context"

	"github.com/parley-im/parley"
)

func (f *fake) CreateRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewRoom) (parley.Thread, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "CreateRoom", n)
	if err != nil {
		return parley.Thread{}, 0, false, err
	}
	defer leave()
	t, replayed, err := remember(f, cmd, func() (parley.Thread, error) {
		t := parley.Thread{
			ID: secret.Thread(cmd.ID), Kind: parley.KindRoom, Subject: n.Subject, History: n.History, Open: n.Open,
			Participants: f.people()[:1], RosterVersion: 1, Seq: 1, State: parley.StateIn,
		}
		t.Revision = f.act(parley.Event{Type: parley.ThreadUpdated, Thread: t.ID, Cause: cmd.ID})
		f.threads[t.ID] = t
		return t, nil
	})
	return t, t.Revision, replayed, err
}

func (f *fake) MakeRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, r parley.RoomOfMail) (parley.Thread, parley.Revision, bool, error) {
	t, rev, replayed, err := f.CreateRoom(ctx, acc, cmd, r.NewRoom)
	if err == nil {
		t.Linked = []parley.ThreadID{thread}
		f.threads[t.ID] = t
	}
	return t, rev, replayed, err
}

func (f *fake) PreviewRoom(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, r parley.RoomOfMail) (parley.RoomPreview, error) {
	leave, err := f.enter(ctx, "PreviewRoom", r)
	if err != nil {
		return parley.RoomPreview{}, err
	}
	defer leave()
	p := parley.RoomPreview{Subject: f.threads[thread].Subject, Participants: f.people(), Outside: f.threads[thread].Authors, Earlier: 3}
	for _, m := range f.messages {
		if m.Thread == thread {
			p.Messages = append(p.Messages, m)
		}
	}
	return p, nil
}

func (f *fake) Post(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, p parley.Post) (parley.Posted, error) {
	leave, err := f.enter(ctx, "Post", p)
	if err != nil {
		return parley.Posted{}, err
	}
	defer leave()
	posted, replayed, err := remember(f, cmd, func() (parley.Posted, error) {
		t, ok := f.threads[thread]
		if !ok || t.Kind != parley.KindRoom {
			return parley.Posted{}, notFound("thread")
		}
		if p.RosterVersion != 0 && p.RosterVersion < t.RosterVersion {
			return parley.Posted{}, &parley.Error{Code: parley.ParticipantsChanged, Op: "fake", Public: "Bo was added.", Field: "roster_version",
				Roster: &parley.RosterChange{Version: t.RosterVersion, Added: t.Participants[1:]}}
		}
		m := parley.Message{
			ID: secret.Message(cmd.ID, string(thread)), Thread: thread, Seq: t.Seq + 1, Author: parley.Author{Account: acc, Part: anaPart, Name: "Ana"}, Channel: parley.ChannelChat,
			Text: p.Text, Excerpt: p.Text, Mentions: p.Mentions, ReplyTo: p.ReplyTo, At: noon, ReceivedAt: noon,
			Folders: []parley.FolderID{parley.Inbox}, Keywords: []parley.Keyword{parley.Seen}, Size: int64(len(p.Text)),
		}
		for _, b := range p.Attachments {
			m.Attachments = append(m.Attachments, f.blobs[b].Attachment)
		}
		m.Revision = f.act(parley.Event{Type: parley.MessageCreated, Thread: thread, Message: m.ID, Cause: cmd.ID})
		f.messages = append(f.messages, m)
		return parley.Posted{Message: m, Revision: m.Revision}, nil
	})
	posted.Replayed = replayed
	return posted, err
}

func (f *fake) Join(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID) (parley.Thread, parley.Revision, bool, error) {
	o, err := f.ChangeThread(ctx, acc, cmd, 0, thread, parley.ThreadChange{})
	return f.threads[thread], o.Revision, o.Replayed, err
}

func (f *fake) Leave(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID) (parley.Revision, bool, error) {
	o, err := f.ChangeThread(ctx, acc, cmd, 0, thread, parley.ThreadChange{})
	return o.Revision, o.Replayed, err
}

func (f *fake) Participants(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, atLeast parley.Revision) ([]parley.Participant, parley.Seq, parley.Revision, error) {
	leave, err := f.enter(ctx, "Participants", thread)
	if err != nil {
		return nil, 0, 0, err
	}
	defer leave()
	t, ok := f.threads[thread]
	if !ok {
		return nil, 0, 0, notFound("thread")
	}
	return t.Participants, t.RosterVersion, f.rev, behind(atLeast, f.rev)
}

func (f *fake) AddParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, r parley.Recipient) (parley.Participant, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "AddParticipant", r)
	if err != nil {
		return parley.Participant{}, 0, false, err
	}
	defer leave()
	p, replayed, err := remember(f, cmd, func() (parley.Participant, error) {
		f.act(parley.Event{Type: parley.ParticipantJoined, Thread: thread, Parts: []parley.PartID{boPart}})
		return parley.Participant{ID: boPart, Account: r.Account, Address: r.Address, Name: "New", Channel: parley.ChannelChat, Role: r.Role, State: parley.StateInvited}, nil
	})
	return p, f.rev, replayed, err
}

func (f *fake) ChangeParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Seq, thread parley.ThreadID, pid parley.PartID, role parley.Role) (parley.Participant, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "ChangeParticipant", role)
	if err != nil {
		return parley.Participant{}, 0, false, err
	}
	defer leave()
	if pid != boPart {
		return parley.Participant{}, 0, false, notFound("participant")
	}
	p, replayed, err := remember(f, cmd, func() (parley.Participant, error) {
		if ifMatch != 0 && ifMatch != 2 {
			return parley.Participant{}, parley.E(parley.Stale, "fake", "The participants have changed since.")
		}
		p := f.people()[1]
		p.Role = role
		f.act(parley.Event{Type: parley.ParticipantUpdate, Thread: thread, Parts: []parley.PartID{pid}})
		return p, nil
	})
	return p, f.rev, replayed, err
}

func (f *fake) RemoveParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Seq, thread parley.ThreadID, pid parley.PartID) (parley.Revision, bool, error) {
	_, rev, replayed, err := f.ChangeParticipant(ctx, acc, cmd, ifMatch, thread, pid, parley.RoleMember)
	return rev, replayed, err
}
