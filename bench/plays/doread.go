package plays

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-im/parley"
)

// reading is how a read says what it must show: at least all that is owed, or
// nothing; then the revision of the answer tells how much had come.
func (p *play) reading(c *client, path string) answer {
	b := c.owner.box
	if p.chance(50) {
		to := b.revision + parley.Revision(len(b.owed))
		if sep := "?"; to > 0 {
			if strings.Contains(path, "?") {
				sep = "&"
			}
			path += fmt.Sprintf("%sat_least=%d", sep, to)
		}
		b.take(len(b.owed))
	}
	a := p.come(c, path)
	if a.revision != 0 {
		p.seen(b, a)
	}
	return a
}

// sameThread holds a thread to the copy.
func (p *play) sameThread(b *box, got threadShape) {
	t := b.thread(got.ID)
	if t == nil {
		p.fail("%s's copy has no thread %s", b.owner.name, got.ID)
	}
	slices.SortFunc(got.Participants, func(a, b seatShape) int { return strings.Compare(string(a.ID), string(b.ID)) })
	equal(p, "thread in the copy of "+b.owner.name, got, b.view(t))
}

// sameMessage holds a message to the copy. A file is known by its content; the id
// by which its owner opens it stays the same.
func (p *play) sameMessage(b *box, m *note, got messageShape) {
	if m == nil {
		p.fail("%s's copy has no message %s", b.owner.name, got.ID)
	}
	want := m.messageShape
	want.Attachments = []fileShape{}
	for i, f := range m.files {
		if b.blobs[f.content] == "" && i < len(got.Attachments) {
			b.blobs[f.content] = got.Attachments[i].Blob
		}
		want.Attachments = append(want.Attachments, fileShape{Blob: b.blobs[f.content], Name: f.name, Type: f.kind, Size: int64(len(f.content))})
	}
	want.Seen, want.Flagged = m.has(parley.Seen), m.has(parley.Flagged)
	want.Folders, want.Labels = append([]parley.FolderID{}, without(m.Folders, labels(m.Folders)...)...), append([]parley.FolderID{}, labels(m.Folders)...)
	want.Keywords = append([]parley.Keyword{}, want.Keywords...)
	want.Mentions = append([]parley.PartID{}, want.Mentions...)
	if m.Channel == parley.ChannelMail { // without a Date it is a guess
		got.At = want.At
	}
	if m.Kind == "notice" && want.ID == "" { // named by the copy
		m.ID, want.ID = got.ID, got.ID
	}
	got.Text = strings.TrimSpace(got.Text)
	equal(p, "message in the copy of "+b.owner.name, got, want)
}

func (p *play) readThread(c *client) {
	t := p.talk(c.owner.box)
	if t == nil {
		return
	}
	a := p.reading(c, "/threads/"+string(t.ID))
	p.wants(a, 200, done)
	p.sameThread(c.owner.box, into[threadShape](p, a))
	if want := tag(c.owner.box.threads[t.ID].Revision); a.tag != want {
		p.fail("ETag is %s, want %s", a.tag, want)
	}
}

func (p *play) readMessage(c *client) {
	m := p.message(c.owner.box)
	if m == nil {
		return
	}
	a := p.reading(c, "/messages/"+string(m.ID))
	if a.status == 404 {
		p.settle(c.owner)
	}
	if m = c.owner.box.find(m.ID); m == nil {
		p.wants(a, 200, notFound)
		return
	}
	p.wants(a, 200, done)
	p.sameMessage(c.owner.box, m, into[messageShape](p, a))
	if want := tag(m.Revision); a.tag != want {
		p.fail("ETag is %s, want %s", a.tag, want)
	}
}

func (p *play) readMailbox(c *client) {
	a := p.reading(c, "/mailbox")
	p.wants(a, 200, done)
	equal(p, "figures of "+c.owner.name, into[mailboxShape](p, a), c.owner.box.stats())
}

func (p *play) readFolders(c *client) {
	a := p.reading(c, "/folders")
	p.wants(a, 200, done)
	equal(p, "folders of "+c.owner.name, into[listShape[folderShape]](p, a).Data, c.owner.box.shelves())
}

func (p *play) readFolder(c *client) {
	b := c.owner.box
	i := p.rng.IntN(len(b.shelves()))
	a := p.reading(c, "/folders/"+string(b.shelves()[i].ID))
	p.wants(a, 200, done)
	equal(p, "a folder of "+c.owner.name, into[folderShape](p, a), b.shelves()[i])
}

func (p *play) readRoster(c *client) {
	t := p.talk(c.owner.box)
	if t == nil || t.Kind != parley.KindRoom {
		return
	}
	a := p.reading(c, "/threads/"+string(t.ID)+"/participants")
	p.wants(a, 200, done)
	got := into[rosterShape](p, a)
	slices.SortFunc(got.Data, func(a, b seatShape) int { return strings.Compare(string(a.ID), string(b.ID)) })
	want := c.owner.box.view(c.owner.box.threads[t.ID])
	equal(p, "participants", got, rosterShape{want.Participants, want.RosterVersion, c.owner.box.revision})
}

// readBlob opens a file of one's own or of a message, or of somebody else's, which
// is not there.
func (p *play) readBlob(c *client) {
	p.settle(c.owner)
	who := c.owner
	if p.chance(30) {
		who = pick(p, p.people)
	}
	f := pick(p, who.box.uploads)
	id := who.box.blobs[f.content]
	if id == "" {
		return
	}
	path := "/blobs/" + string(id)
	if p.chance(50) {
		a := p.send(c, request{method: "HEAD", path: path})
		if opens := who == c.owner && c.owner.box.opens(f); opens != (a.status == 200) {
			p.fail("HEAD of %s is %d, and it opens: %v", path, a.status, opens)
		}
	}
	a := p.send(c, request{method: "GET", path: path})
	if who != c.owner || !c.owner.box.opens(f) {
		p.wants(a, 200, notFound)
		return
	}
	if p.wants(a, 200, done); string(a.body) != f.content {
		p.fail("the file reads %q, want %q", a.body, f.content)
	}
}

// readRaw reads a mail as it came.
func (p *play) readRaw(c *client) {
	m := p.message(c.owner.box)
	if t := pick(p, c.owner.box.mails()); t != nil && p.chance(80) {
		m = pick(p, c.owner.box.of(t.ID, false))
	}
	if m == nil || c.owner.box.find(m.ID) != m {
		return
	}
	a := p.send(c, request{method: "GET", path: "/messages/" + string(m.ID) + "/raw"})
	if m.raw == "" {
		p.wants(a, 200, notFound)
		return
	}
	if p.wants(a, 200, done); string(a.body) != m.raw {
		p.fail("the mail reads %q, want %q", a.body, m.raw)
	}
}
