package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

// threadPage has its id from the key, unless the two differ.
func (w *writer) threadPage(name string, t *mailbox.Thread) *record.Thread {
	out := &record.Thread{
		Into: threadID(t.Into), Kind: number[record.Kind](w, kinds, t.Kind), Subject: t.Subject, Excerpt: t.Excerpt,
		Messages: t.Messages, Unread: t.Unread, UnreadShown: t.UnreadShown, Mentions: t.Mentions,
		Folders: each(t.Folders, threadFolder), Muted: t.Muted, Hidden: t.Hidden, Drafts: t.Drafts, LastAt: t.LastAt,
		First: t.First, Newest: t.Newest, Last: message(t.Last), LastAuthor: author(t.LastAuthor),
		Authors: each(t.Authors, listedAuthor), People: hashes(t.People), Revision: uint64(t.Revision),
		Seq: uint64(t.Seq), RosterSeq: uint64(t.RosterSeq), History: w.history(t.History), Open: t.Open,
		State: number[record.PartState](w, states, t.State), Flagged: t.Flagged, Channels: each(t.Channels, w.threadChannel),
		Apart: each(t.Apart, threadID), Linked: each(t.Linked, threadID), SplitAt: t.SplitAt,
	}
	if name != string(t.ID) {
		out.Id = present(threadID(t.ID))
	}
	return out
}

func (r *reader) threadPage(name string, t *record.Thread) *mailbox.Thread {
	out := &mailbox.Thread{
		ID: r.threadID(t.GetId()), Into: r.threadID(t.GetInto()), Kind: word(r, kinds, t.GetKind()),
		Subject: t.GetSubject(), Excerpt: t.GetExcerpt(), Messages: t.GetMessages(), Unread: t.GetUnread(),
		UnreadShown: t.GetUnreadShown(), Mentions: t.GetMentions(), Folders: each(t.GetFolders(), r.threadFolder),
		Muted: t.GetMuted(), Hidden: t.GetHidden(), Drafts: t.GetDrafts(), LastAt: t.GetLastAt(), First: t.GetFirst(), Newest: t.GetNewest(),
		Last: r.message(t.GetLast()), LastAuthor: r.author(t.GetLastAuthor()), Authors: each(t.GetAuthors(), r.author),
		People: unhashes[mailbox.Hash](r, t.GetPeople()), Revision: parley.Revision(t.GetRevision()),
		Seq: parley.Seq(t.GetSeq()), RosterSeq: parley.Seq(t.GetRosterSeq()), History: r.history(t.GetHistory()),
		Open: t.GetOpen(), State: word(r, states, t.GetState()), Flagged: t.GetFlagged(), Channels: each(t.GetChannels(), r.threadChannel),
		Apart: each(t.GetApart(), r.threadID), Linked: each(t.GetLinked(), r.threadID), SplitAt: t.GetSplitAt(),
	}
	if t.GetId() == nil {
		out.ID = parley.ThreadID(name)
	}
	return out
}

// listedAuthor also writes an author of whom nothing is known: a list has no gaps.
func listedAuthor(a parley.Author) *record.Author {
	if out := author(a); out != nil {
		return out
	}
	return &record.Author{}
}

func (w *writer) threadChannel(c mailbox.ThreadChannel) *record.ThreadChannel {
	return &record.ThreadChannel{Channel: number[record.Channel](w, channels, c.Channel), Total: c.Total}
}

func (r *reader) threadChannel(c *record.ThreadChannel) mailbox.ThreadChannel {
	return mailbox.ThreadChannel{Channel: word(r, channels, c.GetChannel()), Total: c.GetTotal()}
}

func threadFolder(f mailbox.ThreadFolder) *record.ThreadFolder {
	fixed, id := folder(f.Folder)
	return &record.ThreadFolder{Fixed: fixed, Id: id, Total: f.Total, Unread: f.Unread}
}

func (r *reader) threadFolder(f *record.ThreadFolder) mailbox.ThreadFolder {
	return mailbox.ThreadFolder{Folder: r.folder(f.GetFixed(), f.GetId()), Total: f.GetTotal(), Unread: f.GetUnread()}
}
