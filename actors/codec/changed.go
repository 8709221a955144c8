package codec

import (
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func merged(g *mailbox.Merged) *record.Merged {
	return &record.Merged{
		From: threadID(g.From), Into: threadID(g.Into), Messages: each(g.Messages, message), Last: g.Last,
		ByHand: g.ByHand, Muted: g.Muted, Unmuted: g.Unmuted, Drafts: each(g.Drafts, message),
	}
}

func (r *reader) merged(g *record.Merged) *mailbox.Merged {
	return &mailbox.Merged{
		From: r.threadID(g.GetFrom()), Into: r.threadID(g.GetInto()), Messages: each(g.GetMessages(), r.message),
		Last: g.GetLast(), ByHand: g.GetByHand(), Muted: g.GetMuted(), Unmuted: g.GetUnmuted(), Drafts: each(g.GetDrafts(), r.message),
	}
}

func splitOff(s *mailbox.Split) *record.Split {
	return &record.Split{
		From: threadID(s.From), Into: threadID(s.Into), Messages: each(s.Messages, message), Muted: s.Muted, Unmuted: s.Unmuted,
	}
}

func (r *reader) split(s *record.Split) *mailbox.Split {
	return &mailbox.Split{
		From: r.threadID(s.GetFrom()), Into: r.threadID(s.GetInto()), Messages: each(s.GetMessages(), r.message),
		Muted: s.GetMuted(), Unmuted: s.GetUnmuted(),
	}
}

func changed(c *mailbox.Changed) *record.Changed {
	return &record.Changed{
		Groups: each(c.Groups, group), Set: names(keywords, c.Set), Clear: names(keywords, c.Clear),
		Replace: namesOrEmpty(folders, c.Replace), Add: names(folders, c.Add), Remove: names(folders, c.Remove),
		Restore: c.Restore, Back: places(c.Back), Was: places(c.Was), Labels: namesOrEmpty(folders, c.Labels),
	}
}

func (r *reader) changed(c *record.Changed) *mailbox.Changed {
	return &mailbox.Changed{
		Groups: each(c.GetGroups(), r.group), Set: unnames(r, keywords, c.GetSet()), Clear: unnames(r, keywords, c.GetClear()),
		Replace: unnamesOrEmpty(r, folders, c.GetReplace()), Add: unnames(r, folders, c.GetAdd()),
		Remove: unnames(r, folders, c.GetRemove()), Restore: c.GetRestore(),
		Back: r.places(c.GetBack()), Was: r.places(c.GetWas()),
		Labels: unnamesOrEmpty(r, folders, c.GetLabels()),
	}
}

func group(g mailbox.Group) *record.Group {
	return &record.Group{Thread: threadID(g.Thread), Messages: each(g.Messages, message)}
}

func (r *reader) group(g *record.Group) mailbox.Group {
	return mailbox.Group{Thread: r.threadID(g.GetThread()), Messages: each(g.GetMessages(), r.message)}
}

func threadSet(s *mailbox.ThreadSet) *record.ThreadSet {
	return &record.ThreadSet{Thread: threadID(s.Thread), Muted: s.Muted, Hidden: s.Hidden}
}

func (r *reader) threadSet(s *record.ThreadSet) *mailbox.ThreadSet {
	if s == nil {
		s = &record.ThreadSet{}
	}
	return &mailbox.ThreadSet{Thread: r.threadID(s.Thread), Muted: s.Muted, Hidden: s.Hidden}
}

func purged(p *mailbox.Purged) *record.Purged {
	return &record.Purged{Groups: each(p.Groups, group), Actions: each(p.Actions, revision)}
}

func (r *reader) purged(p *record.Purged) *mailbox.Purged {
	return &mailbox.Purged{Groups: each(p.GetGroups(), r.group), Actions: each(p.GetActions(), unrevision)}
}

func uploaded(u *mailbox.Uploaded) *record.Uploaded {
	return &record.Uploaded{Id: blobID(u.ID), Blob: blob(&u.Blob)}
}

func (r *reader) uploaded(u *record.Uploaded) *mailbox.Uploaded {
	return &mailbox.Uploaded{ID: r.blobID(u.GetId()), Blob: *r.blob(u.GetBlob())}
}
