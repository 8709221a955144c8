package mailbox

import (
	"bytes"
	"slices"

	"github.com/parley-im/parley"
)

// part is what the next piece of a work comes to.
type part struct {
	actions []Action
	blank   []parley.Revision
	tally   parley.Tally
	done    int64   // of the job's total
	took    int64   // of the messages named one by one
	at      Reached // where it goes on
	rest    bool    // something is left
}

// part finds the next piece of a work: as much as one action may touch.
func (d *decider) part(w *Work) part {
	switch {
	case w.Thread != "":
		return d.partOfThread(w)
	case w.Folder != "":
		return d.partOfFolder(w)
	}
	return d.partOfList(w)
}

// jobPart is how many entities a part of a job touches: whoever asks meanwhile
// waits for one part at most.
const jobPart = 100

// touch is how many entities one action may touch.
func (d *decider) touch(w *Work) int {
	most := MaxTouched
	if d.s.touch > 0 {
		most = d.s.touch
	}
	if w.Until != 0 { // a job
		most = min(most, jobPart)
	}
	return most
}

// late reports whether the message came after the command.
func (w *Work) late(m *Message) bool { return w.Until != 0 && m.Filed > w.Until }

// add makes a change that touches something part of the piece.
func (p *part) add(ch *Changed) {
	for _, g := range ch.Groups {
		p.tally.Changed += int64(len(g.Messages))
	}
	if len(ch.Groups) > 0 {
		p.actions = append(p.actions, Action{Changed: ch})
	}
}

// partOfList changes messages named one by one. Those that are not here, or were
// changed since the revision named, are counted and left alone.
func (d *decider) partOfList(w *Work) (p part) {
	ids := w.Messages[:min(d.touch(w), len(w.Messages))]
	ch := w.Patch
	drafts := toDrafts(parley.Change{Folders: ch.Replace, Add: ch.Add})
	for _, id := range ids {
		m := d.message(id)
		switch {
		case m == nil || m.Notice != "" || m.draft() || m.posted() && drafts:
			p.tally.Missing++
		case w.IfMatch != 0 && m.Revision > w.IfMatch:
			p.tally.Stale++
		case ch.alters(m):
			ch.include(m)
		}
	}
	p.add(&ch)
	p.took, p.done, p.rest = int64(len(ids)), int64(len(ids)), len(ids) < len(w.Messages)
	return p
}

// partOfThread changes messages of a thread in its order. What sticks to the
// thread is set with the last of them.
func (d *decider) partOfThread(w *Work) (p part) {
	th := d.resolve(w.Thread)
	if th == nil {
		return p // purged, or merged into one that was
	}
	ids := d.messageIDs(th.ID, w.At.After, d.touch(w)+1)
	if p.rest = len(ids) > d.touch(w); p.rest {
		ids = ids[:d.touch(w)]
	}
	var ms []*Message
	for _, id := range ids {
		if m := d.message(id); m != nil && !w.late(m) {
			ms = append(ms, m)
		}
	}
	if p.done = int64(len(ids)); p.rest && !d.lacks() {
		p.at.After = d.message(ids[len(ids)-1]).order()
	}
	if w.Op == opPurge {
		d.purgePart(&p, ms)
		return p
	}
	if set := w.stick(th); set != nil && !p.rest {
		p.actions = append(p.actions, Action{Thread: set})
	}
	plain, moved := w.plain(), w.moved()
	for _, m := range ms {
		ch := plain
		if w.Op == OpRestore { // not into folders that are gone
			moved.Remove = d.lost(moved.Remove, m.Before)
		}
		if w.moves(m) {
			ch = moved
		}
		if ch.alters(m) {
			ch.include(m)
		}
	}
	p.add(plain)
	p.add(moved)
	return p
}

func (d *decider) purgePart(p *part, ms []*Message) {
	ms = slices.DeleteFunc(ms, func(m *Message) bool { return !m.onlyIn(parley.Trash) })
	if gone := purgeOf(ms); gone != nil {
		p.actions, p.blank = append(p.actions, Action{Purged: gone}), gone.Actions
		p.tally.Changed = int64(len(ms))
	}
}

// partOfFolder marks unread messages of a folder read. It walks from the oldest
// thread: those that get new messages meanwhile move ahead of it, and one that
// falls behind, since its last message is purged, is met by a second walk.
func (d *decider) partOfFolder(w *Work) (p part) {
	tr, ch := d.tree(unreadThreads(w.Folder)), w.Patch
	p.at = w.At
	walk := folderWalk{d: d, w: w, ch: &ch, left: d.touch(w), looks: max(2*d.touch(w), maxRun)}
	for walk.left > 0 && walk.looks > 0 && !d.lacks() {
		keys := tr.Descend(p.at.Thread, p.at.After != nil, walk.looks)
		if len(keys) == 0 {
			p.end(w, &ch)
			return p
		}
		if walk.gather(keys); d.lacks() {
			return p
		}
		for _, key := range keys {
			if !bytes.Equal(key, p.at.Thread) {
				p.at.After = nil
			}
			p.at.Thread = key
			if p.at.After = walk.thread(d.thread(threadIDOf(key)), p.at.After); p.at.After != nil || walk.left == 0 || walk.looks <= 0 {
				break
			}
		}
	}
	p.rest = true
	p.add(&ch)
	p.done = p.tally.Changed
	return p
}

// end ends a walk over a folder. One that was interrupted is followed by another.
func (p *part) end(w *Work, ch *Changed) {
	whole := w.At.Thread == nil
	p.add(ch)
	p.done, p.rest = p.tally.Changed, !whole && !w.At.Again
	p.at = Reached{Again: true}
}

// folderWalk looks for unread messages.
type folderWalk struct {
	d     *decider
	w     *Work
	ch    *Changed
	left  int // to change
	looks int
}

// maxRun is how many messages of a thread are loaded at once.
const maxRun = 128

// thread looks at a thread's messages from the newest, below after, until it met
// as many as are unread. It returns where it was cut; nil is not.
func (f *folderWalk) thread(th *Thread, after []byte) []byte {
	if f.looks--; th == nil {
		return nil
	}
	unread := th.folder(f.w.Folder).Unread
	for unread > 0 && !f.d.lacks() {
		keys := f.d.tree(messageTree(th.ID)).Descend(after, false, maxRun)
		for _, key := range keys {
			f.d.message(messageIDOf(key))
		}
		for _, key := range keys {
			m := f.d.message(messageIDOf(key))
			after = key
			if f.looks--; m != nil && m.unread() && m.in(f.w.Folder) {
				unread--
				if !f.w.late(m) {
					f.ch.include(m)
					f.left--
				}
			}
			if f.left == 0 || f.looks <= 0 {
				return after
			}
		}
		if len(keys) == 0 {
			return nil
		}
	}
	return nil
}

// gather touches what the walk will probably look at, so that all that lacks is
// asked for at once.
func (f *folderWalk) gather(threads [][]byte) {
	left := f.left
	for _, key := range threads {
		th := f.d.thread(threadIDOf(key))
		if th == nil || left <= 0 {
			continue
		}
		for _, key := range f.d.tree(messageTree(th.ID)).Descend(nil, false, int(min(2*th.folder(f.w.Folder).Unread, maxRun))) {
			f.d.message(messageIDOf(key))
			left--
		}
	}
}
