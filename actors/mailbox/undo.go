package mailbox

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// Undone counts the messages and settings that were given back what they had, and
// those that were changed again since and stay as they are.
type Undone struct{ Undone, Skipped int64 }

// Undoing says that an action takes back what a command did. It is remembered, so
// that nothing is taken back twice and a series that was cut off goes on.
type Undoing struct {
	Of      parley.Revision // the command's last action
	By      parley.Digest   // the command that takes it back
	Next    parley.Revision // what is still to be taken back, from here down
	Undone  Undone          // so far
	Expires time.Time
}

// memory is under a key that no edge can make.
func (u *Undoing) memory() *Memory {
	return &Memory{ID: undoneKey(u.Of), Body: u.By, Expires: u.Expires, Answer: Answer{Undone: u.Undone, Undoing: u.Next}}
}

func undoneKey(n parley.Revision) parley.CommandID {
	return parley.CommandID(hash("undone", fmt.Sprint(n)))
}

// by names an undo; zero for one without a key, which no repeat can go on with.
func (c Undo) by() (d parley.Digest) {
	if !c.Cmd.ID.IsZero() {
		d = sha256.Sum256(append(c.Cmd.ID[:], c.Cmd.Body[:]...))
	}
	return d
}

// Recaller is a command that reads logged actions: where Need names one, the
// command is decided again as what Recall makes of it.
type Recaller interface{ Recall(a Action) any }

// undoing is how far an undo is.
type undoing struct {
	Undo
	at     parley.Revision // the action to take back now; 0 begins
	logged *Action         // that action, once it was read
	undone Undone          // what came of those after it
	prior  parley.Revision
}

// Recall implements Recaller.
func (c Undo) Recall(a Action) any { return undoing{Undo: c, logged: &a} }

// Recall implements Recaller.
func (c undoing) Recall(a Action) any {
	c.logged = &a
	return c
}

// undo takes back one action of the command after the other, the last first, each
// as one action of its own. What they replaced is in the log.
func (d *decider) undo(c undoing) error {
	if c.at == 0 {
		if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
			return err
		}
		if err := d.beginUndo(&c); err != nil {
			return err
		}
	}
	if c.logged == nil || c.logged.N != c.at {
		d.lackLog(c.at)
		return nil
	}
	if c.at == c.Revision {
		if err := c.logged.undoable(d.now); err != nil {
			return err
		}
	}
	as, got := d.takeBack(c.logged, c.undone)
	c.undone.Undone, c.undone.Skipped = c.undone.Undone+got.Undone, c.undone.Skipped+got.Skipped
	d.prior = c.prior
	d.addUndo(c, as, got)
	if c.logged.Prior != 0 {
		d.out.Next = undoing{Undo: c.Undo, at: c.logged.Prior, undone: c.undone, prior: d.prior}
	}
	return nil
}

// beginUndo finds where to begin: at the end of what is to be taken back, or where
// a series of the same command was cut off.
func (d *decider) beginUndo(c *undoing) error {
	if c.Revision == 0 || c.Revision > d.header().Last {
		return &parley.Error{Code: parley.NotFound, Op: "mailbox.undo", Public: "there is no such revision here", Field: "revision"}
	}
	c.at = c.Revision
	r := d.remembered(undoneKey(c.Revision))
	switch {
	case r == nil:
	case r.Body != c.by() || r.Body.IsZero() || r.Answer.Undoing == 0:
		return parley.E(parley.AlreadyUndone, "mailbox.undo", "this was undone already")
	default:
		c.at, c.undone, c.prior = r.Answer.Undoing, r.Answer.Undone, r.Revision
	}
	return nil
}

// undoable refuses what no command of the owner came to, or not whole, and what
// is older than is promised.
func (a *Action) undoable(now time.Time) error {
	refuse := func(why string) error {
		return &parley.Error{Code: parley.NotUndoable, Op: "mailbox.undo", Public: why, Field: "revision"}
	}
	switch {
	case a.Purged != nil, a.Progressed != nil && a.Progressed.Kind == parley.JobPurgeThread:
		return refuse("what was deleted for good does not come back")
	case a.Progressed != nil && a.Progressed.Kind.Transfer():
		return refuse("an import or export is not undone")
	case a.Progressed != nil && !a.Progressed.State.Over():
		return refuse("this is a part of a job: name the revision that it has at its end")
	case a.Filed != nil && a.Filed.Message.Seq > 0:
		return refuse("what happens in a room is for all and is not undone")
	case a.Changed == nil && a.Thread == nil && a.Progressed == nil && a.Split == nil && (a.Merged == nil || !a.Merged.ByHand):
		return refuse("this is no move, label, archive, mute, deletion to Trash, split or merge of yours")
	case a.More:
		return refuse("this is a part of a larger change: name the revision that its answer had")
	case now.Sub(a.At) > parley.UndoLife:
		return parley.E(parley.Gone, "mailbox.undo", "this was done too long ago to be undone")
	}
	return nil
}

// takeBack is what takes an action back: nothing, where nothing is as the action
// left it. so is what came of the later ones of its command.
func (d *decider) takeBack(a *Action, so Undone) ([]Action, Undone) {
	switch {
	case a.Progressed != nil: // the end of a job; its parts come before
		return nil, Undone{}
	case a.Thread != nil:
		return d.unset(a.Thread)
	case a.Split != nil:
		return d.unsplit(a.Split, so)
	case a.Merged != nil:
		return d.unmerge(a.Merged)
	}
	return d.unchange(a.Changed)
}

func (d *decider) unchange(ch *Changed) ([]Action, Undone) {
	var got Undone
	back, places := &Changed{}, map[parley.MessageID]Place{}
	i := -1
	for _, g := range ch.Groups {
		for _, id := range g.Messages {
			i++
			p, ok := d.unplace(id, ch.Was.at(i), ch.left(i))
			if !ok {
				got.Skipped++
				continue
			}
			got.Undone++
			back.include(d.message(id))
			places[id] = p
		}
	}
	var all []Place
	for _, g := range back.Groups {
		for _, id := range g.Messages {
			all = append(all, places[id])
		}
	}
	if back.Back = placesOf(all); got.Undone == 0 {
		return nil, got
	}
	return []Action{{Changed: back}}, got
}

// unplace is where a message was, unless it was moved again or is gone. A folder
// that went since takes nothing back.
func (d *decider) unplace(id parley.MessageID, was, left Place) (Place, bool) {
	m := d.message(id)
	if m == nil {
		return Place{}, false
	}
	p, ok := m.place().without(was, left)
	return p, ok && d.checkFolders("folders", p.Folders) == nil
}

// unset turns the settings of a thread back.
func (d *decider) unset(s *ThreadSet) ([]Action, Undone) {
	th := d.resolve(s.Thread)
	if th == nil || s.Muted != nil && th.Muted != *s.Muted || s.Hidden != nil && (th.Hidden != *s.Hidden || !th.empty()) {
		return nil, Undone{Skipped: 1}
	}
	back := &ThreadSet{Thread: th.ID}
	if s.Muted != nil {
		back.Muted = new(!*s.Muted)
	}
	if s.Hidden != nil {
		back.Hidden = new(!*s.Hidden)
	}
	return []Action{{Thread: back}}, Undone{Undone: 1}
}

// unsplit merges what was split off back into what it came from, with what came to
// it since: without the split all of it would be there. Where what it came from is
// part of another thread by now, it stays: undoing that first leads back to both.
func (d *decider) unsplit(s *Split, so Undone) (all []Action, got Undone) {
	into, from := d.resolve(s.Into), d.resolve(s.From)
	back := into != nil && from != nil && into.ID != from.ID && into.ID == s.Into && from.ID == s.From
	done := so.Undone > 0 && into != nil && into == from // with a later part of the split
	for _, id := range s.Messages {
		if m := d.message(id); m != nil && (back && m.Thread == into.ID || done && m.Thread == from.ID) {
			got.Undone++
		} else {
			got.Skipped++
		}
	}
	if back && got.Undone > 0 {
		all = d.mergeByHand(into, from)
	}
	return all, got
}

// unmerge moves what came by a merge by hand back to the id that it had, unless
// nothing would stay behind.
func (d *decider) unmerge(g *Merged) (all []Action, got Undone) {
	into, from := d.resolve(g.Into), d.thread(g.From)
	var ids []parley.MessageID
	for _, id := range g.Messages {
		if m := d.message(id); m != nil && into != nil && m.Thread == into.ID && into.ID != g.From {
			ids = append(ids, id)
		}
	}
	got.Undone = int64(len(ids))
	if got.Undone == 0 || got.Undone >= into.Messages || from != nil && from.Into == "" && !slices.Contains(d.live(from.Apart), into.ID) {
		return nil, Undone{Skipped: int64(len(g.Messages))}
	}
	got.Skipped = int64(len(g.Messages)) - got.Undone
	return []Action{{Split: &Split{From: into.ID, Into: g.From, Messages: ids, Muted: g.Muted, Unmuted: g.Unmuted}}}, got
}

// addUndo adds what came of taking one action back. The last of a series has the
// command's key, also where it came to nothing. What was only skipped may be asked
// for again: once what came in between is undone, it is no more in the way.
func (d *decider) addUndo(c undoing, all []Action, got Undone) {
	last := c.logged.Prior == 0
	ans := Answer{Undone: c.undone}
	if len(all) == 0 {
		if !last || c.Cmd.ID.IsZero() {
			d.memory(parley.Command{}, 0, ans)
			return
		}
		all = []Action{{Changed: &Changed{}}}
	}
	for i, a := range all {
		end := last && i == len(all)-1
		if c.undone.Undone > 0 || c.undone.Skipped == 0 {
			a.Undoing = &Undoing{Of: c.Revision, By: c.by(), Next: c.logged.Prior, Undone: c.undone, Expires: d.now.Add(parley.UndoLife)}
		}
		if a.Key = d.memory(parley.Command{}, 0, ans); end {
			a.Key = d.memory(c.Cmd, parley.KeyLife, ans)
		}
		d.owned(a, !end)
	}
}
