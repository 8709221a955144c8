package mailbox_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

func (p *play) anyMessage() parley.MessageID {
	if n := len(p.naive.messages); n > 0 && p.pick(20, "unknown") > 0 {
		return p.naive.messages[p.pick(n, "message")].ID
	}
	if n := len(p.naive.drafts); n > 0 && p.some("a draft") {
		return p.naive.drafts[p.pick(n, "draft")].ID
	}
	return messageID("unknown")
}

func (p *play) anyThread() parley.ThreadID {
	ids := p.threadIDs()
	for id := range p.naive.merged {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) > 0 && p.pick(20, "unknown") > 0 {
		return ids[p.pick(len(ids), "thread")]
	}
	return threadID("unknown")
}

func (p *play) flag(what string) *bool {
	if rapid.IntRange(0, 2).Draw(p.T, what) == 0 {
		return new(p.some("on"))
	}
	return nil
}

func (p *play) change() parley.Change {
	c := parley.Change{Seen: p.flag("seen"), Flagged: p.flag("flagged")}
	folders := append(everywhere, parley.Trash, "fld_x")
	if p.pick(4, "replace") == 0 {
		c.Folders = append([]parley.FolderID{}, chosen(p, "folders", 3, folders...)...)
	}
	if p.pick(4, "label") == 0 {
		c.Labels = append([]parley.FolderID{}, chosen(p, "labels", 2, append(ownLabels, ownLabels[0], ownFolders[0])...)...)
	}
	c.Add, c.Remove = chosen(p, "add", 1, folders...), chosen(p, "remove", 1, folders...)
	return c
}

func (p *play) ifMatch(r parley.Revision) parley.Revision {
	return draw(p, "if match", 0, 0, 0, r, r+1)
}

func (p *play) changeMessages() {
	c := mailbox.ChangeMessages{Cmd: p.key(), Change: p.change()}
	for range p.pick(4, "messages") {
		c.Messages = append(c.Messages, p.anyMessage())
	}
	if len(c.Messages) == 1 {
		if m := p.naive.find(c.Messages[0]); m != nil {
			c.IfMatch = p.ifMatch(m.Revision)
		}
	}
	p.keyed(c)
}

func (p *play) changeThread() {
	c := mailbox.ChangeThread{Cmd: p.key(), Job: p.job(), Thread: p.anyThread()}
	if p.some("change") {
		c.Change.Change = p.change()
	}
	c.Change.Archived, c.Change.Muted = p.flag("archived"), p.flag("muted")
	if th := p.naive.thread(c.Thread); th != nil {
		c.IfMatch = p.ifMatch(th.Revision)
	}
	p.keyed(c)
}

func (p *play) deleteThread() {
	p.keyed(mailbox.ChangeThread{Cmd: p.key(), Job: p.job(), Thread: p.anyThread(), Op: mailbox.OpDelete})
}

func (p *play) restoreThread() {
	p.keyed(mailbox.ChangeThread{Cmd: p.key(), Job: p.job(), Thread: p.anyThread(), Op: mailbox.OpRestore})
}

func (p *play) deleteMessage() {
	c := mailbox.DeleteMessage{Cmd: p.key(), Message: p.anyMessage()}
	if m := p.naive.find(c.Message); m != nil {
		c.IfMatch = p.ifMatch(m.Revision)
	}
	p.keyed(c)
}

// split takes some messages out of a thread, mostly of mail.
func (p *play) split() {
	p.n++
	c := mailbox.SplitThread{Cmd: p.key(), Thread: p.anyThread(), NewThread: threadID("split", p.n)}
	th := p.naive.thread(c.Thread)
	if th == nil {
		p.keyed(c)
		return
	}
	var ids []parley.MessageID
	for _, m := range p.naive.of(th.ID, false) {
		ids = append(ids, m.ID)
	}
	if p.pick(10, "another") == 0 || len(ids) == 0 {
		ids = append(ids, p.anyMessage())
	}
	if p.some("from") {
		c.From = ids[p.pick(len(ids), "from")]
	} else {
		c.Messages = chosen(p, "messages", 3, ids...)
	}
	c.IfMatch = p.ifMatch(th.Revision)
	p.keyed(c)
}

func (p *play) merge() {
	p.keyed(mailbox.MergeThreads{Cmd: p.key(), Thread: p.anyThread(), With: p.anyThread()})
}

// undo takes back something of late, or what cannot be.
func (p *play) undo() {
	last := int(p.naive.last)
	rev := parley.Revision(max(0, last-p.pick(8, "back")))
	if p.pick(20, "none") == 0 {
		rev = draw(p, "which", 0, parley.Revision(last+1), 1)
	}
	p.keyed(mailbox.Undo{Cmd: p.key(), Revision: rev})
}

func (p *play) upload() {
	f := draw(p, "file", files...)
	p.keyed(mailbox.Upload{Cmd: p.key(), ID: fileID(f), Blob: mailbox.Blob{Digest: digest(f), Name: f, Bytes: 3, At: p.now.UnixMicro()}})
}

// job is a new id, which a command has whether or not it becomes one.
func (p *play) job() parley.JobID {
	p.n++
	return job(p.n)
}

func (p *play) changeMany() {
	c := mailbox.ChangeMany{Cmd: p.key(), Job: p.job(), Change: p.change()}
	seen := map[parley.MessageID]bool{}
	for range p.pick(9, "messages") {
		if id := p.anyMessage(); !seen[id] {
			c.Messages, seen[id] = append(c.Messages, id), true
		}
	}
	if p.pick(3, "if match") == 0 {
		c.IfMatch = parley.Revision(p.pick(int(p.naive.last)+1, "revision"))
	}
	p.keyed(c)
}

func (p *play) readFolder() {
	p.keyed(mailbox.ReadFolder{Cmd: p.key(), Job: p.job(), Folder: draw(p, "folder", append(everywhere, "fld_x")...)})
}
