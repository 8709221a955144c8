package torture

import (
	"context"
	"errors"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
)

// figures compares the account's figures with those that were counted.
func (c *check) figures(who int, want tally, contacts [2]int64) {
	me := c.People[who]
	got, err := c.door.Stats(c.ctx, me.Account, 0)
	if err != nil {
		c.problem("%s's figures: %v", me.Name, err)
		return
	}
	if got.ActiveContacts < contacts[0] || got.ActiveContacts > contacts[1] {
		c.problem("%s has %d active contacts, want %d to %d", me.Name, got.ActiveContacts, contacts[0], contacts[1])
	}
	want.stats.Revision, want.stats.ActiveContacts, want.stats.LastAudit = got.Revision, got.ActiveContacts, got.LastAudit
	if got != want.stats {
		c.problem("%s's figures are %+v, counted %+v", me.Name, got, want.stats)
	}
	folders, _, err := c.door.Folders(c.ctx, me.Account, 0)
	if err != nil || len(folders) != len(parley.FixedFolders) {
		c.problem("%s's folders: %v %v", me.Name, folders, err)
	}
	for _, f := range folders {
		if f.Counts != want.folders[f.ID] {
			c.problem("%s's folder %s says %+v, counted %+v", me.Name, f.ID, f.Counts, want.folders[f.ID])
		}
	}
	if last := c.players[who].revision; got.Revision < last {
		c.problem("%s is at revision %d and was answered %d", me.Name, got.Revision, last)
	}
}

// contacts is how many people wrote to the account, at least and at most: who
// posted where it could see, and the sender of all mail.
func (c *check) contacts(who int) [2]int64 {
	me := c.People[who].Account
	wrote := map[parley.AccountID]bool{}
	for _, r := range c.rooms {
		for _, e := range r.viewOf(me).posts() {
			if e.Actor.Account != me {
				wrote[e.Actor.Account] = true
			}
		}
	}
	n := [2]int64{int64(len(wrote)), int64(len(wrote))}
	for _, o := range c.H.Ops() {
		if i := place(o.To, who); o.Kind == Mail && i >= 0 && o.Each[i] != Refused {
			n[1] = int64(len(wrote)) + 1
			if o.Each[i] == Done {
				n[0] = n[1]
			}
		}
	}
	return n
}

// row looks for words in everything that the store holds of the account, once its
// purges are finished: each must be one that its owner was allowed to read, and has
// not deleted for good. Pages of
// the generation that does not count are those of a rebuild that was cut short,
// and go with the next.
func (c *check) row(l *Life, who int) {
	me := c.People[who]
	may, row := c.mayRead(who), parley.RowKey(string(me.Account))
	_, purged := l.Node.Purge(c.ctx, me.Account)
	counts, err := generation(c.ctx, l.Store, row)
	err = errors.Join(purged, err, eachStored(c.ctx, l.Store, row, func(family persistence.Family, cell persistence.Cell) error {
		page := family == persistence.Meta && (cell.Qualifier[0] == 'p' || cell.Qualifier[0] == 'q')
		for _, w := range words.FindAll(cell.Value, -1) {
			if !may[string(w)] && (!page || cell.Qualifier[0] == counts) {
				c.problem("%s's row holds %s in %s %q: %v", me.Name, w, family, cell.Qualifier, c.says[string(w)])
			}
		}
		return nil
	}))
	if err != nil {
		c.problem("%s's row: %v", me.Name, err)
	}
}

// generation is the first letter of the pages that count.
func generation(ctx context.Context, s persistence.Store, row []byte) (byte, error) {
	got, err := s.Read(ctx, persistence.Mailbox, row, persistence.Exactly(persistence.Meta, []byte("mark")))
	if err != nil || len(got[0]) == 0 {
		return 'p', err
	}
	mark, err := codec.DecodeMark(got[0][0].Value)
	return mark.Generation, err
}

// mayRead is every word that the account may still hold.
func (c *check) mayRead(who int) map[string]bool {
	me, y := c.People[who].Account, c.players[who]
	may := map[string]bool{}
	for _, r := range c.rooms {
		c.mayReadOf(r, r.viewOf(me), y, may)
	}
	for _, o := range c.H.Ops() {
		switch {
		case o.Kind == Upload && o.Who == who:
			may[o.Word] = true
		case o.Kind == Mail && place(o.To, who) >= 0:
			s := y.standOf(o)
			may[o.Word] = s == nil || !s.fates.mustBeGone()
			for _, ref := range o.Refs {
				may[ref[:len(word(0))]] = may[ref[:len(word(0))]] || may[o.Word]
			}
		}
	}
	return may
}

// mayReadOf adds what a room shows: posts with the names of their files, and the
// subjects that it had while the account was in.
func (c *check) mayReadOf(r *Room, v view, y *player, may map[string]bool) {
	subject := ""
	for i := range r.Events {
		e := &r.Events[i]
		if e.Subject != nil {
			subject = words.FindString(*e.Subject)
		}
		if !slices.ContainsFunc(v.events, func(have *thread.Event) bool { return have.Seq == e.Seq }) {
			continue
		}
		o := c.asked[e.Cmd]
		if o == nil {
			continue
		}
		if e.Type != thread.Posted {
			may[subject] = true
			continue
		}
		if s, known := y.stands[e.Message]; known && s.fates.mustBeGone() {
			continue
		}
		may[o.Word] = true
		for _, f := range o.Files {
			may[f.Word] = true
		}
	}
}

// audit asks the server's own audit, and for a rebuild, which must find nothing
// to change.
func (c *check) audit(l *Life) {
	quiet := func(int64, int64) {}
	rep, err := l.Node.Audit(c.ctx, quiet)
	if err != nil {
		c.problem("audit: %v", err)
	}
	for _, p := range rep.Problems {
		c.problem("audit: %s: %s", p.Where, p.What)
	}
	if rep.Reminders != 0 || rep.Behind != 0 {
		c.problem("audit: %d reminders stand and %d copies are behind, with nothing under way", rep.Reminders, rep.Behind)
	}
	for _, who := range c.People {
		got, err := l.Node.Rebuild(c.ctx, who.Account, quiet)
		for try := 0; try < 5 && errors.Is(err, persistence.ErrCheckFailed); try++ { // what the checks have read may have begun to seal
			if err = l.Settle(c.ctx); err == nil {
				got, err = l.Node.Rebuild(c.ctx, who.Account, quiet)
			}
		}
		if err != nil && parley.CodeOf(err) != parley.NotFound {
			c.problem("rebuild %s: %v", who.Name, err)
		}
		if got.Changed {
			c.problem("rebuild %s: the projection said something else", who.Name)
		}
	}
}
