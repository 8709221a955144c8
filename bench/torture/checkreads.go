package torture

import (
	"github.com/parley-im/parley"
)

// reads holds everything that was shown of rooms while they played: each read is
// the beginning of what is in the copy in the end, as far as its thread said, since
// nothing undurable is ever shown.
func (c *check) reads() {
	views := map[parley.ThreadID]map[int]view{}
	for _, o := range c.H.Ops() {
		r := c.rooms[o.Room]
		if o.Kind != Read || o.Outcome != Done || o.SawAs.Kind != parley.KindRoom {
			continue
		}
		if r == nil {
			c.problem("%v showed a room that is not there", o)
			continue
		}
		if views[o.Room] == nil {
			views[o.Room] = map[int]view{}
		}
		v, known := views[o.Room][o.Who]
		if !known {
			v = r.viewOf(c.People[o.Who].Account)
			views[o.Room][o.Who] = v
		}
		c.shown(o, v)
	}
}

func (c *check) shown(o *Op, v view) {
	left := o.Saw
	for _, e := range v.posts() {
		if len(left) > 0 && left[0].ID == e.Message {
			if said := c.asked[e.Cmd]; said != nil && (left[0].Text != said.Text || left[0].Seq != e.Seq) {
				c.problem("%v showed %v as event %d %q", o, said, left[0].Seq, short(left[0].Text))
			}
			left = left[1:]
			continue
		}
		if e.Seq <= o.SawAs.Seq && !c.players[o.Who].mayLack(o.Room, e.Message) {
			c.problem("%v at event %d did not show event %d", o, o.SawAs.Seq, e.Seq)
		}
	}
	if len(left) > 0 {
		c.problem("%v showed event %d %q, which is not there, not in this place, or not for %s", o, left[0].Seq, short(left[0].Text), c.People[o.Who].Name)
	}
}

// messages lists a thread forwards and backwards, in pages.
func (c *check) messages(who int, id parley.ThreadID) []parley.Message {
	me := c.People[who]
	pages := func(p parley.Page, on func(*parley.Page, parley.Listing[parley.Message]) bool) (all [][]parley.Message) {
		for {
			l, err := c.door.Messages(c.ctx, me.Account, id, "", p, 0)
			if err != nil {
				c.problem("%s cannot list %s: %v", me.Name, id, err)
				return all
			}
			all = append(all, l.Items)
			if !on(&p, l) {
				return all
			}
		}
	}
	var forth, back []parley.Message
	for _, page := range pages(parley.Page{Limit: 11}, func(p *parley.Page, l parley.Listing[parley.Message]) bool {
		p.After = l.Next
		return l.Next != ""
	}) {
		forth = append(forth, page...)
	}
	for _, page := range pages(parley.Page{Limit: 13, End: true}, func(p *parley.Page, l parley.Listing[parley.Message]) bool {
		p.End, p.Before = false, l.Prev
		return l.Prev != ""
	}) {
		back = append(append([]parley.Message(nil), page...), back...)
	}
	if len(forth) != len(back) {
		c.problem("%s lists %s with %d messages forwards and %d backwards", me.Name, id, len(forth), len(back))
		return forth
	}
	for i := range forth {
		if forth[i].ID != back[i].ID {
			c.problem("%s lists %s in another order backwards", me.Name, id)
			break
		}
	}
	return forth
}
